import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { terminal } from "./terminal.ts";

const config = `# ours
version: 1
sources:
  - name: rabbit-eu # the old one
    broker: rabbitmq
    url: amqp://ops:hunter2@127.0.0.1:2
    management: http://ops:hunter2@127.0.0.1:2
    owner: payments
    queues: [{ match: "*.dlq", mode: drain }]
  - name: jobs
    broker: sqs
    url: \${QUEUE_URL}
`;

const dlo = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => terminal(args, { env });

function fileWith(text: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), "dlo-sources-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "dlo.config.yaml");
  if (text !== null) writeFileSync(path, text);
  return path;
}

describe("dlo sources list", () => {
  it("shows the sources without their passwords, and is what is done by default", async () => {
    const path = fileWith(config);
    const { code, stdout, stderr } = await dlo(["sources"], { DLO_CONFIG: path });
    expect([code, stdout.split("\n")[1]?.split(/ {2,}/)]).toEqual([
      0,
      ["rabbit-eu", "rabbitmq", "payments", "*.dlq (drain)", "amqp://ops:***@127.0.0.1:2"],
    ]);
    expect(stderr).toBe(`2 in ${path}\n`);
    const json = await dlo(["sources", "list", "--config", path, "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      items: [{ name: "rabbit-eu" }, { url: "${QUEUE_URL}" }],
      next: null,
    });
    expect(stdout + json.stdout).not.toContain("hunter2");
  });

  it("says each line that is wrong, and quotes no value", async () => {
    const path = fileWith(config.replace("owner:", "ower:").replace("broker: sqs", "broker: hunter2"));
    const { code, stderr } = await dlo(["sources", "--config", path]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${path}:8: \`sources[0].ower\` is not known; did you mean \`owner\`?`);
    expect(stderr).toContain(`${path}:11: \`sources[1].broker\` must be one of rabbitmq,`);
    expect(stderr).not.toContain("hunter2");
  });
});

describe("dlo sources add", () => {
  it("makes a configuration, and adds to it without touching the rest", async () => {
    const path = fileWith(null);
    const first = await dlo(["sources", "add", "a", "--url", "${MY_URL}", "--config", path], { MY_URL: "amqp://h" });
    expect([first.code, readFileSync(path, "utf8")]).toEqual([
      0,
      "version: 1\n\nsources:\n  - name: a\n    broker: rabbitmq\n    url: ${MY_URL}\n",
    ]);
    writeFileSync(path, config);
    const second = await dlo([
      "sources",
      "add",
      "b",
      "--url",
      "kafka://h:1",
      "--queue",
      "*-dlt",
      "--config",
      path,
      "--json",
    ]);
    expect(JSON.parse(second.stdout)).toEqual({ added: "b", file: path });
    expect(readFileSync(path, "utf8")).toBe(
      `${config}  - name: b\n    broker: kafka\n    url: kafka://h:1\n    queues:\n      - match: "*-dlt"\n        mode: observe\n`,
    );
  });

  it("writes where idempotency keys are, and where ordered consumers keep their blocked keys", async () => {
    const path = fileWith("version: 1\nsources:\n  - name: jobs\n    broker: postgres\n    url: postgres://h\n");
    const add = (name: string, ...words: readonly string[]) =>
      dlo(["sources", "add", name, "--url", "amqp://h", ...words, "--config", path]);
    expect((await add("a", "--key", "x-order", "--keys", "jobs")).code).toBe(0);
    expect((await add("b", "--key", "/order/id", "--keys", "${KEYS}", "--keys-schema", "shop")).code).toBe(0);
    const said = readFileSync(path, "utf8").split("  - name: ").slice(2);
    expect(said).toEqual([
      "a\n    broker: rabbitmq\n    url: amqp://h\n    key:\n      header: x-order\n    keys:\n      source: jobs\n",
      "b\n    broker: rabbitmq\n    url: amqp://h\n    key:\n      pointer: /order/id\n    keys:\n      url: ${KEYS}\n      schema: shop\n",
    ]);
  });

  it.each(["amqp://u:hunter2@h", "amqp://h --keys postgres://u:hunter2@h/keys"])(
    "warns of a password that would stand in the file",
    async (words) => {
      const { stderr } = await dlo(["sources", "add", "a", "--url", ...words.split(" "), "--config", fileWith(null)]);
      expect(stderr).toContain("Its password stands in the file now");
      expect(stderr).not.toContain("hunter2");
    },
  );

  it.each([
    ["no name", ["--url", "amqp://h"], 2, "NAME is missing"],
    ["no address", ["c"], 2, "`--url` is missing"],
    ["an address of nothing known", ["c", "--url", "ftp://h"], 2, "must begin with one of amqp://"],
    ["a variable that is not set", ["c", "--url", "${NOPE}"], 2, "NOPE is not set"],
    ["a transport without its queue", ["c", "--url", "amqp://h", "--transports", "async"], 2, "as in async=default"],
    [
      "a setting of another broker",
      ["c", "--url", "amqp://h", "--transports", "a=b"],
      2,
      "is only for symfony-messenger",
    ],
    ["a schema of keys that are nowhere", ["c", "--url", "amqp://h", "--keys-schema", "x"], 2, "--keys-schema"],
    ["keys in a source that is not there", ["c", "--url", "amqp://h", "--keys", "typo"], 2, "whose broker is postgres"],
    ["a pointer that is none", ["c", "--url", "amqp://h", "--key", "/a~2"], 2, "must be a JSON pointer"],
    ["a name that is there", ["jobs", "--url", "amqp://h"], 2, "has a source `jobs` already"],
    ["a name that cannot be", ["a/b", "--url", "amqp://h"], 2, "must be letters, digits"],
  ])("refuses %s and leaves the file alone", async (_about, args, code, message) => {
    const path = fileWith(config);
    const refused = await dlo(["sources", "add", ...args, "--config", path]);
    expect([refused.code, readFileSync(path, "utf8")]).toEqual([code, config]);
    expect(refused.stderr).toContain(message);
  });
});

describe("dlo sources test, discover and doctor", () => {
  it.each([["sources", "test"], ["sources", "discover"], ["doctor"]])(
    "%s %s say what cannot be reached, without a password",
    async (...words) => {
      const args = [...words.filter((word) => typeof word === "string"), "--config", fileWith(config)];
      const { code, stdout, stderr } = await dlo(args, { QUEUE_URL: "http://ops:hunter2@127.0.0.1:2" });
      expect(code).toBe(9);
      expect(stdout).toContain("ECONNREFUSED");
      const json = await dlo([...args, "--json"], { QUEUE_URL: "http://ops:hunter2@127.0.0.1:2" });
      const states = JSON.stringify(JSON.parse(json.stdout));
      expect([json.code, states.split('"state":"failed"').length - 1]).toEqual([9, 2]);
      expect(stdout + stderr + json.stdout + json.stderr).not.toContain("hunter2");
    },
  );

  it("do not call well what nobody looked at", async () => {
    const { code, stdout, stderr } = await dlo(["doctor", "--url", "sqs://key:secret@127.0.0.1:2"]);
    expect({ code, stdout, stderr }).toMatchObject({ code: 9 });
    expect(stderr).toContain("1 not looked at");
  });

  it("say which source was meant", async () => {
    const { code, stderr } = await dlo(["doctor", "rabit-eu", "--config", fileWith(config)]);
    expect([code, stderr.includes("Did you mean `rabbit-eu`?")]).toEqual([3, true]);
  });

  it("refuse a source and an address at once, of which one would go unseen", async () => {
    const { code, stderr } = await dlo([
      "doctor",
      "rabbit-eu",
      "--url",
      "amqp://127.0.0.1:2",
      "--config",
      fileWith(config),
    ]);
    expect([code, stderr.includes("Give one of them")]).toEqual([2, true]);
  });

  it("say where to begin if there is no configuration", async () => {
    const { code, stderr } = await dlo(["doctor", "--json"], { DLO_CONFIG: "/nowhere/dlo.config.yaml" });
    expect([code, stderr]).toEqual([2, ""]);
  });
});

describe("dlo drain", () => {
  it("reads a Kafka address as doctor does, and shows no password", async () => {
    const kafka = "  - { name: k, broker: kafka, url: 'kafkas://u:hunter2@127.0.0.1:2?sasl=plain' }\n";
    const path = fileWith(`version: 1\nsources:\n${kafka}`);
    const args = ["drain", "k/orders.DLT", "--idle", "100ms", "--config", path];
    const { code, stdout, stderr } = await dlo(args, { DLO_DATA: join(path, "..", "data") });
    expect([code, stdout]).toEqual([9, ""]);
    expect(stderr).toContain("127.0.0.1:2");
    expect(stderr).not.toContain("hunter2");
  });
});

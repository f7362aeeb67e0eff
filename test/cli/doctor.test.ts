import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { useRabbitmqAdmin, type Vhost } from "../inspectors/rabbitmq-admin.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noRabbitmqServer } from "../servers/rabbitmq.ts";
import { dloHere } from "./terminal.ts";

const quorum = { "x-queue-type": "quorum" };
const sure = { "x-dead-letter-strategy": "at-least-once", "x-overflow": "reject-publish" };
const letters = { "x-dead-letter-exchange": "", "x-dead-letter-routing-key": "orders.dlq" };

describeServer("dlo doctor", noRabbitmqServer, () => {
  const admin = useRabbitmqAdmin();
  const at = (place: { readonly url: string; readonly management: string }) => ({
    RU: place.url,
    RM: place.management,
  });
  const flags = ["--url", "${RU}", "--management", "${RM}"];
  const doctor = (host: Vhost, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
    dloHere(["doctor", ...flags, ...args], { ...at(host), ...env });

  async function soundHost(): Promise<Vhost> {
    const host = await admin.vhost();
    await host.queue("orders.dlq", quorum);
    await host.queue("orders", { ...quorum, ...letters, ...sure });
    return host;
  }

  it("is green where all is well", async () => {
    const host = await soundHost();
    const { code, stdout } = await dloHere(["doctor", ...flags], {
      ...at(await host.user("ops", "management")),
      FORCE_COLOR: "1",
    });
    expect(code).toBe(0);
    expect(stdout).toContain("\u001b[32mall is well\u001b[39m");
    expect(stripVTControlCharacters(stdout)).toMatch(
      /^\$\{RU\} {2}RabbitMQ [\d.]+ {2}2 queues, 1 for dead letters, 0 letters in them\n/,
    );
  });

  it("fails for errors, and for warnings when it is strict", async () => {
    const host = await soundHost();
    await host.queue("mail");
    const codes = async (args: readonly string[]) => (await doctor(host, args)).code;
    expect([await codes([]), await codes(["--strict"])]).toEqual([0, 1]);
    await host.queue("lost", { ...quorum, "x-dead-letter-exchange": "nowhere" });
    expect(await codes([])).toBe(1);
  });

  it("gives one document as JSON", async () => {
    const host = await soundHost();
    await host.queue("lost", { ...quorum, "x-dead-letter-exchange": "nowhere" });
    const { stdout } = await doctor(host, ["--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      sources: [
        {
          broker: "rabbitmq",
          state: "seen",
          queues: 3,
          deadLetterQueues: 1,
          letters: 0,
          findings: [{ code: "dead_letters.target_missing", queue: "lost" }, { code: "rights.needless" }],
        },
      ],
      errors: 1,
    });
  });

  it("lets no queue's name draw on the terminal, and keeps lines within it", async () => {
    const host = await admin.vhost();
    const hostile = [
      "\u001b[2J\u001b[31mred\u0007",
      "right\u202eto left",
      "tab\there",
      "n".repeat(200),
      "日本語のキュー",
    ];
    for (const name of hostile) await host.queue(name);
    const { stdout } = await doctor(host, [], { NO_COLOR: "1", COLUMNS: "60" });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is what is tested
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    const words = stdout.split("\n").filter((line) => !/^ {4}\$ /.test(line) && !line.includes("nnnn"));
    expect(words.filter((line) => [...line].length > 66)).toEqual([]);
    expect(stdout).toContain("\\u{1b}[2J");
  });

  it("counts what is the same, and shows all of it when asked", async () => {
    const host = await admin.vhost();
    for (let count = 0; count < 12; count++) await host.queue(`q${count}`);
    expect((await doctor(host)).stdout).toContain("and 2 more of this kind: --all shows them");
    expect((await doctor(host, ["--all"])).stdout.match(/queue\.no_dead_letters/g)).toHaveLength(12);
  });

  it("discovers dead-letter queues, and writes what to add", async () => {
    const host = await soundHost();
    const { code, stdout } = await dloHere(["sources", "discover", ...flags], at(host));
    expect(code).toBe(0);
    expect(stdout).toMatch(/\norders\.dlq +orders +0 +\?\n/);
    expect(stdout).toContain(
      '  - name: my-rabbitmq\n    broker: rabbitmq\n    url: ${RU}\n    management: ${RM}\n    queues:\n      - match: "*.dlq"\n        mode: observe',
    );
    const { stdout: tested } = await dloHere(["sources", "test", ...flags], at(host));
    expect(tested).toMatch(/answers\n {2}sees {2}2 queues, 1 for dead letters\n/);
  });

  it("is refused with exit code 4 by a wrong password", async () => {
    const host = await soundHost();
    const { code, stdout } = await dloHere(
      ["doctor", ...flags],
      at({ ...host, management: host.management.replace("guest:guest", "guest:hunter2") }),
    );
    expect([code, stdout.includes("refuses the name or the password"), stdout.includes("hunter2")]).toEqual([
      4,
      true,
      false,
    ]);
  });
});

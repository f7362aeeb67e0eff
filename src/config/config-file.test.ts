import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { matching } from "../../test/matching.ts";
import { isOfficeError } from "../domain/errors.ts";
import type { Config } from "./config.ts";
import { findConfig, parseConfig, readConfig } from "./config-file.ts";
import type { ConfigProblem } from "./config-problems.ts";
import { referenceOrigin } from "./reference.ts";

describe("a configuration", () => {
  it("is whole when it says no more than its version", () => {
    const { office, ledger, sources, masking, signIn } = parseConfig("version: 1\n");
    expect({ office, ledger, sources, masking, signIn }).toEqual({
      office: {
        publicUrl: null,
        listen: "127.0.0.1:7717",
        basePath: "/",
        trustedProxies: [],
        environment: null,
        outbound: { allow: [] },
      },
      ledger: {
        direct: false,
        bodies: { store: "fs", path: null, region: null, shared: false },
        retention: 90 * 86_400_000,
      },
      sources: [],
      masking: { paths: [], detectors: "default" },
      signIn: { passwords: true },
    } satisfies Pick<Config, "office" | "ledger" | "sources" | "masking" | "signIn">);
  });

  it("takes everything that the reference shows", () => {
    const page = readFileSync(new URL("../../docs/reference/configuration.md", import.meta.url), "utf8");
    const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
    const config = parseConfig(example);
    expect(Object.keys(config).sort()).toEqual(Object.keys(parseConfig("version: 1")).sort());
    expect(config.sources.map(({ url }) => url.shown)).not.toEqual([]);
  });

  it("has defaults for what a source leaves out", () => {
    const { sources } = parseConfig(
      "version: 1\nsources:\n  - { name: a, broker: kafka, url: 'kafka://h', queues: [{ match: '*.dlq' }] }\n",
    );
    expect(sources).toMatchObject([
      { owner: null, queues: [{ match: "*.dlq", mode: "observe", replayTo: null, critical: false }] },
    ]);
  });

  it.each<[about: string, text: string, problems: Omit<ConfigProblem, "sentence">[], sentence: RegExp]>([
    ["an empty file", "", [{ line: 1, path: "version" }], /is missing/],
    ["a version of the future", "version: 2", [{ line: 1, path: "version" }], /must be 1/],
    ["a misspelt key", "version: 1\nsorces: []", [{ line: 2, path: "sorces" }], /did you mean `sources`/],
    [
      "a misspelt key far inside",
      "version: 1\nsources:\n  - name: a\n    broker: kafka\n    url: x\n    queues:\n      - match: a\n        mod: drain\n",
      [{ line: 8, path: "sources[0].queues[0].mod" }],
      /did you mean `mode`/,
    ],
    [
      "an unlike key",
      "version: 1\nledger:\n  zzzzzz: 1",
      [{ line: 3, path: "ledger.zzzzzz" }],
      /known here are url, direct/,
    ],
    [
      "a broker nobody knows",
      "version: 1\nsources:\n  - name: a\n    broker: activemq\n    url: x",
      [{ line: 4, path: "sources[0].broker" }],
      /one of rabbitmq, kafka/,
    ],
    [
      "a notifier that nobody could be told by",
      "version: 1\nnotifiers:\n  - name: a\n    kind: smtp\n    url: x",
      [{ line: 4, path: "notifiers[0].kind" }],
      /one of slack, pagerduty, webhook/,
    ],
    [
      "what is missing in a source",
      "version: 1\nsources:\n  - name: a",
      [
        { line: 3, path: "sources[0].broker" },
        { line: 3, path: "sources[0].url" },
      ],
      /is missing/,
    ],
    [
      "text for a number of days",
      "version: 1\nledger: { retention: soon }",
      [{ line: 2, path: "ledger.retention" }],
      /12h or 90d/,
    ],
    [
      "a name that is there twice",
      "version: 1\nsources:\n  - { name: a, broker: kafka, url: x }\n  - { name: a, broker: kafka, url: y }",
      [{ line: 4, path: "sources[1].name" }],
      /there twice/,
    ],
    [
      "management of something else than RabbitMQ",
      "version: 1\nsources:\n  - { name: a, broker: kafka, url: x, management: y }",
      [{ line: 3, path: "sources[0].management" }],
      /only for rabbitmq/,
    ],
    ["a key that is there twice", "version: 1\nversion: 1", [{ line: 2, path: "" }], /unique/],
    ["what is no YAML", "version: 1\nroles: [", [{ line: 2, path: "" }], /is not YAML/],
    [
      "a reference that YAML takes for a group",
      "version: 1\nledger: { url: ${DATABASE_URL}, direct: true }",
      [{ line: 2, path: "" }],
      /needs quotes/,
    ],
    [
      "a public address with a path",
      "version: 1\noffice: { publicUrl: https://ops.example/dlo }",
      [{ line: 2, path: "office.publicUrl" }],
      /`office\.basePath`/,
    ],
    [
      "a base path that browsers would read as another one",
      "version: 1\noffice: { basePath: /dlo/../admin }",
      [{ line: 2, path: "office.basePath" }],
      /between single slashes/,
    ],
    [
      "a person called as the server calls itself in its audit log",
      "version: 1\npeople:\n  - { id: ana, oidc: { iss: https://login.example, sub: a } }\n  - { id: 0ffice, oidc: { iss: https://login.example, sub: b } }",
      [{ line: 4, path: "people[1].id" }],
      /stands for the server/,
    ],
    ["a list in place of keys", "- 1", [{ line: 1, path: "" }], /a group of keys/],
    [
      "a name with a slash",
      "version: 1\nroles: [{ name: a/b, is: viewer }]",
      [{ line: 2, path: "roles[0].name" }],
      /letters/,
    ],
  ])("refuses %s, and says where", (_about, text, problems, sentence) => {
    const found = problemsIn(text);
    expect(found).toMatchObject(problems);
    expect(found.map((problem) => problem.sentence).join("\n")).toMatch(sentence);
  });

  it("quotes no value in a refusal, since it may be a secret", () => {
    const texts = [
      "version: 1\nsources: [{ name: a, broker: hunter2, url: [hunter2] }]",
      "version: 1\nledger: { url: { hunter2: 1 }, retention: hunter2 }",
      'version: 1\nledger: { url: "hunter2',
      "version: 1\nledger: { url: @hunter2 }",
      "version: 1\nnotifiers: [{ name: n, kind: slack, url: *hunter2 }]",
    ];
    const said = texts.map((text) => JSON.stringify(problemsIn(text).map(({ sentence }) => sentence)));
    expect(said.join("\n")).not.toContain("hunter2");
  });

  it("does not run out of memory over aliases of aliases", () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) => `l${n + 1}: &l${n + 1} [${Array(9).fill(`*l${n}`).join(", ")}]`,
    );
    expect(problemsIn(`l0: &l0 [x]\n${levels.join("\n")}\n`)).toMatchObject([{ sentence: matching(/aliases/) }]);
  });
});

describe("the configuration of a folder", () => {
  it("is the nearest one upward", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dlo-config-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "a/b/c"), { recursive: true });
    writeFileSync(join(folder, "dlo.config.json"), '{"version":1}');
    writeFileSync(join(folder, "a/dlo.config.yaml"), "version: 1\n");
    expect(await findConfig(join(folder, "a/b/c"))).toBe(join(folder, "a/dlo.config.yaml"));
    expect(await findConfig(folder)).toBe(join(folder, "dlo.config.json"));
    expect((await readConfig(join(folder, "dlo.config.json"))).config.version).toBe(1);
  });

  it("finds the secrets it refers to when they are asked for", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dlo-config-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { ledger } = parseConfig(`version: 1\nledger: { url: "file:${join(folder, "url")}" }`);
    for (const written of ["first", "rotated"]) {
      writeFileSync(join(folder, "url"), `${written}\n`);
      expect(await ledger.url?.resolve(referenceOrigin({}))).toBe(written);
    }
  });

  it("is refused when it cannot be read", async () => {
    await expect(readConfig("/nowhere/dlo.config.yaml")).rejects.toMatchObject({
      code: "INVALID_CONFIG",
      message: matching(/ENOENT/),
    });
  });
});

function problemsIn(text: string): readonly ConfigProblem[] {
  try {
    parseConfig(text);
  } catch (error) {
    if (isOfficeError(error, "INVALID_CONFIG")) return error.details.problems as readonly ConfigProblem[];
    throw error;
  }
  return [];
}

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config-file.ts";
import type { InputOf } from "../../src/office/operations/operations.ts";
import { sourceCommand } from "../../web/connect/source-command.ts";
import { dloHere } from "../cli/terminal.ts";

type Added = InputOf<"sources.add">;

const cases: Readonly<Record<string, Added>> = {
  "a broker that is only looked at": { name: "a", broker: "kafka", url: "kafka://h:1", queues: [] },
  "each queue with its own rule": {
    name: "rabbit-eu",
    broker: "rabbitmq",
    url: "amqp://ops:hunter2@h",
    management: "http://ops:hunter2@h:1",
    queues: [
      { match: "orders.dlq", mode: "drain" },
      { match: "it's late, $HOME `or` not", mode: "observe" },
      { match: "a=observe", mode: "drain" },
      { match: "-v", mode: "drain" },
    ],
  },
  "a framework with its transports": {
    name: "mails",
    broker: "symfony-messenger",
    url: "postgres://h/app",
    schema: "public; drop",
    transports: { async: "default", slow: "later=never" },
    owner: "the mail team",
    queues: [{ match: "*", mode: "observe" }],
  },
  "keys that begin otherwise": {
    name: "jobs",
    broker: "bullmq",
    url: "redis://h",
    prefix: "-{shop}:",
    queues: [{ match: "*", mode: "observe" }],
  },
  "keys of its messages": {
    name: "orders-eu",
    broker: "nats",
    url: "nats://h",
    key: { pointer: "/order/it's id" },
    keys: { url: "postgres://ops:hunter2@h/orders", schema: "shop keys" },
    queues: [],
  },
};

/** The words that a shell makes of a line. */
function wordsOf(line: string): readonly string[] {
  return execFileSync("sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
}

/** What stands in the configuration once the command was pasted. */
async function writtenBy(command: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "dlo-source-command-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "dlo.config.yaml");
  const [, ...args] = wordsOf(command);
  const { code, stderr } = await dloHere([...args, "--config", path]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("Added")]);
  const { config } = await readConfig(path);
  return config.sources.map(({ url, management, queues, keys, ...source }) => ({
    ...source,
    ...(keys === undefined ? {} : { keys: "url" in keys ? { ...keys, url: keys.url.shown } : keys }),
    ...{ url: url.shown, management: management?.shown },
    queues: queues.map(({ match, mode }) => ({ match, mode })),
  }));
}

describe("the command that the connect page shows", () => {
  it.each(Object.entries(cases))("writes what the page adds: %s", async (_about, added) => {
    const command = sourceCommand(added);
    expect(await writtenBy(command)).toEqual([
      {
        ...added,
        url: `\${BROKER_URL}`,
        management: added.management === undefined ? undefined : `\${BROKER_API}`,
        ...(added.keys == null ? {} : { keys: { ...added.keys, url: `\${KEYS_URL}` } }),
        owner: added.owner ?? null,
      },
    ]);
    expect(command).not.toContain("hunter2");
  });
});

import { tmpdir } from "node:os";
import { parseConfig } from "../../src/config/config-file.ts";
import { listAddedSources } from "../../src/ledger/added-sources.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { realSources } from "../../src/sources/real-sources.ts";
import type { SourceDesk } from "../../src/sources/source-desk.ts";
import { systemClock } from "../../src/system/host.ts";

const { sources: configured } = parseConfig(`version: 1
sources:
  - { name: rabbit, broker: rabbitmq, url: "amqp://127.0.0.1:1", owner: payments, queues: [{ match: "*.dlq", mode: drain }] }
`);

/** One source of a configuration, which nobody can reach, and those that a test connects; sealed with a key of the test's own. */
export function testSources(ledger: Ledger, dataFolder: string = tmpdir()): SourceDesk {
  const env = { DLO_SECRET_KEY: "5e".repeat(32) };
  const read = () => listAddedSources(ledger);
  return realSources({ configured, read, env, dataFolder, isEmbedded: true, clock: systemClock }).desk;
}

import type { SourceConfig } from "../src/config/config.ts";
import { referenceOrigin } from "../src/config/reference.ts";
import { openServer } from "../src/databases/open-server.ts";
import { readDeadLetter } from "../src/dialects/read-dead-letter.ts";
import type { Ledger } from "../src/ledger/ledger.ts";
import { openLedger } from "../src/ledger/ledger.ts";
import { holdBatch } from "../src/office/intake/hold-batch.ts";
import { applyPolicy } from "../src/office/policy/apply-policy.ts";
import { policyReader } from "../src/office/policy/policy-in-force.ts";
import { planReplay } from "../src/office/replay/plan-replay.ts";
import { replayDesk } from "../src/office/replay/replay-desk.ts";
import type { ReplayParts } from "../src/office/replay/replay-parts.ts";
import { runReplay } from "../src/office/replay/run-replay.ts";
import { parsePolicy } from "../src/policy-file/policy-file.ts";
import { sourcePool } from "../src/sources/source-pool.ts";
import { systemHost } from "../src/system/host.ts";
import { countsOf, operator, started } from "../test/replay/world.ts";
import { benchActor, benchRoom, readAll } from "./ledger-intake.ts";
import { batches } from "./ledger-variants.ts";
import { refusedLetter } from "./replay-letters.ts";
import { stopwatch } from "./stopwatch.ts";
import type { Sample } from "./suite.ts";

export interface OfficeBench {
  readonly database: string;
  /** Where letters are sent back to. */
  readonly source: SourceConfig;
  readonly letters: number;
}

/** Nothing is slowed down on purpose; all that is asked before a letter goes is asked. */
const policy = `version: 1
protocols:
  transient: { rate: 1000000, batch: 2000, ramp: { steps: [] }, settle: { min: 0s }, halt: { lag: null } }`;

/** An office over a ledger of its own, with one source. */
export async function openBenchOffice({ database, source }: Omit<OfficeBench, "letters">) {
  const opened = await openServer(database);
  const ledger = await openLedger({ database: opened.database, schema: `replay_${process.pid}` });
  const { clock } = systemHost;
  await applyPolicy({ ledger, bodies: null, clock }, benchActor, {
    policy: parsePolicy(policy),
    reason: null,
  });
  const pool = sourcePool({ sources: () => [source], origin: referenceOrigin({}), clock });
  const parts = replayDesk({
    ...{ ledger, bodies: null, pool, host: systemHost, roles: [], read: readDeadLetter },
    policy: policyReader(ledger),
    schemaFor: async () => null,
    call: () => Promise.reject(new Error("nobody is asked")),
    hear: async () => {},
    catchUp: async () => true,
  });
  return { ledger, parts, pool };
}

/** Takes samples of a replay, each of letters of its own, from a queue's dead letters back to the queue. */
export async function replaySampler(bench: OfficeBench): Promise<(queue: string) => Promise<Sample>> {
  const { ledger, parts } = await openBenchOffice(bench);
  return async (queue) => {
    return replayed(parts, queue, await held(ledger, bench.letters, queue));
  };
}

/** Plans, starts and runs a replay of these letters. */
export async function replayed(parts: ReplayParts, queue: string, letters: readonly Uint8Array[]): Promise<Sample> {
  const replay = await planReplay(parts, operator, { letters, query: `queue:${queue}` });
  await started(parts, replay);
  const sample = await timedRun(parts, replay, letters.length);
  const { sent } = await countsOf(parts, replay);
  if (sent !== letters.length) throw new Error(`${sent} of ${letters.length} letters were sent.`);
  return sample;
}

async function held(ledger: Ledger, count: number, queue: string): Promise<readonly Uint8Array[]> {
  const ids: Uint8Array[] = [];
  for (const numbers of batches(count)) {
    const found = numbers.map((n) => ({ n, letter: refusedLetter(n, queue) }));
    const letters = await readAll(benchRoom, found);
    await holdBatch(ledger, { letters, actor: benchActor, now: Date.now(), by: "drain", session: null });
    ids.push(...letters.map(({ id }) => id));
  }
  return ids;
}

/** Up to the moment when all of it is sent and noted so: then the office begins to watch what becomes of it. */
async function timedRun(parts: ReplayParts, replay: Uint8Array, letters: number): Promise<Sample> {
  const stop = new AbortController();
  const memory: number[] = [];
  const look = setInterval(() => memory.push(process.memoryUsage.rss()), 25);
  const elapsed = stopwatch();
  let sample: Sample | undefined;
  const watch: ReplayParts["watch"] = async () => {
    sample ??= elapsed(letters);
    stop.abort();
    return async () => false;
  };
  const end = await runReplay({ ...parts, watch }, { replay, actor: operator, signal: stop.signal });
  clearInterval(look);
  if (sample === undefined) throw new Error(`The replay ended before all was sent: ${end}.`);
  return { ...sample, memoryGrowth: growthOf(memory) };
}

function growthOf(memory: readonly number[]): number {
  const half = Math.ceil(memory.length / 2);
  return Math.max(...memory.slice(half)) / Math.max(...memory.slice(0, half));
}

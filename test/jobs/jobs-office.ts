import { onTestFinished } from "vitest";
import { parseConfig } from "../../src/config/config-file.ts";
import { readDeadLetter } from "../../src/dialects/read-dead-letter.ts";
import { idOfUuid } from "../../src/domain/ids.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { type DrainProgress, drain } from "../../src/office/intake/drain.ts";
import { type CatchUp, replayDesk } from "../../src/office/replay/replay-desk.ts";
import type { ReplayParts } from "../../src/office/replay/replay-parts.ts";
import { sourcePool } from "../../src/sources/source-pool.ts";
import { systemClock, systemHost } from "../../src/system/host.ts";
import { classify } from "../../src/triage/classify.ts";
import { fingerprint } from "../../src/triage/fingerprint/fingerprint.ts";
import { testRoom } from "../ledger/letters.ts";
import { operator, planned, replayWorld, run, started } from "../replay/world.ts";
import type { UsedPostgres } from "../servers/use-postgres.ts";

export interface KnownLetter {
  readonly id: Uint8Array;
  readonly state: string;
  readonly category: string;
  readonly queue: string;
  readonly groupId: string;
}

export interface JobsOffice {
  readonly ledger: Ledger;
  readonly parts: ReplayParts;
  drain(queue: string): Promise<DrainProgress>;
  /** In the order of arrival. */
  letters(): Promise<readonly KnownLetter[]>;
  /** Planned, approved, started and run to its end. */
  replay(letters: readonly Uint8Array[]): Promise<Uint8Array>;
}

/** An office with one source, `jobs`, as the configuration names it, over a ledger of its own. It waits for no outcome. */
export async function jobsOffice({ database }: UsedPostgres, source: string, schema: string): Promise<JobsOffice> {
  const ledger = await openLedger({ database, schema });
  const { sources } = parseConfig(`version: 1\nsources:\n  - { name: jobs, ${source} }\n`);
  const origin = { env: {}, readText: () => Promise.reject(new Error("There are no files here.")) };
  const pool = sourcePool({ sources: () => sources, origin, clock: systemClock });
  onTestFinished(() => pool.close());
  const room = { ...testRoom(), read: readDeadLetter, triage: { classify, fingerprint } };
  const drainQueue: JobsOffice["drain"] = async (name) => {
    const { transport } = await pool.get("jobs");
    const { signal } = new AbortController();
    const parts = {
      ledger,
      transport,
      from: { name },
      source: "jobs",
      room,
      actor: operator,
      host: systemHost,
      signal,
    };
    return drain(parts, { idleMs: 100 });
  };
  const { parts } = replayWorld(ledger);
  const catchUp: CatchUp = async ({ queue }) => {
    await drainQueue(queue);
    return true;
  };
  const desk = replayDesk({ ...parts, read: readDeadLetter, pool, catchUp });
  return {
    ...{ ledger, parts: desk, drain: drainQueue, letters: () => readLetters(ledger) },
    async replay(letters) {
      const replay = await planned(desk, letters);
      await started(desk, replay);
      await run(desk, replay);
      return replay;
    },
  };
}

async function readLetters({ database, at }: Ledger): Promise<readonly KnownLetter[]> {
  const { rows } = await database.query<Omit<KnownLetter, "id"> & { readonly id: string }>(
    `select id, state, category, queue, group_id as "groupId" from ${at}.letters order by id`,
  );
  return rows.map((row) => ({ ...row, id: idOfUuid(row.id) }));
}

import type { SourceConfig } from "../config/config.ts";
import { referenceOrigin } from "../config/reference.ts";
import { queuesToDrain } from "../doctor/queues-to-drain.ts";
import type { Clock } from "../domain/clock.ts";
import { sealing } from "../system/sealing.ts";
import { type KeptSource, type SourceBook, sourceBook } from "./source-book.ts";
import { aboutSource, type SourceDesk, sourceDesk } from "./source-desk.ts";
import { type SourcePool, sourcePool } from "./source-pool.ts";

export interface RealSourcesParts {
  /** Those of the configuration. */
  readonly configured: readonly SourceConfig[];
  /** Those that were connected while the office ran, as they are now. */
  readonly read: () => Promise<readonly KeptSource[]>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the key is that addresses are sealed with, unless DLO_SECRET_KEY is it. */
  readonly dataFolder: string;
  /** The ledger is in that folder too. */
  readonly isEmbedded: boolean;
  readonly clock: Clock;
}

/** The brokers an office looks after: as the configuration has them, and as they come and go while it runs. */
export interface Sources {
  readonly pool: SourcePool;
  readonly desk: SourceDesk;
  /** All there are: the same list until something about them changes. */
  readonly all: () => readonly { readonly name: string }[];
  /** The queues of a source that are to be drained now. */
  readonly queuesOf: (source: string, signal: AbortSignal) => Promise<readonly string[]>;
}

const inspectLimitMs = 15_000;

export function realSources(parts: RealSourcesParts): Sources {
  const { configured, read, env, dataFolder, isEmbedded, clock } = parts;
  const seals = sealing({ key: env.DLO_SECRET_KEY, folder: dataFolder });
  const written = sourceBook({ configured, read, open: (sealed, name) => seals.open(sealed, aboutSource(name)) });
  const origin = referenceOrigin(env);
  const pool = sourcePool({ sources: written.all, origin, clock });
  const book: SourceBook = {
    ...written,
    async refresh() {
      await written.refresh();
      pool.follow();
    },
  };
  return {
    all: book.all,
    pool,
    desk: sourceDesk({ book, sealing: seals, origin, clock, folder: isEmbedded ? dataFolder : null }),
    async queuesOf(name, signal) {
      const source = book.all().find((each) => each.name === name);
      return source === undefined ? [] : queuesToDrain(source, { origin, clock, signal, limitMs: inspectLimitMs });
    },
  };
}

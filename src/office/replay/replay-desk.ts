import { isOfficeError } from "../../domain/errors.ts";
import { workingConsumers } from "../../ledger/consumers.ts";
import type { SourcePool } from "../../sources/source-pool.ts";
import type { DestinationFacts } from "./facts.ts";
import type { ReplayParts, SentTo, SilenceWatch } from "./replay-parts.ts";

/** Takes what is in a dead-letter queue by now into the ledger. Rejects where that cannot be done. */
export type CatchUp = (source: string, queue: string) => Promise<void>;

export interface DeskParts extends Omit<ReplayParts, "replayTo" | "look" | "watch" | "line"> {
  readonly pool: SourcePool;
  readonly catchUp: CatchUp;
}

/** Replaying to the sources of the configuration. */
export function replayDesk({ pool, catchUp, ...parts }: DeskParts): ReplayParts {
  return {
    ...parts,
    replayTo: (source, deadLetters) => pool.replayTo(source, deadLetters),
    look: (source, queue) => look(pool, source, queue),
    watch: (place) => watch(pool, catchUp, place),
    async line(source, id) {
      const isOurs = async (queue: string) => (await workingConsumers(parts.ledger, [queue])).has(`${source}/${queue}`);
      return (await pool.get(source)).line(id, isOurs);
    },
  };
}

async function look(pool: SourcePool, source: string, queue: string): Promise<DestinationFacts> {
  try {
    const { address, keepsNextDeath, otherGroups, lag } = await (await pool.get(source)).look(queue);
    if (address === null) return { kind: "missing", destination: queue };
    return { kind: "known", queue, keepsNextDeath, otherGroups, breakers: [], redChecks: [], lag };
  } catch (error) {
    if (isOfficeError(error, "SOURCE_NOT_FOUND")) return { kind: "source_gone", source };
    if (isOfficeError(error, "INVALID_OPTION")) return { kind: "source_cannot_take", source };
    throw error;
  }
}

/** Consumed first, then caught up: what died was dead before its place in the queue was free. */
async function watch(
  pool: SourcePool,
  catchUp: CatchUp,
  { source, queue, deadLetters }: SentTo,
): Promise<SilenceWatch> {
  const wasConsumed = await (await pool.get(source)).watch(queue);
  return async () => {
    if (!(await wasConsumed())) return false;
    try {
      for (const name of deadLetters) await catchUp(source, name);
      return true;
    } catch (error) {
      // A dead-letter queue nobody can look into is no evidence of anything.
      if (isOfficeError(error)) return false;
      throw error;
    }
  };
}

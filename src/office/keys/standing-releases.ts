import { pause } from "../../domain/clock.ts";
import { sourcesWithReleases } from "../../ledger/claim-releases.ts";
import { readReleaseTroubles } from "../../ledger/key-releases.ts";
import { type Chore, chore } from "../chore.ts";
import { carryOutOf, type ReleaseParts } from "./carry-out-releases.ts";

const everyMs = 1_000;

/** Carries out what was decided, for as long as the server runs. Several processes share the releases, each taking its own. */
export function standingReleases(parts: ReleaseParts): Chore {
  return chore({
    ...{ name: "key releases", everyMs, clock: parts.clock },
    act: (signal) => carryOutAll(parts, signal),
    async leftOver() {
      const { n, first } = await readReleaseTroubles(parts.ledger);
      return first === null ? null : `${n === 1 ? "1 key waits" : `${n} keys wait`} to be released: ${first}`;
    },
  });
}

/** Until nothing is due. Each source has its own turn: one that does not answer keeps no other waiting. */
async function carryOutAll(parts: ReleaseParts, signal: AbortSignal): Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const begin = async (source: string) => {
    try {
      await carryOutOf(parts, source, signal);
    } catch (error) {
      failures.push(error);
    } finally {
      underWay.delete(source);
    }
  };
  do {
    for (const source of await sourcesWithReleases(parts.ledger))
      if (!underWay.has(source)) underWay.set(source, begin(source));
    if (underWay.size > 0) await Promise.race([...underWay.values(), pause(parts.clock, everyMs, signal)]);
  } while (!signal.aborted && failures.length === 0 && underWay.size > 0);
  await Promise.all(underWay.values());
  if (failures.length > 0) throw failures[0];
}

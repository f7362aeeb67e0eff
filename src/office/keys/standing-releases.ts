import { readReleaseTroubles } from "../../ledger/key-releases.ts";
import { type Chore, chore } from "../chore.ts";
import { carryOutReleases, type ReleaseParts } from "./carry-out-releases.ts";

const everyMs = 1_000;

/** Carries out what was decided, for as long as the server runs. Several processes share the releases, each taking its own. */
export function standingReleases(parts: ReleaseParts): Chore {
  return chore({
    ...{ name: "key releases", everyMs, clock: parts.clock },
    async act(signal) {
      while (!signal.aborted && (await carryOutReleases(parts)) > 0);
    },
    async leftOver() {
      const { n, first } = await readReleaseTroubles(parts.ledger);
      return first === null ? null : `${n === 1 ? "1 key waits" : `${n} keys wait`} to be released: ${first}`;
    },
  });
}

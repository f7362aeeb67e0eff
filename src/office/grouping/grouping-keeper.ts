import type { Clock } from "../../domain/clock.ts";
import { latestGrouping, readGroupChanges } from "../../ledger/group-changes.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { keptFresh } from "../kept-fresh.ts";
import { type Grouping, groupingOf } from "./grouping.ts";

/** Gives what was merged and split as `keptFresh` does. Letters placed by what is out of date are placed again later. */
export function groupingKeeper(ledger: Ledger, clock: Clock): () => Promise<Grouping> {
  return keptFresh(clock, {
    latest: () => latestGrouping(ledger, ledger.database),
    read: async () => groupingOf(await readGroupChanges(ledger, ledger.database)),
  });
}

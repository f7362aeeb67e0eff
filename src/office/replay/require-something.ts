import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { showId } from "../../domain/ids.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { countStandings } from "../../ledger/replay-items.ts";
import { countItems, type ReplayCounts } from "./replay-counts.ts";

/** Refuses a plan that sends no letter: nobody has to look at it, approve it or start it. Gives its counts. */
export async function requireSomethingToSend(
  ledger: Ledger,
  queries: Queries,
  replay: Uint8Array,
): Promise<ReplayCounts> {
  const counts = countItems(await countStandings(ledger, queries, replay));
  if (counts.toSend > 0) return counts;
  const { ackRequired, skipped, excluded, drifted } = counts;
  const id = showId("replay", replay);
  const why = [
    ...(ackRequired === 0 ? [] : [`${ackRequired} ${ackRequired === 1 ? "needs" : "need"} an accepted risk`]),
    ...(skipped === 0 ? [] : [`${skipped} can't be sent`]),
    ...(excluded + drifted === 0
      ? []
      : [`${excluded + drifted} ${excluded + drifted === 1 ? "was" : "were"} left out`]),
  ];
  const help =
    ackRequired > 0
      ? `Accept the risks that \`dlo replay show ${id}\` names, or plan other letters.`
      : `See why with \`dlo replay items ${id}\`, then plan again, or end it with \`dlo replay cancel ${id} --reason '…'\`.`;
  throw new OfficeError("NOTHING_TO_SEND", `This plan sends no letter: ${why.join(", ")}. ${help}`, {
    details: { ackRequired, skipped, excluded, drifted },
  });
}

import { readDeadLetter } from "../../dialects/read-dead-letter.ts";
import type { Host } from "../../domain/clock.ts";
import { idsInOrder } from "../../domain/ids.ts";
import { classify } from "../../triage/classify.ts";
import { fingerprint } from "../../triage/fingerprint/fingerprint.ts";
import { groupingKeeper } from "../grouping/grouping-keeper.ts";
import type { Office } from "../operations/operation.ts";
import { policyKeeper } from "../policy/policy-in-force.ts";
import type { ReadingRoom } from "./read-letters.ts";

/** Where letters that come are read, by the policy and the groups that are in force. */
export function readingRoom(
  { ledger, masking, bodies }: Pick<Office, "ledger" | "masking" | "bodies">,
  host: Host,
): ReadingRoom {
  const newId = idsInOrder(host.newId);
  return {
    read: readDeadLetter,
    triage: { classify, fingerprint },
    policy: policyKeeper(ledger, host.clock),
    grouping: groupingKeeper(ledger, host.clock),
    masking,
    bodies,
    newLetterId() {
      const arrivedAt = host.clock.now();
      return { id: newId(arrivedAt), arrivedAt };
    },
  };
}

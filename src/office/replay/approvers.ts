import { isDemo } from "../../ledger/demo-mark.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { listPeople, type Person } from "../../ledger/people/people.ts";
import { listRoles } from "../../ledger/people/roles.ts";
import type { ReplayRecord } from "../../ledger/replay-record.ts";
import { standingOf } from "../people/standing.ts";
import { describeReason } from "./reasons.ts";

export interface Approvers {
  /** Who could approve it: people who can sign in, with a role for it, and did not ask for it themselves. */
  readonly approvers: readonly string[];
  /** What stands in the way of the whole plan, said when it is made and not when somebody waits in vain. */
  readonly notices: readonly Notice[];
}

export interface Notice {
  readonly code: string;
  readonly sentence: string;
  readonly change: string;
}

const undecided: readonly ReplayRecord["state"][] = ["planned", "awaiting_approval"];

/** Empty where nobody has to approve any more, or at all. */
export async function approversOf(
  ledger: Ledger,
  { state, approvalsNeeded, approverRoles, requestedBy }: ReplayRecord,
): Promise<Approvers> {
  if (approvalsNeeded === 0 || !undecided.includes(state)) return { approvers: [], notices: [] };
  const [people, ownRoles, isMadeUp] = await Promise.all([
    listPeople(ledger),
    listRoles(ledger),
    isDemo(ledger, ledger.database),
  ]);
  const approvers = people
    .filter((person) => person.id !== requestedBy && isPresent(person, isMadeUp))
    .filter(({ kind, roles: names }) =>
      standingOf({ kind, names, ownRoles }, []).roles.some((role) => approverRoles.includes(role)),
    )
    .map(({ id }) => id);
  // An office that nobody signs in to is one at a terminal: whoever is there says who they are.
  if (people.length === 0 || approvers.length >= approvalsNeeded) return { approvers, notices: [] };
  const { code, sentence, change } = describeReason({ code: "approval.nobody", roles: approverRoles });
  return { approvers, notices: [{ code, sentence, change }] };
}

/** In a demonstration nobody has a password, and those who are made up say yes as well. */
function isPresent({ kind, hasPassword, disabledAt }: Person, isMadeUp: boolean): boolean {
  if (disabledAt !== null || kind === "agent") return false;
  return isMadeUp || (kind === "human" && hasPassword);
}

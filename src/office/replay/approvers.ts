import type { Ledger } from "../../ledger/ledger.ts";
import { listPeople } from "../../ledger/people/people.ts";
import type { ReplayRecord } from "../../ledger/replay-record.ts";
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
  const people = await listPeople(ledger);
  const approvers = people
    .filter(
      ({ id, kind, hasPassword, disabledAt }) => id !== requestedBy && isPresent({ kind, hasPassword, disabledAt }),
    )
    .filter(({ roles }) => roles.some((role) => approverRoles.includes(role)))
    .map(({ id }) => id);
  // An office that nobody signs in to is one at a terminal: whoever is there says who they are.
  if (people.length === 0 || approvers.length >= approvalsNeeded) return { approvers, notices: [] };
  const { code, sentence, change } = describeReason({ code: "approval.nobody", roles: approverRoles });
  return { approvers, notices: [{ code, sentence, change }] };
}

function isPresent(person: {
  readonly kind: string;
  readonly hasPassword: boolean;
  readonly disabledAt: string | null;
}): boolean {
  return person.kind === "human" && person.hasPassword && person.disabledAt === null;
}

import { approveCommand } from "../../domain/approve-command.ts";
import type { ReasonCount } from "../../ledger/count-reasons.ts";
import type { HaltCause, ReplayState } from "../../ledger/replay-record.ts";
import type { ReplayCounts } from "./replay-counts.ts";

export interface ReplayStanding {
  readonly id: string;
  readonly state: ReplayState;
  readonly counts: ReplayCounts;
  readonly approvalHash: string;
  /** Codes of the risks that were accepted: whoever approves names them. */
  readonly risks: readonly string[];
  readonly reasons: readonly ReasonCount[];
  /** Which guard halted it. @default none */
  readonly guard?: HaltCause["guard"] | null;
  /** It needed no approval when it was planned, and needs one now. @default false */
  readonly mustAsk?: boolean;
}

export interface NextStep {
  /** Stable, for programs. */
  readonly code: string;
  /** For people. */
  readonly label: string;
  /** What to type; null where there is nothing to do. */
  readonly command: string | null;
}

/** The one thing to do next about a replay. Every door shows it. */
export function nextStepOf(standing: ReplayStanding): NextStep {
  return steps[standing.state](standing);
}

const nothing: NextStep = { code: "none", label: "nothing", command: null };

const steps: Readonly<Record<ReplayState, (standing: ReplayStanding) => NextStep>> = {
  planned: (standing) => ifSomethingGoes(standing, askFor),
  awaiting_approval: (standing) => ifSomethingGoes(standing, approveFirst),
  approved: (standing) =>
    ifSomethingGoes(
      standing,
      standing.mustAsk === true
        ? askFor
        : ({ id, counts }) => ({
            code: "run",
            label: "run it",
            command: `dlo replay run ${id} --expect-count ${counts.toSend}`,
          }),
    ),
  running: ({ id }) => ({ code: "watch", label: "watch it", command: `dlo replay watch ${id}` }),
  settling: ({ id }) => ({ code: "watch", label: "watch it", command: `dlo replay watch ${id}` }),
  paused: ({ id, counts }) =>
    counts.unknown > 0
      ? {
          code: "verify",
          label: "look whether what was sent worked",
          command: `dlo replay items ${id} --state unknown`,
        }
      : goOn({ id }),
  halted: (standing) => {
    if (standing.guard === "returns") return lookAtReturns(standing);
    return standing.guard === "approval" ? approveFirst(standing) : goOn(standing);
  },
  finished: afterwards,
  cancelled: afterwards,
  rejected: () => nothing,
  expired: ({ id }) => ({ code: "plan", label: "plan it again", command: `dlo replay show ${id}` }),
};

function approveFirst(waiting: ReplayStanding): NextStep {
  const command = `${approveCommand(waiting)} --as WHO`;
  return { code: "approve", label: "somebody else looks at it and approves", command };
}

function goOn({ id }: Pick<ReplayStanding, "id">): NextStep {
  return { code: "resume", label: "go on", command: `dlo replay resume ${id} --reason '…'` };
}

function lookAtReturns({ id }: Pick<ReplayStanding, "id">): NextStep {
  return {
    code: "look_at_returns",
    label: "look at what came back",
    command: `dlo replay items ${id} --state returned`,
  };
}

function askFor({ id }: ReplayStanding): NextStep {
  return { code: "ask", label: "ask", command: `dlo replay ask ${id} --reason '…'` };
}

/** A yes to nothing is of no use to anybody: first something has to go. */
function ifSomethingGoes(standing: ReplayStanding, step: (standing: ReplayStanding) => NextStep): NextStep {
  const { id, counts } = standing;
  if (counts.toSend > 0) return step(standing);
  if (counts.ackRequired === 0) {
    return { code: "look_at_reasons", label: "see why nothing goes", command: `dlo replay items ${id}` };
  }
  const command = `dlo replay items ${id} --decision ack_required`;
  return { code: "acknowledge", label: "look at what needs somebody's word", command };
}

function afterwards({ id, counts }: ReplayStanding): NextStep {
  if (counts.inDoubt > 0) {
    const command = `dlo replay items ${id} --state in_doubt`;
    return { code: "settle_doubt", label: "find out what became of those in doubt", command };
  }
  if (counts.sent === 0 && counts.selected > counts.skipped) {
    return { code: "look_at_reasons", label: "see why nothing went", command: `dlo replay items ${id}` };
  }
  return counts.returned === 0 ? nothing : lookAtReturns({ id });
}

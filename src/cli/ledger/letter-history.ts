import { isOffPlan } from "../../domain/off-plan.ts";
import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { columnsOf, table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { showDuration, showNumber, showShare } from "../terminal/units.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

export const lettersHistoryCommand = command({
  name: "letters history",
  summary: "what happened to one letter, in order: attempts, what it was taken for, replays, edits, tags",
  examples: [
    { line: "dlo letters history ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "from the first failure to this moment" },
  ],
  operand: { placeholder: "LETTER", about: "its id, ltr_…", required: true },
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const letter = await ask("letters.get", { id: operand ?? "" });
      const { edits } = await ask("edits.list", { id: letter.id });
      const items = historyOf(letter, edits);
      const { id, state, attemptLog } = letter;
      if (json) context.print(JSON.stringify({ id, state, attempts: attemptLog, items }));
      else context.print([...attemptTable(letter, context), eventTable(items, context)].join("\n"));
      context.note(`It is ${letter.state} now.`);
      return exit.done;
    });
  },
});

/** Every attempt that it tells of, run by run, with the replay between two runs. */
function attemptTable({ attemptLog, attempts, history }: Letter, { terminal, when }: Context): string[] {
  if (attemptLog.length === 0) return [];
  const rows = attemptLog.flatMap((attempt, index) => {
    const { n, at, host, outcome, run, replay } = attempt;
    const [consumer, code, error] = causeOf(attempt);
    const made = [
      n === null ? "" : String(n),
      at === null ? "" : when(at, "utc"),
      waitOf(attempt),
      consumer,
      host ?? "",
    ];
    const row = [...made, code, outcome.replace("_", " "), error].map(visible);
    if (replay === null || attemptLog[index - 1]?.run === run) return [row];
    const sent = history.find(({ kind, replay: by }) => kind === "sent" && by?.split("/")[0] === replay);
    return [
      ["", sent === undefined ? "" : when(sent.at, "utc"), "", "", "", "", "replayed", visible(`by ${replay}`)],
      row,
    ];
  });
  const missing = (attempts ?? 0) - attemptLog.length;
  const titles = ["ATTEMPT", "AT", "WAITED", "CONSUMER", "HOST", "CODE", "OUTCOME", "ERROR"];
  const told = `The letter tells of ${showNumber(attemptLog.length)} of its ${showCount(attempts ?? 0, "attempt")}.`;
  return [table(columnsOf(titles), rows, terminal), ...(missing > 0 ? [told] : []), ""];
}

/** The time since the attempt before, and what was planned where that is something else. */
function waitOf(attempt: Letter["attemptLog"][number]): string {
  const { waitedMs, waitMs } = attempt;
  if (waitedMs === null) return waitMs === null ? "" : `${showDuration(waitMs)} planned`;
  const planned = waitMs !== null && isOffPlan({ waitedMs, waitMs }) ? ` (planned ${showDuration(waitMs)})` : "";
  return showDuration(waitedMs) + planned;
}

/** Who ran it, with its version, and how it failed. */
function causeOf(attempt: Letter["attemptLog"][number]): [consumer: string, code: string, error: string] {
  const { consumer, version, process, errorCode, httpStatus, errorClass, errorMessage } = attempt;
  const who = `${consumer ?? ""}${version ? `@${version}` : ""}${process ? `#${process}` : ""}`;
  const code = [errorCode, httpStatus].filter((part) => part !== null).join(" ");
  return [who, code, [errorClass, errorMessage].filter((part) => part !== null).join(": ")];
}

function eventTable(items: readonly PastEvent[], { terminal, when }: Context): string {
  const rows = items.map(({ at, event, what }) => [when(at, "utc"), event, visible(what)]);
  return table(columnsOf(["AT", "EVENT", "WHAT"]), rows, terminal);
}

type Letter = Pick<
  OutputOf<"letters.get">,
  "attempts" | "attemptLog" | "arrivedAt" | "drainedFrom" | "classifications" | "history" | "decision" | "tagHistory"
>;
type Edit = Pick<OutputOf<"edits.list">["edits"][number], "at" | "by" | "reason" | "revision">;

export interface PastEvent {
  readonly at: string;
  readonly event: string;
  readonly what: string;
}

/** What happened since it was here, by time; of two things at once first what must have been first. */
export function historyOf(letter: Letter, edits: readonly Edit[]): readonly PastEvent[] {
  const events = [
    { at: letter.arrivedAt, event: "arrived", what: `from ${letter.drainedFrom}` },
    ...letter.history.map(({ at, kind, replay, errorClass, errorMessage }) => {
      const error = [errorClass, errorMessage].filter((part) => part !== null).join(": ");
      return { at, event: kind, what: [replay === null ? "" : `by ${replay}`, error].filter(Boolean).join(" · ") };
    }),
    ...letter.classifications.map(({ at, category, confidence, rule, why, by }) => {
      const who = by === null ? rule : `${rule}, by ${by}`;
      return { at, event: "classified", what: `${category}, ${showShare(confidence)} sure (${who}). ${why}` };
    }),
    ...decided(letter),
    ...letter.tagHistory.map(({ at, change, tags, by, reason, of }) => {
      const where = of === "group" ? " (its group)" : "";
      return { at, event: change, what: `${tags.join(", ")}${where} by ${by}${reason === null ? "" : `: ${reason}`}` };
    }),
    ...edits.map(({ at, by, reason, revision }) => ({
      at,
      event: "edited",
      what: `revision ${revision} by ${by}: ${reason}`,
    })),
  ];
  return events.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function decided({ decision }: Letter): readonly PastEvent[] {
  if (decision === null) return [];
  const { at, by, action, reason, reference } = decision;
  const words = [reason, reference].filter((part) => part !== null).join(" · ");
  return [{ at, event: inWords(action), what: `by ${by}${words === "" ? "" : `: ${words}`}` }];
}

/** `letters.given_back`: given back. */
function inWords(action: string): string {
  return action.replace("letters.", "").replaceAll("_", " ");
}

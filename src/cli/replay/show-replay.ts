import type { OutputOf } from "../../http/client.ts";
import type { Context } from "../command.ts";
import type { ShowMoment } from "../terminal/moments.ts";
import { visible, wrap } from "../terminal/text.ts";
import { showDuration, showNumber } from "../terminal/units.ts";

/** A replay as operations give it. */
export type ShownReplay = OutputOf<"replays.get">;

/** The replay with its counts, what stands in the way of each letter that does not go, and the one next step. */
export function drawReplay(replay: ShownReplay, { terminal, when }: Context): string {
  const { paint, columns } = terminal;
  return [
    `${paint("bold", replay.id)}  ${stateOf(replay)}  ${visible(replay.name)}`,
    ...facts(replay, when).map(([name, text]) => `  ${name.padEnd(labelWidth)}${text}`),
    ...replay.notices.flatMap(({ code, sentence, change }) => [
      "",
      ...drawNotice({ code, sentence, change }, columns, paint),
    ]),
    ...replay.reasons
      .filter(({ code, sentence }) => code !== "ready" || sentence !== nothingAgainst)
      .flatMap((reason) => ["", ...drawReason(reason, columns, paint), ...answering(replay, reason)]),
    ...(replay.brokeGlass ? ["", paint("red", glassLine(replay))] : []),
    ...(isUnheard(replay) ? ["", ...indentedBy(2, unheardLine(replay), columns)] : []),
    ...(replay.waitsFor === null ? [] : ["", ...indentedBy(2, waitLine(replay.waitsFor, when), columns)]),
    ...(replay.haltedBy === null ? [] : ["", paint("red", `Halted: ${visible(replay.haltedBy.sentence)}`)]),
    "",
    `Next: ${replay.nextStep.command ?? replay.nextStep.label}`,
  ].join("\n");
}

const labelWidth = 22;
/** A plan of a search may go to any number of queues. */
const placesNamed = 5;

/** Of a letter that just goes. More is said of one that is run more than once. */
const nothingAgainst = "Nothing speaks against it.";

export function stateOf({ state, verdict }: Pick<ShownReplay, "state" | "verdict">): string {
  return verdict === null ? state.replace("_", " ") : `${state} ${verdict}`;
}

function facts(replay: ShownReplay, when: ShowMoment): readonly (readonly [string, string])[] {
  const { counts, limits, planHash, policy } = replay;
  const frozen = `frozen ${when(replay.frozenAt, "utc")}, policy ${policy.hash.slice(0, 8)}, plan ${planHash.slice(0, 8)}`;
  const pace = `ramp ${[...limits.ramp, "rest"].join(" → ")}, at most ${limits.rate} a second`;
  const left = counts.skipped + counts.excluded + counts.drifted;
  return [
    ["selected", `${showNumber(counts.selected)}   ${frozen}`],
    [counts.sent > 0 ? "to send" : "will be sent", `${showNumber(counts.toSend)}   ${pace}`],
    ...replay.destinations
      .slice(0, placesNamed)
      .map(({ source, queue, n }) => ["", `${showNumber(n)} → ${visible(`${source}/${queue}`)}`] as const),
    ...(counts.ackRequired > 0 ? [["need somebody's word", showNumber(counts.ackRequired)] as const] : []),
    ...(left > 0 ? [["will not be sent", showNumber(left)] as const] : []),
    ...(counts.sent + counts.inDoubt > 0 ? [["sent", outcomes(replay)] as const] : []),
    ...(replay.arrivals === null ? [] : [["new arrivals", arrivalsLine(replay.arrivals)] as const]),
    ...replay.returns.map(({ was, became, n }) => ["came back", cameBack(was, became, n)] as const),
    ["approval", approvalOf(replay)],
    [
      "settles",
      `${showDuration(limits.settleS * 1_000)} after each step; stops above ${limits.haltReturns * 100} % returns`,
    ],
  ];
}

/** In its groups while it runs, and how to list them. */
export function arrivalsLine({ n, isAtLeast, q }: NonNullable<ShownReplay["arrivals"]>): string {
  const shown = `${isAtLeast ? "more than " : ""}${showNumber(n)} in these groups since start`;
  return n === 0 ? shown : `${shown}: dlo letters list -q ${q}`;
}

function cameBack(was: string, became: string, n: number): string {
  return was === became
    ? `${showNumber(n)} as ${became} again`
    : `${showNumber(n)}: originally ${was}, became ${became}`;
}

const outcomeNames = ["confirmed", "presumed", "suppressed", "returned", "unknown", "waiting"] as const;

/** `1,117 · 1,082 confirmed · 26 returned`; what is zero is left out. */
export function outcomes({ counts }: Pick<ShownReplay, "counts">): string {
  const parts = outcomeNames.filter((name) => counts[name] > 0).map((name) => `${showNumber(counts[name])} ${name}`);
  const doubt = counts.inDoubt > 0 ? [`${showNumber(counts.inDoubt)} in doubt`] : [];
  return [showNumber(counts.sent), ...parts, ...doubt].join(" · ");
}

function approvalOf({ approvalsNeeded, approverRoles, approvals, state, exemption }: ShownReplay): string {
  if (approvalsNeeded === 0) return ["not required", ...dayLeft(exemption)].join(": ");
  const said = approvals.map(
    ({ actor, verdict, counts }) =>
      `${verdict} by ${visible(actor)}${verdict === "approved" && !counts ? ", which counts no more" : ""}`,
  );
  const needed = `required: ${approvalsNeeded} besides whoever asks (${approverRoles.join(" or ")})`;
  return [...(said.length === 0 || state === "awaiting_approval" ? [needed] : []), ...said].join("; ");
}

/** What whoever planned it has left of their day, in each queue of it. */
function dayLeft(exemption: ShownReplay["exemption"]): readonly string[] {
  if (exemption === null || exemption.queues.length === 0) return [];
  const { person, queues } = exemption;
  const left = queues
    .slice(0, placesNamed)
    .map(({ queue, replayed, limit }) => `${showNumber(limit - replayed)} more letters of ${visible(queue)}`);
  return [`${visible(person ?? "whoever starts it")} may replay ${left.join(", ")} without approval today`];
}

type Reason = ShownReplay["reasons"][number];

const decisionWords: Readonly<Record<Reason["decision"], string>> = {
  replay: "goes",
  ack_required: "needs somebody's word",
  skip: "does not go",
  acknowledged: "goes, somebody answered for it",
  excluded: "was left out",
  drifted: "was left out when its turn came",
};

function drawReason(
  { decision, code, n, sentence, change }: Reason,
  columns: number,
  paint: Context["terminal"]["paint"],
) {
  return [
    `  ${showNumber(n)} ${paint("bold", code)}: ${decisionWords[decision]}`,
    ...[sentence, change].filter((text) => text !== "").flatMap((text) => indented(visible(text), columns)),
  ];
}

/** Risks are answered for by their code; what is over takes no answer. */
function answering({ id, state }: ShownReplay, { decision, code }: Reason): string[] {
  const takesWords = ["planned", "awaiting_approval", "approved"].includes(state);
  return decision === "ack_required" && takesWords
    ? [`      $ dlo replay acknowledge ${id} --code ${code} --reason '…'`]
    : [];
}

function drawNotice(
  { code, sentence, change }: ShownReplay["notices"][number],
  columns: number,
  paint: Context["terminal"]["paint"],
) {
  return [`  ${paint("bold", code)}`, ...[sentence, change].flatMap((text) => indented(visible(text), columns))];
}

function indented(text: string, columns: number): string[] {
  return indentedBy(6, text, columns);
}

function indentedBy(spaces: number, text: string, columns: number): string[] {
  return [...wrap(text, columns - spaces)].map((line) => " ".repeat(spaces) + line);
}

function isUnheard({ state, counts }: ShownReplay): boolean {
  return state === "paused" && counts.unknown > 0;
}

/** Why it waits, and that it is somebody's word that lets it go on. */
function unheardLine({ id, counts }: ShownReplay): string {
  return (
    `It waits: nobody reported what became of ${showNumber(counts.unknown)} that were sent. Look there yourself; if all is ` +
    `well, dlo replay resume ${id} --reason '…' sends the rest.`
  );
}

/** It is the broker's turn: nobody has to do anything, unless it stays away. */
function waitLine({ why, since }: NonNullable<ShownReplay["waitsFor"]>, when: ShowMoment): string {
  return `Waits since ${when(since, "utc")}: ${visible(why)}. It goes on when the broker answers, and halts after 15 minutes.`;
}

function glassLine({ approvals }: ShownReplay): string {
  const broken = approvals.find(({ brokeGlass }) => brokeGlass);
  return `Glass broken by ${visible(broken?.actor ?? "somebody")}: ${visible(broken?.reason ?? "")}`;
}

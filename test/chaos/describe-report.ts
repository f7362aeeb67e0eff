import { countBy } from "../simulation/oracle.ts";
import type { Innocent } from "./oracle.ts";
import type { ChaosReport } from "./run-chaos.ts";

/** Enough to see what is wrong; the rest is in the JSON. */
const shownIds = 10;

export function describeReport(report: ChaosReport & { readonly commit: string }): string {
  const { broker, seed, inbox } = report.options;
  const dead = Object.values(report.dead).reduce((sum, count) => sum + count, 0);
  return [
    row("broker", `${broker}, ${inbox ? "with" : "without"} an inbox`),
    row("seed, commit", `${seed}, ${report.commit}`),
    row("took", `${Math.round(report.tookMs / 1_000)} s`),
    row("consumers killed", `${report.killed}, ${report.stopped} of them stopped before`),
    row("  handlers cut", `${report.handlersCut}, ${report.suspectsCut} of them alone`),
    row("broker killed", report.serverKills),
    row("accepted", report.accepted),
    row("processed", report.processed),
    row("dead", dead),
    ...Object.entries(report.dead).map(([reason, count]) => row(`  ${reason}`, count)),
    row("lost", listed(report.lost)),
    row("unexpected", listed(report.unexpected)),
    row("unsettled", listed(report.unsettled)),
    row("effective duplicates", inbox ? listed(report.effectiveDuplicates) : "there is no inbox"),
    row("raw duplicates", `${report.rawDuplicates}, and ${report.suppressed} that the inbox suppressed`),
    row("innocent dead letters", innocents(report.innocents)),
    row(
      "ends of their own",
      listed(report.ownEnds.map(({ code, signal, complaint }) => `${signal ?? code} ${complaint}`)),
    ),
    report.passed ? "passed" : `FAILED. Again: ${commandOf(report)}`,
  ].join("\n");
}

function commandOf({ options }: ChaosReport): string {
  const { broker, kills, stops, serverKills, inbox, seed } = options;
  const numbers = `--kills ${kills} --stops ${stops} --server-kills ${serverKills}`;
  return `npm run chaos -- --broker ${broker} ${numbers}${inbox ? "" : " --no-inbox"} --seed "${seed}"`;
}

function row(name: string, value: string | number): string {
  return `${name.padEnd(24)}${value}`;
}

function listed(found: readonly string[]): string {
  if (found.length === 0) return "0";
  const rest = found.length > shownIds ? [`and ${found.length - shownIds} more`] : [];
  return [String(found.length), ...found.slice(0, shownIds), ...rest].join("\n    ");
}

function innocents(found: readonly Innocent[]): string {
  const reasons = [...countBy(found.map(({ reason }) => reason))].map(([reason, count]) => `${count} ${reason}`);
  const slow = found.map(({ workMs }) => workMs).sort((a, b) => a - b);
  const paid = found.filter(({ isPaid }) => isPaid).length;
  return found.length === 0
    ? "0"
    : `${reasons.join(", ")}; ${paid} paid all the same; handlers of ${slow.join(" ")} ms`;
}

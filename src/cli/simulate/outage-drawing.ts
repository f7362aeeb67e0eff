import type { OutageOptions, OutageResult } from "../../simulate/outage.ts";
import { type OutagePolicyName, outagePolicies } from "../../simulate/outage-policies.ts";
import type { Context } from "../command.ts";
import { sparkline } from "../terminal/columns.ts";
import { linePlot } from "../terminal/line-plot.ts";
import { type Column, table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { shownWidth, wrap } from "../terminal/text.ts";
import { showDuration, showNumber, showShare, showShortDuration } from "../terminal/units.ts";

/** One policy's result, under its name. */
export interface NamedResult extends OutageResult {
  readonly policy: OutagePolicyName;
}

type Scenario = Pick<OutageOptions, "rate" | "capacity" | "outageMs" | "horizonMs">;

/** What the last stretch of the run is described by. */
const endS = 30;

/** One policy: offered load and goodput over time, and in words what they mean. */
export function showOutage(result: NamedResult, options: OutageOptions, { print, terminal }: Context): void {
  print(overTime(result, options, terminal));
  print("");
  for (const finding of findings(result, options)) print(wrap(finding, terminal.columns).join("\n"));
}

/** All policies in one table, goodput over time as a line each. */
export function showOutages(results: readonly NamedResult[], scenario: Scenario, { print, terminal }: Context): void {
  const figures = results.map((result) => figuresOf(result, scenario, terminal));
  const room = terminal.columns - Math.max(...table(figureColumns, figures, terminal).split("\n").map(shownWidth)) - 2;
  const rows = results.map(({ series }, index) => {
    const goodput = series.map((second) => second.goodput);
    return [...(figures[index] ?? []), sparkline(goodput, room, scenario.capacity, terminal)];
  });
  print(table([...figureColumns, { title: "GOODPUT OVER TIME", align: "left" }], rows, terminal));
  print("");
  print(wrap(scenarioInWords(scenario), terminal.columns).join("\n"));
  for (const { policy } of results) print(`  ${policy.padEnd(15)} ${outagePolicies[policy].about}`);
}

const figureColumns: readonly Column[] = [
  { title: "POLICY", align: "left" },
  { title: "BACK", align: "left" },
  { title: "OFFERED/S", align: "right" },
  { title: "GOODPUT/S", align: "right" },
];

function figuresOf(result: NamedResult, { capacity }: Scenario, { paint }: Terminal): string[] {
  const { policy, recovered, recoveredAfterS, series } = result;
  const offered = meanAtEnd(series, "offered");
  const back = recovered
    ? `after ${showShortDuration(inMs(recoveredAfterS))}`
    : offered < capacity
      ? "not yet"
      : "never";
  return [
    policy,
    paint(recovered ? "green" : "red", back),
    showNumber(offered),
    showNumber(meanAtEnd(series, "goodput")),
  ];
}

function inMs(seconds: number | null): number {
  return (seconds ?? 0) * 1_000;
}

function scenarioInWords({ rate, capacity, outageMs, horizonMs }: Scenario): string {
  return (
    `${showNumber(rate)} requests a second, capacity ${showNumber(capacity)}/s, an outage of ${showDuration(outageMs)}; back is counted ` +
    `from its end, over ${showDuration(horizonMs)}. Offered and goodput are those of the last ${endS} s.`
  );
}

function overTime({ series, policy }: NamedResult, { capacity, outageMs }: OutageOptions, terminal: Terminal): string {
  return linePlot(
    {
      title: `${policy}: requests a second`,
      xUnit: "s",
      yScale: "linear",
      series: [
        { name: "offered", points: series.map(({ atS, offered }) => ({ x: atS, y: offered })) },
        { name: "goodput", points: series.map(({ atS, goodput }) => ({ x: atS, y: goodput })) },
      ],
      level: { name: "capacity", y: capacity },
      span: { name: "outage", from: 0, to: outageMs / 1_000 },
    },
    terminal,
  );
}

function findings({ recovered, recoveredAfterS, series }: NamedResult, options: OutageOptions): string[] {
  const { rate, capacity, horizonMs } = options;
  const offered = meanAtEnd(series, "offered");
  const goodput = `${showNumber(meanAtEnd(series, "goodput"))}/s`;
  const service = `${showNumber(offered)}/s are offered to a service good for ${showNumber(capacity)}/s`;
  if (rate > capacity) return [`${service}: it would fail without an outage, too.`];
  if (recovered)
    return [`Back ${showDuration(inMs(recoveredAfterS))} after the end of the outage, with goodput at ${goodput}.`];
  const notBack = `Not back ${showDuration(horizonMs)} after the outage began`;
  if (offered < capacity)
    return [`${notBack}, but on its way: ${service}, so the queue shrinks. A longer --horizon shows the end.`];
  return [
    `${notBack}, and nothing will change: ${service}, so the queue grows and answers come after their callers gave up ` +
      `(goodput ${goodput}).`,
    ...budgetRule(options),
  ];
}

/** The rule a budget must keep to let a service recover, with this scenario's numbers in it. */
function budgetRule({ budget, rate, capacity }: OutageOptions): string[] {
  if (budget.kind !== "share") return [];
  const { ratio, floorPerSecond } = budget;
  const load = rate * (1 + ratio) + floorPerSecond;
  if (load < capacity) return [];
  return [
    `A budget must leave load x (1 + share) + floor below the capacity: ${showNumber(rate)} x ${showNumber(1 + ratio, 2)} + ${showNumber(floorPerSecond)} = ` +
      `${showNumber(load)}/s is not below ${showNumber(capacity)}/s. Retries at ${showShare(ratio)} are too many for it.`,
  ];
}

function meanAtEnd(series: OutageResult["series"], figure: "offered" | "goodput"): number {
  const end = series.slice(-endS);
  return end.reduce((sum, second) => sum + second[figure], 0) / end.length;
}

import {
  type ContentionResult,
  type ContentionStrategy,
  contentionBounds,
  contentionStrategies,
  simulateContention,
} from "../../simulate/contention.ts";
import { inTurn } from "../../simulate/steps.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { choiceFlag, numberFlag, numbersFlag } from "../flags.ts";
import { bars } from "../terminal/bars.ts";
import { linePlot } from "../terminal/line-plot.ts";
import { table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrap } from "../terminal/text.ts";
import { showDecimal, showDuration, showNumber } from "../terminal/units.ts";
import { runPaced } from "./paced-run.ts";

export const simulateContentionCommand = command({
  name: "simulate contention",
  summary: "many clients change one row at once: how long until all are through, and at what cost",
  examples: [
    { line: "dlo simulate contention", about: "every strategy, with 50, 100 and 190 clients" },
    { line: "dlo simulate contention --trials 1000 --json", about: "figures steady to about 1 %, for a program" },
    { line: "dlo simulate contention --strategy full --clients 10,20,40,80,160", about: "how one strategy grows" },
  ],
  details: [
    "The experiment of the AWS Architecture Blog on backoff and jitter. Each client reads a row's version, then writes on " +
      "condition that the version has not changed; a message takes about 10 ms each way. Who comes too late backs off " +
      "(base 5 ms, cap 2 s) and starts again. Calls are the writes asked for, the failed ones included. Same seed, same figures.",
  ],
  flags: {
    clients: numbersFlag({
      about: "how many start at the same moment",
      default: [50, 100, 190],
      ...contentionBounds.clients,
    }),
    strategy: choiceFlag({ about: "how a client backs off", of: [...contentionStrategies, "all"], default: "all" }),
    trials: numberFlag({ about: "runs to take the mean of", default: 100, ...contentionBounds.trials }),
    seed: numberFlag({ about: "which dice", default: 1, ...contentionBounds.seed }),
  },

  async run({ clients, strategy, trials, seed, json }, context) {
    const strategies = strategy === "all" ? contentionStrategies : [strategy];
    const runs = strategies.flatMap((each) =>
      clients.map((count) => simulateContention({ strategy: each, clients: count, trials, seed })),
    );
    const results = await runPaced(inTurn(runs), context, `${showNumber(trials)} trials`);
    if (json) context.print(JSON.stringify(results));
    else show(results, strategies, clients, context);
    return exit.done;
  },
});

function show(
  results: readonly ContentionResult[],
  strategies: readonly ContentionStrategy[],
  clients: readonly number[],
  { print, note, terminal }: Context,
): void {
  print(resultTable(results, terminal));
  print("");
  print(clients.length > 1 ? linesByClients(results, strategies, terminal) : barsByStrategy(results, terminal));
  print("");
  for (const finding of findings(results)) print(wrap(finding, terminal.columns).join("\n"));
  note(`mean of ${showNumber(results[0]?.trials ?? 0)} trials, seed ${results[0]?.seed}`);
}

function resultTable(results: readonly ContentionResult[], terminal: Terminal): string {
  const rows = results.map(({ strategy, clients, meanMs, meanCalls }) => [
    strategy,
    showNumber(clients),
    showNumber(meanMs),
    showNumber(meanCalls),
    showDecimal(meanCalls / clients, 1),
  ]);
  return table(
    [
      { title: "STRATEGY", align: "left" },
      { title: "CLIENTS", align: "right" },
      { title: "ALL DONE AFTER MS", align: "right" },
      { title: "CALLS", align: "right" },
      { title: "CALLS A CLIENT", align: "right" },
    ],
    rows,
    terminal,
  );
}

type Figure = "meanMs" | "meanCalls";

function linesByClients(
  results: readonly ContentionResult[],
  strategies: readonly ContentionStrategy[],
  terminal: Terminal,
) {
  const plot = (title: string, figure: Figure) =>
    linePlot(
      {
        title,
        xUnit: "clients",
        yScale: "log",
        series: strategies.map((name) => ({
          name,
          points: results
            .filter(({ strategy }) => strategy === name)
            .map((result) => ({ x: result.clients, y: result[figure] }))
            .sort((left, right) => left.x - right.x),
        })),
      },
      terminal,
    );
  return [plot("Until all are done, ms (log scale)", "meanMs"), plot("Calls in all (log scale)", "meanCalls")].join(
    "\n\n",
  );
}

function barsByStrategy(results: readonly ContentionResult[], terminal: Terminal): string {
  const chart = (title: string, figure: Figure, unit: string) =>
    bars(
      title,
      results.map((result) => ({ name: result.strategy, value: result[figure] })),
      unit,
      terminal,
    );
  return [chart("Until all are done", "meanMs", "ms"), chart("Calls in all", "meanCalls", "calls")].join("\n\n");
}

/** In words, at the largest number of clients: who is first, who costs least. */
function findings(results: readonly ContentionResult[]): string[] {
  const most = Math.max(...results.map(({ clients }) => clients));
  const there = results.filter(({ clients }) => clients === most);
  if (there.length < 2) return [];
  const fastest = least(there, "meanMs");
  const cheapest = least(there, "meanCalls");
  const dearest = there.reduce((worst, next) => (next.meanCalls > worst.meanCalls ? next : worst));
  const times = showDecimal(dearest.meanCalls / cheapest.meanCalls, 1);
  return [
    `With ${showNumber(most)} clients "${fastest.strategy}" is done first, after ${showDuration(fastest.meanMs)} and ` +
      `${showNumber(fastest.meanCalls)} calls.`,
    `"${cheapest.strategy}" needs the fewest calls, ${showNumber(cheapest.meanCalls)}; "${dearest.strategy}" needs ` +
      `${times} times as many.`,
  ];
}

function least(results: readonly ContentionResult[], figure: Figure): ContentionResult {
  return results.reduce((best, next) => (next[figure] < best[figure] ? next : best));
}

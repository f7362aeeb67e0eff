import { durationMs } from "../../domain/duration.ts";
import { capacityFor } from "../../simulate/capacity.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { durationFlag, numberFlag, optional } from "../flags.ts";
import { table } from "../terminal/table.ts";
import { showNumber, showShortDuration } from "../terminal/units.ts";

/** Shown when nobody says how soon: from "now" to "by tomorrow". */
const usualTimes = ["5m", "15m", "1h", "4h", "1d"];

export const simulateCapacityCommand = command({
  name: "simulate capacity",
  summary: "how many handlers and consumers a queue and its backlog call for",
  examples: [
    {
      line: "dlo simulate capacity --arrivals 120 --handling 250ms --backlog 24000",
      about: "for several times in which the backlog is gone",
    },
    {
      line: "dlo simulate capacity --arrivals 120 --handling 250ms --backlog 24000 --within 10m --json",
      about: "one time, for a program",
    },
  ],
  details: [
    "Needed at once = arrivals a second x seconds a message, plus backlog x seconds a message / seconds to clear it. " +
      "Handlers beyond what the dependency behind them can take only make it slower: check that first.",
  ],
  flags: {
    arrivals: numberFlag({ about: "messages that arrive, a second", default: 10, min: 0, max: 1_000_000 }),
    handling: durationFlag({ about: "time a handler takes for one", default: "100ms", min: "0ms", max: "1d" }),
    backlog: numberFlag({ about: "messages waiting", default: 0, min: 0, max: 1_000_000_000 }),
    within: optional(
      durationFlag({ about: "when the backlog shall be gone", default: "1h", min: "1s", max: "30d" }),
      "several",
    ),
    "per-consumer": numberFlag({ about: "what one consumer handles at once", default: 10, min: 1, max: 100_000 }),
  },

  async run({ arrivals, handling, backlog, within, "per-consumer": perConsumer, json }, { print, terminal }) {
    const rows = capacityFor({
      load: { arrivalsPerSecond: arrivals, handlingMs: handling, backlog },
      perConsumer,
      clearWithinMs: within === null ? usualTimes.map(durationMs) : [within],
    });
    if (json) print(JSON.stringify(rows));
    else {
      const cells = rows.map((row) => [
        showShortDuration(row.clearWithinMs),
        showNumber(row.concurrency),
        showNumber(row.consumers),
      ]);
      const titles = ["BACKLOG GONE WITHIN", "HANDLERS AT ONCE", `CONSUMERS OF ${perConsumer}`];
      print(
        table(
          titles.map((title) => ({ title, align: "right" })),
          cells,
          terminal,
        ),
      );
    }
    return exit.done;
  },
});

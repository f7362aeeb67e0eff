import { durationMs } from "../../domain/duration.ts";
import { requireNumber, requireOneOf, requireOption } from "../../domain/options.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { choiceFlag, durationFlag, queryFlag, textFlag } from "../flags.ts";
import { type LedgerValues, ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { countedAtMost, type MeasureName, measureNames, measures } from "./measure.ts";
import {
  type Format,
  formats,
  levelOf,
  pluginCodes,
  pluginFailure,
  type Thresholds,
  type Verdict,
  writeVerdict,
} from "./verdict.ts";

export const checkCommand = command({
  name: "check",
  summary: "holds one figure of the office against what you can live with, for monitors and scripts",
  examples: [
    { line: "dlo check depth --warn 100 --crit 1000", about: "how many letters need a decision" },
    { line: "dlo check age -q 'queue:outbox' --warn 1d --crit 5d --format nagios", about: "for Nagios and its kind" },
    { line: "dlo check rate --within 10m --crit 50", about: "how many failed in the last ten minutes" },
    { line: "dlo check returns --crit 1", about: "whether anything came back after a replay" },
    { line: "dlo check drain --warn 1m --crit 10m", about: "whether dead-letter queues are drained" },
    { line: "dlo check depth -q queue:orders --format prometheus", about: "for a textfile collector" },
  ],
  details: [
    "A figure that reaches --crit is critical, one that reaches --warn a warning: the exit code is then 1, and 0 otherwise. With " +
      "--format nagios it is 0, 1, 2 or 3 as monitoring plugins have it, where 3 means that nothing could be found out.",
    "Ages and rates go by when letters failed, however late the office took them in.",
    "Letters of a search are counted up to 10,000; without a search depth counts all there are.",
  ],
  operand: { placeholder: measureNames.join("|"), of: measureNames, about: "what is checked", required: true },
  flags: {
    ...ledgerFlags,
    query: queryFlag("which letters; all without it"),
    warn: textFlag({ placeholder: "N|TIME", about: "a warning from here on; a time for age and drain" }),
    crit: textFlag({ placeholder: "N|TIME", about: "critical from here on" }),
    within: durationFlag({ about: "rate: how far back failures are counted", default: "1h", min: "1m", max: "30d" }),
    format: choiceFlag({ about: "how it is said", of: formats, default: "text" }),
  },

  failsAs(message, args) {
    return /(?:^| )--format[ =]nagios(?: |$)/.test(args.join(" ")) ? pluginFailure(message) : null;
  },

  async run({ operand, query, warn, crit, within, format, json, ...values }, context) {
    const wanted = { query, withinMs: within, now: context.clock.now() };
    const verdict = await judged(operand ?? "", { ...wanted, warn, crit, format }, values, context);
    context.print(writeVerdict(verdict, json ? "json" : format));
    if (format === "nagios" && !json) return pluginCodes[verdict.level];
    return verdict.level === "ok" ? exit.done : exit.failed;
  },
});

interface Asked {
  readonly query: string;
  readonly withinMs: number;
  readonly now: number;
  readonly warn: string;
  readonly crit: string;
  readonly format: Format;
}

async function judged(check: string, asked: Asked, values: LedgerValues, context: Context): Promise<Verdict> {
  requireOneOf("check", check, measureNames);
  const name = measureNames.find((each) => each === check) ?? "depth";
  const bounds = boundsOf(name, asked);
  const { query } = asked;
  return withOffice(values, context, async (work) => {
    const measured = await measures[name].take(work, asked);
    return { ...measured, ...bounds, check: name, query, level: levelOf(measured.value, bounds) };
  });
}

function boundsOf(check: MeasureName, { warn, crit, query, format }: Asked): Thresholds {
  const bounds = { warn: boundOf("--warn", warn, check), crit: boundOf("--crit", crit, check) };
  if (bounds.warn === null && bounds.crit === null && format !== "prometheus")
    throw new UsageError("missing_value", "Nothing could fail: give --warn, --crit, or both.");
  const isCut = measures[check].unit === "letters" && (check !== "depth" || query !== "");
  if (isCut && Math.max(bounds.warn ?? 0, bounds.crit ?? 0) > countedAtMost)
    throw new UsageError(
      "unexpected_value",
      "Letters of a search are counted up to 10,000: such a bound is never reached.",
    );
  return bounds;
}

function boundOf(option: string, text: string, check: MeasureName): number | null {
  if (text === "") return null;
  if (measures[check].unit === "seconds") {
    const ms = durationMs(text);
    requireOption(!Number.isNaN(ms), option, "a time, such as 10m, 1h or 5d", text);
    return ms / 1_000;
  }
  const n = /^\d+$/.test(text) ? Number(text) : text;
  requireNumber(option, n, { min: 0, max: 1e12, integer: true });
  return Number(n);
}

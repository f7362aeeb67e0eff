import { OfficeError } from "../../domain/errors.ts";
import { type Context, command } from "../command.ts";
import { count } from "../doctor/report.ts";
import { exit } from "../exit-codes.ts";
import { durationFlag, numberFlag, switchFlag } from "../flags.ts";
import { showDuration, showNumber } from "../terminal/units.ts";
import { type AtWork, ledgerFlags, withOffice } from "./ledger-flags.ts";
import { rateLine } from "./rate-line.ts";

export const drainCommand = command({
  name: "drain",
  summary: "takes the letters of a dead-letter queue into the ledger",
  examples: [
    { line: "dlo drain rabbit-eu/orders.dlq", about: "all there is, then ends" },
    { line: "dlo drain rabbit-eu/orders.dlq --follow", about: "and whatever comes, until Ctrl-C" },
    { line: "dlo drain kafka-eu/orders.DLT --json", about: "the figures at the end, for a program" },
  ],
  details: [
    "Letters are committed to the ledger first and acknowledged then: killed at any moment, a drain loses nothing, and " +
      "what it had committed is recognised when it comes again. Each letter is classified and grouped as it comes; one " +
      "that cannot be read is kept as it is, as unknown.",
    "Draining empties the broker's queue, so alarms on its depth go quiet. Sources stand in dlo.config.yaml.",
  ],
  operand: {
    placeholder: "SOURCE/QUEUE",
    about: "a source of the configuration, and its queue or topic",
    required: true,
  },
  flags: {
    ...ledgerFlags,
    follow: switchFlag("go on until Ctrl-C"),
    idle: durationFlag({ about: "end when nothing came for so long", default: "2s", min: "100ms", max: "1h" }),
    batch: numberFlag({ about: "letters committed at once", default: 500, min: 1, max: 10_000 }),
  },

  async run({ operand, json, follow, idle, batch, ...values }, context) {
    const { source, queue } = sourceAndQueue(operand ?? "");
    return withOffice(values, context, async (work) => {
      warn(work, context);
      const startedAt = context.clock.now();
      const figures = await drained(work, { source, queue, batch, idle, follow }, context);
      const tookMs = context.clock.now() - startedAt;
      if (json) context.print(JSON.stringify({ source, queue, ...figures, seconds: tookMs / 1_000 }));
      else context.print(summary(figures, tookMs));
      if (figures.held + figures.returned > 0) context.note("Next: dlo inbox");
      return exit.done;
    });
  },
});

interface Wanted {
  readonly source: string;
  readonly queue: string;
  readonly batch: number;
  readonly idle: number;
  readonly follow: boolean;
}

async function drained(work: AtWork, wanted: Wanted, context: Context): Promise<Figures> {
  const say = rateLine(context, "letters");
  const { here } = work;
  if (here === null) return drainedThere(work, wanted, context, say);
  const { source, queue, batch, idle, follow } = wanted;
  const { held, known, returned } = await here.drain({
    ...{ source, queue, actor: here.actor, signal: context.signal },
    tuning: { batch, idleMs: follow ? null : idle },
    onProgress: (progress) => say(progress.held + progress.known + progress.returned),
    onIncident: ({ kind, error }) => context.note(`${kind}${error instanceof Error ? `: ${error.message}` : ""}`),
  });
  return { held, known, returned };
}

/** A server drains a while at a time, and says each time what it took. */
async function drainedThere(
  { ask }: AtWork,
  { source, queue, batch, idle, follow }: Wanted,
  { signal }: Context,
  say: (sum: number) => void,
): Promise<Figures> {
  const sum = { held: 0, known: 0, returned: 0 };
  for (let isOver = false; !isOver && !signal.aborted; ) {
    const idleMs = Math.min(idle, longestIdleMs);
    const taken = await ask("queues.drain", { source, queue, batch, idleMs }).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (taken === null) break;
    for (const figure of ["held", "known", "returned"] as const) sum[figure] += taken[figure];
    say(sum.held + sum.known + sum.returned);
    isOver = taken.isCaughtUp && !follow;
  }
  return sum;
}

/** A server answers within seconds. */
const longestIdleMs = 10_000;

export function sourceAndQueue(operand: string): { readonly source: string; readonly queue: string } {
  const slash = operand.indexOf("/");
  if (slash > 0 && slash < operand.length - 1)
    return { source: operand.slice(0, slash), queue: operand.slice(slash + 1) };
  const source = operand.slice(0, slash === -1 ? undefined : slash) || "SOURCE";
  throw new OfficeError(
    "INVALID_OPTION",
    `\`${operand}\` must be a source and a queue, such as rabbit-eu/orders.dlq. ` +
      `\`dlo sources discover ${source}\` lists the dead-letter queues there.`,
  );
}

/** An embedded ledger is the only place that has the letters, once they are acknowledged. */
function warn({ here, place }: AtWork, { note }: Context): void {
  if (here?.isEmbedded)
    note(`The ledger is embedded, in ${place}: it survives a crash, not a power cut. --database URL for a PostgreSQL.`);
}

type Figures = Record<"held" | "known" | "returned", number>;

function summary({ held, known, returned }: Readonly<Figures>, tookMs: number): string {
  if (held + known + returned === 0) return `There was nothing to take. ${showDuration(tookMs)}.`;
  const rate = showNumber(((held + known + returned) / Math.max(1, tookMs)) * 1_000);
  const again = known === 0 ? "" : `, ${showNumber(known)} it had already`;
  const back = returned === 0 ? "" : `, ${showNumber(returned)} came back after a replay`;
  return `${count(held, "letter")} taken into the ledger${back}${again}. ${showDuration(tookMs)}, ${rate} a second.`;
}

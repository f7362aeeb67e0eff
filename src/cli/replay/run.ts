import { pause } from "../../domain/clock.ts";
import { showRemaining } from "../../domain/duration.ts";
import { readId } from "../../domain/ids.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { numberFlag, optional, switchFlag } from "../flags.ts";
import { type AtWork, ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { visible } from "../terminal/text.ts";
import { replayIn } from "./look.ts";
import { arrivalsLine, drawReplay, outcomes, type ShownReplay } from "./show-replay.ts";

const example = "rpl_01JCQ8ZK4M6T8V0X2Z4B6D8F0H";

export const replayRunCommand = command({
  name: "replay run",
  summary: "sends what was approved, step by step, and follows it to its end",
  examples: [
    { line: `dlo replay run ${example} --expect-count 1117`, about: "the number is what you believe it sends" },
    { line: `dlo replay run ${example}`, about: "goes on with one that was interrupted" },
  ],
  details: [
    "This process sends, reads what consumers report, and takes in what comes back, until all is settled. Ctrl-C ends it after " +
      "what is in flight; run it again, here or elsewhere, and it goes on where it was. What a crash left in flight is in " +
      "doubt, and is never sent again by itself.",
    "While another process leads it, this one follows, and takes over when the other is gone. Where a server is asked, the " +
      "server sends, and Ctrl-C only ends the watching.",
    "Exit code 6: none of its letters was sent, since something speaks against each by now. 7: letters came back, or the result is " +
      "inconclusive. 8: it waits for approval or is paused.",
  ],
  operand: replayIn("approved", "running", "paused", "settling"),
  flags: {
    ...ledgerFlags,
    "expect-count": optional(
      numberFlag({ about: "how many it sends; needed to start it", default: 0, min: 0, max: 1e9 }),
      "none",
    ),
    "allow-fewer": switchFlag("fewer will do, if some were resolved elsewhere"),
  },

  async run({ operand, json, "expect-count": expectCount, "allow-fewer": allowFewer, ...values }, context) {
    const id = operand ?? "";
    return withOffice(values, context, async (work) => {
      const { ask } = work;
      const before = await ask("replays.get", { id });
      if (before.state === "awaiting_approval" || before.state === "planned") return notStarted(before, json, context);
      if (before.state === "approved") {
        if (expectCount === null) throw countMissing(before);
        await ask("replays.start", { id, expectCount, allowFewer });
      }
      if (work.here === null) return watched(work, id, json, context);
      const end = await runUntilOver(work, work.here, id, context);
      const after = await ask("replays.get", { id });
      if (end === "stopped") context.note(`Stopped. It goes on with: dlo replay run ${id}`);
      return ended(after, json, context);
    });
  },
});

export const replayWatchCommand = command({
  name: "replay watch",
  summary: "follows a replay that another process runs, until it ends",
  examples: [{ line: `dlo replay watch ${example}`, about: "0 clean, 6 nothing sent, 7 with returns or inconclusive" }],
  operand: replayIn("running", "settling"),
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    const id = operand ?? "";
    return withOffice(values, context, (work) => watched(work, id, json, context));
  },
});

/** Until it ends, or Ctrl-C: then it goes on wherever it runs, and how to come back is said. */
async function watched({ ask }: AtWork, id: string, json: boolean, context: Context): Promise<number> {
  const say = progressLine(context);
  let replay = await ask("replays.get", { id });
  while (replay.state === "running" || replay.state === "settling") {
    say(replay);
    await pause(context.clock, watchEveryMs, context.signal);
    if (context.signal.aborted) return detached(replay, json, context);
    replay = await ask("replays.get", { id });
  }
  return ended(replay, json, context);
}

function detached(replay: ShownReplay, json: boolean, { print, note }: Context): number {
  if (json) print(JSON.stringify(replay));
  note("Detached. The replay goes on where it runs.");
  note(`  watch again: dlo replay watch ${replay.id}      stop: dlo replay pause ${replay.id}`);
  return exit.interrupted;
}

const watchEveryMs = 1_000;

async function runUntilOver(work: AtWork, here: NonNullable<AtWork["here"]>, id: string, context: Context) {
  const over = new AbortController();
  const watching = follow(work, id, { ...context, signal: over.signal });
  try {
    return await leadOrWait(here, work.ask, id, context);
  } finally {
    over.abort();
    await watching;
  }
}

/** One process leads and the others wait: when the leader is gone, whoever comes first goes on. */
async function leadOrWait(
  { runReplay, actor }: NonNullable<AtWork["here"]>,
  ask: AtWork["ask"],
  id: string,
  { clock, signal, note }: Context,
) {
  const run = () => runReplay({ replay: readId("replay", id), actor, signal });
  let end = await whileItWaits(run);
  if (end === "led elsewhere") note("Another process leads it. This one follows, and takes over if that one is gone.");
  while (end === "led elsewhere" && !signal.aborted) {
    await pause(clock, watchEveryMs, signal);
    end = await whileItWaits(run);
  }
  return end;

  /** A broker that is away is what the replay says that it waits for: it is led again until that is over. */
  async function whileItWaits<End>(lead: () => Promise<End>): Promise<End> {
    for (;;) {
      try {
        return await lead();
      } catch (error) {
        const { waitsFor } = await ask("replays.get", { id });
        if (waitsFor === null || signal.aborted) throw error;
        await pause(clock, watchEveryMs, signal);
      }
    }
  }
}

async function follow({ ask }: AtWork, id: string, context: Context): Promise<void> {
  const say = progressLine(context);
  while (!context.signal.aborted) {
    await pause(context.clock, watchEveryMs, context.signal);
    if (!context.signal.aborted) say(await ask("replays.get", { id }));
  }
}

/** A line whenever something has moved. */
function progressLine({ note }: Context): (replay: ShownReplay) => void {
  let said = "";
  return (replay) => {
    const line = `${replay.counts.sent + replay.counts.inDoubt} of ${replay.counts.toSend} sent: ${outcomes(replay)}${arrivalWords(replay)}${waitWords(replay)}`;
    if (line !== said) note(`${line}${paceWords(replay)}`);
    said = line;
  };
}

/** What still fails meanwhile; empty while nothing does. */
function arrivalWords({ arrivals }: ShownReplay): string {
  return arrivals === null || arrivals.n === 0 ? "" : ` · new arrivals: ${arrivalsLine(arrivals)}`;
}

/** The broker that nothing goes without; empty while that answers. */
function waitWords({ waitsFor }: ShownReplay): string {
  return waitsFor === null ? "" : ` · waits: ${visible(waitsFor.why)}`;
}

/** ` · 18.2/s · at most 6m to go`; empty while nothing is under way. */
function paceWords({ pace }: ShownReplay): string {
  return pace === null
    ? ""
    : ` · ${pace.perSecond.toFixed(1)}/s · at most ${showRemaining(pace.remainingS * 1_000)} to go`;
}

function countMissing({ id, counts }: ShownReplay): UsageError {
  const hint = `If it is what you expect: dlo replay run ${id} --expect-count ${counts.toSend}`;
  return new UsageError("missing_value", `Say how many letters it sends: this one sends ${counts.toSend}.`, hint);
}

function notStarted(replay: ShownReplay, json: boolean, context: Context): number {
  if (json) context.print(JSON.stringify(replay));
  context.note(`Not started: ${replay.id} is ${replay.state.replace("_", " ")}.`);
  context.note(`Next: ${replay.nextStep.command ?? replay.nextStep.label}`);
  return exit.pending;
}

function ended(replay: ShownReplay, json: boolean, context: Context): number {
  context.print(json ? JSON.stringify(replay) : drawReplay(replay, context));
  return codes[replay.state](replay);
}

const pending = () => exit.pending;
const failed = () => exit.failed;

const codes: Readonly<Record<ShownReplay["state"], (replay: ShownReplay) => number>> = {
  ...{ planned: pending, awaiting_approval: pending, approved: pending },
  ...{ running: pending, paused: pending, settling: pending },
  ...{ halted: () => exit.returned, cancelled: failed, rejected: () => exit.blocked, expired: () => exit.conflict },
  finished: ({ verdict }) => (verdict === null ? exit.returned : verdictCodes[verdict]),
};

const verdictCodes: Readonly<Record<NonNullable<ShownReplay["verdict"]>, number>> = {
  clean: exit.done,
  "presumed clean": exit.done,
  // Every letter was taken or changed by others: the plan is not what whoever started it believes.
  "nothing sent": exit.conflict,
  inconclusive: exit.returned,
  "with returns": exit.returned,
};

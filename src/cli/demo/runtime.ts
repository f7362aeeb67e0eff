import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { durationFlag, numberFlag, optional, switchFlag } from "../flags.ts";
import { stopSignal } from "../stop-signal.ts";
import { tellInJson, tellPlainly } from "./in-lines.ts";
import { tellInPictures } from "./in-pictures.ts";
import { ownWindow } from "./own-window.ts";
import type { Telling } from "./play.ts";

export const demoRuntimeCommand = command({
  name: "demo runtime",
  inLines: true,
  summary: "the runtime alone, at work in the terminal: retries, a breaker, poison, dead letters, duplicates",
  examples: [
    { line: "dlo demo runtime", about: "a story of about a minute, drawn in the terminal; q ends it" },
    { line: "dlo demo runtime --plain --speed 10", about: "the same, line by line and in a few seconds" },
    {
      line: "dlo demo runtime --json --speed 100 | jq -c 'select(.type == \"retried\")'",
      about: "everything the runtime reports",
    },
  ],
  details: [
    "A shop in one process: checkout sends orders to a queue of the in-process transport, a consumer takes them and " +
      "charges the customer at payments, which fails on cue. Queue, consumer, breaker, budget, inbox and dead letters are " +
      "the library's own; only checkout, payments and the clock are made up. Same seed, same story, at any speed.",
    "In the end every message that was sent is looked for, in all queues and in payments' books: what is found nowhere " +
      "is lost, and the exit code is 1 if anything is.",
    "With --json each line of stdout is a JSON document: the acts, the runtime's events, and a summary at the end.",
  ],
  flags: {
    seed: numberFlag({ about: "which dice", default: 1, min: 0, max: 4_294_967_295, integer: true }),
    speed: numberFlag({ about: "seconds of the story to a second", default: 1, min: 0.1, max: 100 }),
    duration: optional(
      durationFlag({ about: "how much of the story to play", default: "90s", min: "100ms", max: "10m" }),
      "all of it",
    ),
    plain: switchFlag("line by line instead of a picture, as into a pipe"),
  },

  async run({ seed, speed, duration, plain, json }, context) {
    const signal = stopSignal(context.signal);
    const telling: Telling = { seed, speed, endAtMs: duration ?? Number.POSITIVE_INFINITY, signal };
    const drawable = context.terminal.interactive && context.env.TERM !== "dumb";
    const ending = json
      ? await tellInJson(telling, context)
      : plain || !drawable
        ? await tellPlainly(telling, context)
        : await tellInPictures(telling, context, ownWindow);
    return ending.lost === 0 ? exit.done : exit.failed;
  },
});

import { once } from "node:events";
import type { OpenedDemo } from "../../demo/shop/open-demo.ts";
import { systemHost } from "../../system/host.ts";
import { type Context, command } from "../command.ts";
import { demoFolder } from "../connection/user-files.ts";
import { exit } from "../exit-codes.ts";
import { numberFlag, textFlag } from "../flags.ts";
import { serveOffice } from "../server/serve-office.ts";
import { stopSignal } from "../stop-signal.ts";
import { type BesideDemo, besideDemo } from "./own-office.ts";

export const demoCommand = command({
  name: "demo",
  summary: "the whole office, live in the browser, in a made-up shop on a bad night",
  examples: [
    { line: "dlo demo", about: "at http://127.0.0.1:7717; each start begins the same night again" },
    { line: "dlo demo --listen 127.0.0.1:8080", about: "elsewhere on this machine" },
    { line: "dlo demo runtime", about: "the runtime alone, drawn in the terminal" },
  ],
  details: [
    "A shop in one process: services on the real runtime, over a broker in this process and one on the embedded " +
      "PostgreSQL; its dead letters are drained, sorted and sent back by the real office. Only the customers, the bank and " +
      "two of the people are made up. It works offline, and nothing leaves this machine.",
    "Within ten minutes: an outage behind a breaker that opens and closes, a bank whose orders may go back once it answers, " +
      "messages that wait for a deploy (minute 6), a bug that is fixed (minute 8), decisions only a person can make, " +
      "and letters that come back. What you ask for is approved after 20 s by ops-2, a bot.",
    "Whoever opens it on this machine is signed in, without a password. Its ledger is its own, in the folder demo of your " +
      "data folder, and never takes a letter from a real broker. `dlo up` is the office for those; *Connect a real source* " +
      "opens it beside the demonstration, on its own ledger, at the next free port.",
    "Commands typed beside it, such as those its pages show, ask it too: from a folder without a dlo.config.yaml, and unless an office of " +
      "yours runs here or another is named.",
  ],
  flags: {
    listen: textFlag({ placeholder: "ADDRESS:PORT", about: "where, on this machine; else 127.0.0.1:7717" }),
    seed: numberFlag({ about: "which dice", default: 1, min: 0, max: 4_294_967_295, integer: true }),
  },

  async run({ listen, seed, json }, context) {
    const signal = stopSignal(context.signal);
    const beside = besideDemo(context);
    for (let round = 1; !signal.aborted; round++) {
      context.note(round === 1 ? "Making up a bad night …" : "Beginning again …");
      const demo = await openDemo(seed, context);
      try {
        await show(demo, { listen, json, signal, round, beside }, context);
      } finally {
        await demo.close();
      }
    }
    await beside.close();
    return exit.done;
  },
});

async function openDemo(seed: number, { env, version, note }: Context): Promise<OpenedDemo> {
  const { openDemo: open } = await import("../../demo/shop/open-demo.ts");
  return open({ folder: demoFolder(env), version, seed, host: systemHost, say: note });
}

interface Showing {
  readonly listen: string;
  readonly json: boolean;
  readonly signal: AbortSignal;
  /** From 1; each reset begins another. */
  readonly round: number;
  /** For real brokers, on a ledger of its own; it outlives every round. */
  readonly beside: BesideDemo;
}

/** Until somebody resets it, or ends the process. */
async function show(
  { office }: OpenedDemo,
  { listen, json, signal, round, beside }: Showing,
  context: Context,
): Promise<void> {
  const over = new AbortController();
  const { visitor } = await import("../../demo/shop/cast.ts");
  const demo = { visitor: visitor.id, reset: () => over.abort(), connect: () => beside.open() };
  const serving = await serveOffice(office, { listen, demo }, context);
  office.announce(serving.url);
  try {
    if (round === 1) announce(serving.url, json, context);
    if (!serving.hasPages) context.note("The web UI is not built here, so there is only the API: npm run build.");
    const either = AbortSignal.any([signal, over.signal]);
    if (!either.aborted) await once(either, "abort");
  } finally {
    await serving.close();
  }
}

function announce(url: string, json: boolean, { print, note }: Context): void {
  if (json) print(JSON.stringify({ url }));
  else
    print(
      `\nThe demonstration is at\n\n  ${url}\n\nOpen it in a browser: you are signed in by that. Ctrl-C ends it.\n`,
    );
  note("What happens there meanwhile:");
}

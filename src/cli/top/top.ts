import { command } from "../command.ts";
import { ownWindow } from "../demo/own-window.ts";
import { exit } from "../exit-codes.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { drawTop } from "./draw-top.ts";
import { showLive } from "./live-top.ts";
import { look } from "./look.ts";

/** Of what is printed once, where there is no window to fill. */
const printedRows = 40;

export const topCommand = command({
  name: "top",
  summary: "the inbox and what runs, live, all over the terminal",
  examples: [
    { line: "dlo top", about: "j and k choose, Enter looks, r leads to a plan, q ends it" },
    { line: "dlo top --json", about: "the same of one moment, for a program" },
  ],
  details: ["It looks again every two seconds. No key of it sends or decides anything: r only says how to plan."],
  flags: ledgerFlags,

  async run({ json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const { print, terminal, env } = context;
      if (json) print(JSON.stringify(await look(work)));
      else if (terminal.interactive && env.TERM !== "dumb") {
        const planned = await showLive(work, context, ownWindow);
        if (planned !== null) print(`dlo replay plan -q group:${planned}`);
      } else {
        const frame = { look: await look(work), chosen: null, detail: null, trouble: null };
        const lines = drawTop(frame, { columns: terminal.columns, rows: printedRows }, terminal);
        print(
          lines
            .map((line) => line.trimEnd())
            .filter((line) => line !== "")
            .join("\n"),
        );
      }
      return exit.done;
    });
  },
});

import { showCount } from "../../domain/show-count.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { switchFlag } from "../flags.ts";
import { ledgerFlags, settingsOf } from "../ledger/ledger-flags.ts";

const { database, config } = ledgerFlags;

export const migrateCommand = command({
  name: "migrate",
  summary: "makes the tables of the ledger, or brings them up to date",
  examples: [
    { line: "dlo migrate --database postgres://owner@localhost/dlo", about: "as a step of a deploy, before dlo up" },
    { line: "dlo migrate --dry-run", about: "what it would do; exits with 8 if that is anything" },
  ],
  details: [
    "`dlo up` does the same when it starts, so this is for a role that may change tables where the office's own may not, and for " +
      "choosing the hour: on a large ledger an index takes seconds for each million letters, and what uses its table waits.",
    "Offices that run go on. A migration that takes something away is refused while an older one runs. All of them are taken, or " +
      "none.",
  ],
  flags: { database, config, "dry-run": switchFlag("only says what it would do") },

  async run({ json, "dry-run": isDry, ...values }, context) {
    const { migrateLedger } = await import("../../compose.ts");
    const { place, migrations } = await migrateLedger(settingsOf(values, context), { isDry });
    if (json) context.print(JSON.stringify({ ledger: place, isDry, migrations }));
    else for (const name of migrations) context.print(name);
    context.note(sumOf(migrations.length, isDry, place));
    return isDry && migrations.length > 0 ? exit.pending : exit.done;
  },
});

function sumOf(count: number, isDry: boolean, place: string): string {
  if (count === 0) return `The ledger is up to date: ${place}.`;
  return `${showCount(count, "migration")} ${isDry ? "to take" : "taken"}: ${place}.`;
}

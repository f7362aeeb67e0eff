import { showCount } from "../../domain/show-count.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { switchFlag } from "../flags.ts";
import { ledgerFlags, officeAt } from "../ledger/ledger-flags.ts";
import { showNumber } from "../terminal/units.ts";
import { readLines, writeLines } from "./backup-file.ts";

const { database, config, as } = ledgerFlags;

export const backupCommand = command({
  name: "backup",
  summary: "the whole ledger in one file, as it is at one moment",
  examples: [{ line: "dlo backup office.backup", about: "a file that only you can read; none is written over" }],
  details: [
    "Letters are in it with their bodies as they came, unmasked: keep it as you keep your database. Sessions, tokens and keys are " +
      "not in it. An embedded ledger is backed up while no office has it open; one on PostgreSQL at any time.",
  ],
  operand: { placeholder: "FILE", about: "where to; it must not be there yet", required: true },
  flags: {
    database,
    config,
    "without-bodies": switchFlag(
      "go on without large bodies that cannot be read, and say how many; else it is refused",
    ),
  },

  async run({ operand, json, "without-bodies": withoutBodies, ...values }, context) {
    const file = operand ?? "";
    const office = await officeAt(values, context);
    try {
      const made = await writeLines(file, (write) => office.backup({ write, withoutBodies }));
      const { lines, missingBodies } = made;
      if (json) context.print(JSON.stringify({ file, ...made }));
      else context.print(`${showCount(lines, "line")} in ${file}. Bodies in it are unmasked.`);
      if (missingBodies > 0)
        context.note(`${showCount(missingBodies, "large body", "large bodies")} could not be read: not in it.`);
      return exit.done;
    } finally {
      await office.close();
    }
  },
});

export const restoreCommand = command({
  name: "restore",
  summary: "fills an empty ledger from a backup",
  examples: [
    { line: "dlo restore office.backup --database postgres://localhost/dlo_new", about: "into a new database" },
    { line: "dlo restore office.backup", about: "into the data folder, if there is no ledger yet" },
  ],
  details: [
    "Replays that were under way come back halted, and go on only when somebody resumes them. Letters that were open when the " +
      "backup was made may have been sent since: sending them needs somebody's word. Everybody signs in anew, and tokens are made " +
      "anew. Letters that were drained after the backup are not in it.",
  ],
  operand: { placeholder: "FILE", about: "a file of `dlo backup`", required: true },
  flags: { database, config, as },

  async run({ operand, json, as: name, ...values }, context) {
    const office = await officeAt(values, context);
    try {
      const actor = { id: name || context.env.USER || "somebody", kind: "human", roles: ["admin"] } as const;
      const restored = await office.restore(actor, readLines(operand ?? ""));
      const { rows, backupAt, halted } = restored;
      const replays = showCount(halted, "replay is", "replays are");
      if (json) context.print(JSON.stringify(restored));
      else context.print(`${showNumber(rows)} rows restored, as of ${backupAt}. ${replays} halted.`);
      context.note("Letters that were drained after the backup are not in it. Everybody signs in anew.");
      return exit.done;
    } finally {
      await office.close();
    }
  },
});

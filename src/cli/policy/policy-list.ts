import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { columnsOf, table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { visible, wrap } from "../terminal/text.ts";
import { showNumber, showShare } from "../terminal/units.ts";

export const policyListCommand = command({
  name: "policy list",
  summary: "what the policy in force allows with letters of each category",
  examples: [{ line: "dlo policy list", about: "in one table; `dlo policy show transient` says all of one" }],
  details: ["Overrides of the policy may allow less, or more, to some letters: a plan says what holds for each."],
  flags: ledgerFlags,

  async run({ json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const { version, items: found } = await ask("policy.protocols", {});
      const items = found.map(({ category, protocol }) => ({ category, ...protocol }));
      if (json) context.print(JSON.stringify({ version, items }));
      else context.print(table(columns, items.map(rowOf), context.terminal));
      context.note(version === null ? "The default policy: nobody applied one." : `Version ${version}.`);
      return exit.done;
    });
  },
});

const columns = columnsOf(["CATEGORY", "REPLAY", "APPROVALS", "RATE", "AT MOST", "STOPS AT"], ["RATE"]);

type Said = OutputOf<"policy.protocols">["items"][number];

function rowOf({ category, allows, approvals, rate, maxReplays, halt }: Said["protocol"] & Pick<Said, "category">) {
  if (allows === "never") return [category, "never"];
  const free =
    approvals.exemptUpTo === 0 ? "" : `, none up to ${approvals.exemptUpTo} (${approvals.exemptPerDay} a day)`;
  return [
    ...[category, allows === "bulk" ? "in bulk" : "one by one", `${approvals.n}${free}`, `${showNumber(rate)}/s`],
    ...[showCount(maxReplays, "time"), `${showShare(halt.returns)} returns`],
  ];
}

/** What holds for one category, in words; then by parameter, and where an override has another say. */
export function protocolInLines({ category, sentences, parameters, overrides }: Said, terminal: Terminal): string {
  const words = sentences.flatMap((sentence) => wrap(sentence, terminal.columns));
  const rows = parameters.map(({ key, value, line }) => [
    key,
    visible(value),
    line === null ? "built in" : `line ${line}`,
  ]);
  const others = overrides.flatMap(({ name, when, line, changes }) => [
    "",
    `${visible(name)}${line === null ? "" : ` (line ${line})`}, where ${visible(when)}`,
    ...changes.map((change) => `  ${visible(change)}`),
  ]);
  const listed = rows.length === 0 ? [] : ["", table(columnsOf(["PARAMETER", "VALUE", "FROM"]), rows, terminal)];
  return [terminal.paint("bold", category), ...words, ...listed, ...others].join("\n");
}

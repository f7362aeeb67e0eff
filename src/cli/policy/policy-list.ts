import { type Category, categories } from "../../domain/classification.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { parsePolicy } from "../../policy-file/policy-file.ts";
import { protocolOf } from "../../policy-file/protocol-for.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { type AtWork, ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { columnsOf, table } from "../terminal/table.ts";
import { showDuration, showNumber, showShare } from "../terminal/units.ts";

export const policyListCommand = command({
  name: "policy list",
  summary: "what the policy in force allows with letters of each category",
  examples: [{ line: "dlo policy list", about: "in one table; `dlo policy show transient` says all of one" }],
  details: ["Overrides of the policy may allow less, or more, to some letters: a plan says what holds for each."],
  flags: ledgerFlags,

  async run({ json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const { version, protocols } = await protocolsInForce(work);
      const items = categories.map((category) => ({ category, ...protocols[category] }));
      if (json) context.print(JSON.stringify({ version, items }));
      else context.print(table(columns, items.map(rowOf), context.terminal));
      context.note(version === null ? "The default policy: nobody applied one." : `Version ${version}.`);
      return exit.done;
    });
  },
});

/** The protocol of every category, as the policy that holds has it. */
export async function protocolsInForce({ ask }: AtWork) {
  const { version, text } = await ask("policy.get", {});
  const policy = parsePolicy(text, version === null ? "the default policy" : `policy version ${version}`);
  const pairs = categories.map((category) => [category, protocolOf(policy, category)] as const);
  return { version, protocols: Object.fromEntries(pairs) as Record<Category, Protocol> };
}

const columns = columnsOf(["CATEGORY", "REPLAY", "APPROVALS", "RATE", "AT MOST", "STOPS AT"], ["RATE"]);

function rowOf({ category, allows, approvals, rate, maxReplays, halt }: Protocol & { readonly category: Category }) {
  if (allows === "never") return [category, "never"];
  const free = approvals.exemptUpTo === 0 ? "" : `, none up to ${approvals.exemptUpTo}`;
  return [
    ...[category, allows === "bulk" ? "in bulk" : "one by one", `${approvals.n}${free}`, `${showNumber(rate)}/s`],
    ...[`${maxReplays} times`, `${showShare(halt.returns)} returns`],
  ];
}

/** All that a protocol says, a fact a line. */
export function protocolInLines(category: Category, protocol: Protocol): readonly string[] {
  const { allows, rate, batch, ramp, onUnknown, maxReplays, settleS, halt, approvals, auto, probe, health, gates } =
    protocol;
  const facts: readonly (readonly [string, string])[] = [
    ["replay", { bulk: "in bulk", single: "one letter at a time", never: "never" }[allows]],
    ["by itself", auto ? "yes, once the cause is seen to be gone" : "no"],
    ["approvals", `${approvals.n} of ${approvals.roles.join(" or ")}, none up to ${approvals.exemptUpTo} letters`],
    ["expires", `a plan and its approval, after ${showDuration(approvals.expiresS * 1_000)}`],
    [
      "gates",
      `opened by deploys that were recorded${gates.trust === "recorded" ? ", by nothing else" : " or that consumers report"}`,
    ],
    ["pace", `${[...ramp, "rest"].join(" → ")}, ${showNumber(rate)} a second, ${showNumber(batch)} at once`],
    ["settles", `${showDuration(settleS * 1_000)} after each step; without an answer it will ${onUnknown}`],
    ["stops", `at ${showShare(halt.returns)} returns${halt.lag === null ? "" : `, or ${showNumber(halt.lag)} behind`}`],
    ["at most", `${maxReplays} replays of a letter`],
    ["probe", probe?.url ?? "none"],
    ["health", health.join(", ") || "none"],
  ];
  return [
    category,
    ...(allows === "never" ? facts.slice(0, 1) : facts).map(([name, text]) => `  ${name.padEnd(11)}${text}`),
  ];
}

import { OfficeError } from "../../domain/errors.ts";
import type { SignInCheck, SignInReport } from "../../domain/sign-in-check.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { ledgerFlags, settingsOf } from "../ledger/ledger-flags.ts";
import type { Terminal, Tone } from "../terminal/terminal.ts";
import { visible, wrap } from "../terminal/text.ts";

export const authCheckCommand = command({
  name: "auth check",
  summary: "tries sign-in at the identity provider before people do",
  examples: [
    { line: "dlo auth check", about: "after a change at the provider or under `signIn`" },
    {
      line: "dlo auth check --config ./dlo.config.yaml --json",
      about: "in a pipeline: exit code 1 if anything is wrong",
    },
  ],
  details: [
    "Reads the configuration here, asks its provider, and signs no one in. It tries discovery, keys, clock, client authentication, the " +
      "redirect address, claims and sign-out. Run it where the server runs, with its environment.",
    "Settings, Sign-in shows the same of a running server.",
  ],
  flags: { config: ledgerFlags.config },

  async run({ json, config }, context) {
    const { checkSignIn } = await import("../../compose.ts");
    const report = await checkSignIn(settingsOf({ config, database: "" }, context));
    if (report === null) throw noProvider();
    if (json) context.print(JSON.stringify(report));
    else context.print(linesOf(report, context.terminal).join("\n"));
    return report.checks.some(({ state }) => state === "problem") ? exit.failed : exit.done;
  },
});

function noProvider(): OfficeError {
  const sentence = "The configuration names no identity provider. Add one under `signIn.oidc`.";
  return new OfficeError("INVALID_CONFIG", sentence);
}

const words: Readonly<Record<SignInCheck["state"], readonly [Tone, string]>> = {
  ok: ["green", "ok"],
  unsure: ["yellow", "unsure"],
  problem: ["red", "problem"],
};

const [nameWidth, stateWidth] = [11, 9];

function linesOf({ issuer, addresses, checks }: SignInReport, { columns, paint }: Terminal): readonly string[] {
  const indent = nameWidth + stateWidth;
  const shown = checks.flatMap(({ name, state, sentence }) => {
    const [tone, word] = words[state];
    const [first = "", ...rest] = wrap(visible(sentence), columns - indent);
    const begin = `${name.padEnd(nameWidth)}${paint(tone, word.padEnd(stateWidth))}`;
    return [`${begin}${first}`, ...rest.map((line) => `${" ".repeat(indent)}${line}`)];
  });
  const { redirect, afterSignOut, backChannelLogout } = addresses;
  return [
    `Provider: ${visible(issuer)}`,
    ...shown,
    "Addresses to register there:",
    `  redirect URI         ${redirect}`,
    `  after sign-out       ${afterSignOut}`,
    `  back-channel logout  ${backChannelLogout}`,
  ];
}

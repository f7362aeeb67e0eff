import { asConfig, mostAttempts, pastOutageAssumes, simulateTried, triedJitters } from "../../simulate/past-outage.ts";
import type { Context } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { choiceFlag, durationFlag, numberFlag, textFlag, type ValuesOf } from "../flags.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { visible, wrap } from "../terminal/text.ts";
import { showDuration, showNumber } from "../terminal/units.ts";

/** What a group of letters and the policy it is tried with are called. */
export const pastOutageFlags = {
  ...ledgerFlags,
  group: textFlag({ placeholder: "GROUP", about: "take the outage that the letters of this group failed in" }),
  attempts: numberFlag({
    about: "with --group: runs in all, the first included",
    default: 5,
    min: 2,
    max: mostAttempts,
    integer: true,
  }),
  base: durationFlag({ about: "with --group: the first wait", default: "1s", min: "0s", max: "1d" }),
  cap: durationFlag({ about: "with --group: no wait is longer", default: "60s", min: "0s", max: "7d" }),
  factor: numberFlag({ about: "with --group: what the wait before is multiplied by", default: 2, min: 1, max: 100 }),
  jitter: choiceFlag({ about: "with --group: what is left to chance", of: triedJitters, default: "full" }),
};

type Values = ValuesOf<typeof pastOutageFlags> & { readonly seed: number; readonly json: boolean };

/** How many letters of a group other retries would have saved. */
export function replayPastOutage(values: Values, context: Context): Promise<number> {
  const { group, attempts, base: baseMs, cap: capMs, factor, jitter, seed, json, ...rest } = values;
  return withOffice(rest, context, async ({ ask }) => {
    const { title, outage, outages } = await ask("groups.outage", { id: group });
    if (outage === null) {
      context.note("No letter of this group says when it failed: there is no outage to take.");
      if (json) context.print(JSON.stringify({ group, outage: null }));
      return exit.done;
    }
    const lastedMs = Date.parse(outage.endedAt) - Date.parse(outage.beganAt);
    const tried = { attempts, baseMs, capMs, factor, jitter };
    const result = simulateTried({ ...outage, lastedMs, seed }, tried);
    const document = {
      group,
      title,
      ...{ beganAt: outage.beganAt, lastedMs, outages },
      ...tried,
      seed,
      ...result,
    };
    context.print(json ? JSON.stringify(document) : drawing(document, asConfig(tried), context));
    return exit.done;
  });
}

interface Drawn {
  readonly title: string;
  readonly beganAt: string;
  readonly lastedMs: number;
  readonly outages: number;
  readonly messages: number;
  readonly words: string;
}

function drawing(
  { title, beganAt, lastedMs, outages, messages, words }: Drawn,
  config: string,
  { terminal, when }: Context,
): string {
  const which = outages === 1 ? "" : ` (the largest of ${outages})`;
  return [
    terminal.paint("bold", visible(title)),
    `${showNumber(messages)} failed within ${showDuration(lastedMs)}, from ${when(beganAt, "utc")}${which}`,
    "",
    ...wrap(words, terminal.columns),
    ...wrap(pastOutageAssumes, terminal.columns),
    "",
    config,
  ].join("\n");
}

import { command } from "../command.ts";
import { patchFlags, patchOf } from "../edit/patch-flags.ts";
import { exit } from "../exit-codes.ts";
import { durationFlag, numberFlag, numbersFlag, optional, queryFlag, textFlag } from "../flags.ts";
import { idsOf } from "../ledger/ids-of.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { confirmUnknownFlag } from "../ledger/search-warnings.ts";
import { drawReplay } from "./show-replay.ts";

export const replayPlanCommand = command({
  name: "replay plan",
  summary: "which letters would be sent back and which not, and why; sends nothing",
  examples: [
    { line: "dlo replay plan -q 'group:grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H'", about: "all open letters of a group" },
    { line: "dlo replay plan --id ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "one letter" },
    { line: "dlo replay plan -q 'queue:orders category:transient' --rate 5 --json", about: "gently, for a program" },
    {
      line: "dlo replay plan -q 'group:grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H' --set /currency=EUR",
      about: "edited on the way",
    },
  ],
  details: [
    "A plan is a frozen list of letters, each with a decision and its reason, and a hash over all of it. Approvals are given " +
      "for that hash. When it runs each letter is judged again and can only become less allowed.",
    "With --set or --patch each letter is edited before it goes: what that does to each is part of the plan, and " +
      "`dlo replay changes` shows it. Such a plan always needs an approval, and never takes business_rule letters.",
    "Rate, batch, ramp and settle can be stricter than the policy's, never looser.",
  ],
  flags: {
    ...ledgerFlags,
    query: queryFlag("which letters; there is no default"),
    "confirm-unknown": confirmUnknownFlag,
    id: textFlag({
      placeholder: "LETTER[,LETTER...]",
      about: "these letters instead of a search; - reads ids from stdin",
    }),
    ...patchFlags,
    name: textFlag({ placeholder: "TEXT", about: "what people will call it" }),
    to: textFlag({ placeholder: "QUEUE", about: "another queue of the same source; else where each came from" }),
    rate: optional(numberFlag({ about: "messages a second", default: 20, min: 0.01, max: 1e6 }), "the policy's"),
    batch: optional(numberFlag({ about: "messages at once", default: 50, min: 1, max: 10_000 }), "the policy's"),
    ramp: optional(
      numbersFlag({ about: "sizes of the first steps", default: [5, 50], min: 1, max: 1e6, integer: true }),
      "the policy's",
    ),
    settle: optional(
      durationFlag({ about: "wait for outcomes after each step", default: "2m", min: "0s", max: "7d" }),
      "the policy's",
    ),
  },

  async run(
    { query, id, name, to, rate, batch, ramp, settle, set, patch, json, "confirm-unknown": confirmed, ...values },
    context,
  ) {
    const steps = await patchOf({ set, patch }, context);
    const letters = id === "" ? [] : await idsOf(id.replaceAll(",", " "), context.input);
    return withOffice(values, context, async ({ ask }) => {
      const replay = await ask("replays.plan", {
        ...{ q: query, letters, redirect: to === "" ? null : to, confirmUnknown: [...confirmed] },
        ...(name === "" ? {} : { name }),
        ...(steps === null ? {} : { patch: steps }),
        limits: {
          ...(rate === null ? {} : { rate }),
          ...(batch === null ? {} : { batch }),
          ...(ramp === null ? {} : { ramp: [...ramp] }),
          ...(settle === null ? {} : { settleS: settle / 1_000 }),
        },
      });
      if (json) context.print(JSON.stringify(replay));
      else context.print(drawReplay(replay, context));
      context.note("Planned. Nothing was sent.");
      return exit.done;
    });
  },
});

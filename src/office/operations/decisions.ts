import { z } from "zod";
import { hexOf, readId, showId } from "../../domain/ids.ts";
import { releasedLetters } from "../../ledger/released-letters.ts";
import { placesOfLetters } from "../../ledger/sequence-places.ts";
import { decideLetters, letterDecisions } from "../decide/decide-letters.ts";
import { giveBack, givingBack } from "../decide/give-back.ts";
import { sendCompensation, settleCompensation } from "../decide/send-compensation.ts";
import type { SentOnce } from "../decide/send-once.ts";
import { carryOutSoon } from "../keys/carry-out-releases.ts";
import { requireReason } from "../replay/change-replay.ts";
import { type Office, operation } from "./operation.ts";
import { selectedLetters, selectLetters } from "./select-letters.ts";

const input = selectedLetters.extend({
  /** A ticket, a link, a command. */
  reference: z.string().min(1).nullable().default(null),
});

function decision(name: "drop" | "reopen", summary: string) {
  return operation({
    ...{ name: `letters.${name}`, summary, role: "operator", isScoped: true },
    ...{
      input,
      output: z.object({
        letters: z.number(),
        /** Of how many the place in the order of their key is released: the messages behind them run. */
        released: z.number(),
      }),
    },
    async run(office, given, actor) {
      const letters = await selectLetters(office, actor, letterDecisions[name], given);
      const { reason, reference } = given;
      await decideLetters(office.replay, actor, name, { letters, reason, reference });
      if (name === "reopen") return { letters: letters.length, released: 0 };
      await carryOutSoon(office);
      return { letters: letters.length, released: (await releasedLetters(office.ledger, letters)).size };
    },
  });
}

export const dropLetters = decision("drop", "leaves letters be, for good; the ledger keeps them");

const sentForLetters = z.object({
  /** How many are compensated, or given back, now. */
  letters: z.number(),
  /** Refused by the broker, taken back or stopped before their turn: they are as they were. */
  unsent: z.array(z.object({ letter: z.string(), why: z.string() })),
  /** Whether their message was sent is not known: `letters.settleCompensation`. */
  inDoubt: z.array(z.object({ letter: z.string(), why: z.string() })),
});

export const compensateLetters = operation({
  name: "letters.compensate",
  summary:
    "sends a corrective message for letters, at most once each; or notes what was done instead of sending them back",
  role: "operator",
  input: input.extend({
    /** What is sent for each of them; null: it was done elsewhere, and is only noted. */
    message: z
      .object({
        source: z.string().min(1),
        queue: z.string().min(1),
        bodyBase64: z.base64(),
        headers: z.record(z.string(), z.string()).default({}),
      })
      .nullable()
      .default(null),
  }),
  output: sentForLetters,
  async run(office, given, actor) {
    const letters = await selectLetters(office, actor, letterDecisions.compensate, given);
    const { reason, reference, message } = given;
    if (message === null) {
      await decideLetters(office.replay, actor, "compensate", { letters, reason, reference });
      await carryOutSoon(office);
      return { letters: letters.length, unsent: [], inDoubt: [] };
    }
    const { bodyBase64, ...to } = message;
    const corrective = { ...to, body: Buffer.from(bodyBase64, "base64") };
    const sent = await sendCompensation(office.replay, actor, { letters, reason, reference, message: corrective });
    await carryOutSoon(office);
    return summary(sent);
  },
});

function summary(outcomes: readonly SentOnce[]) {
  const told = (wanted: "unsent" | "in_doubt") =>
    outcomes.flatMap((each) =>
      each.outcome === wanted ? [{ letter: showId("letter", each.letter), why: each.why }] : [],
    );
  const letters = outcomes.filter(({ outcome }) => outcome === "sent").length;
  return { letters, unsent: told("unsent"), inDoubt: told("in_doubt") };
}

export const giveLettersBack = operation({
  name: "letters.giveBack",
  summary: "sends open letters to the dead-letter queues they were drained from, as they came, at most once each",
  role: "operator",
  input,
  output: sentForLetters.extend({
    /** Letters that are back and still dead at their broker: later messages of their keys wait for them, until `keys.release`. */
    blocking: z.array(z.string()),
  }),
  async run(office, given, actor) {
    const letters = await selectLetters(office, actor, givingBack, given);
    const { reason, reference } = given;
    const outcomes = await giveBack(office.replay, actor, { letters, reason, reference });
    return { ...summary(outcomes), blocking: await blockingOf(office, outcomes) };
  },
});

async function blockingOf({ ledger }: Office, outcomes: readonly SentOnce[]): Promise<string[]> {
  const back = outcomes.flatMap(({ letter, outcome }) => (outcome === "sent" ? [letter] : []));
  const places = await placesOfLetters(ledger, ledger.database, back);
  const released = await releasedLetters(ledger, back);
  const blocking = places.filter(({ letter }) => !released.has(hexOf(letter)));
  return [...new Set(blocking.map(({ letter }) => showId("letter", letter)))];
}

export const settleLetterCompensation = operation({
  name: "letters.settleCompensation",
  summary: "says whether a corrective message, or a letter that was given back, was sent where no broker answered",
  role: "operator",
  input: z.object({ id: z.string(), outcome: z.enum(["sent", "unsent"]), reason: z.string() }),
  output: z.object({ outcome: z.enum(["sent", "unsent"]) }),
  async run(office, { id, outcome, reason }, actor) {
    await settleCompensation(office.replay, actor, { letter: readId("letter", id), outcome, reason });
    await carryOutSoon(office);
    return { outcome };
  },
});

export const escalateLetters = operation({
  name: "letters.escalate",
  summary: "hands letters to somebody else, until they are reopened; tells a webhook of the configuration first",
  role: "operator",
  input: input.extend({
    /** A notifier of the configuration, of kind webhook; null: whoever it is knows already. */
    notify: z.string().min(1).nullable().default(null),
  }),
  output: z.object({ letters: z.number() }),
  async run(office, given, actor) {
    const letters = await selectLetters(office, actor, letterDecisions.escalate, given);
    const { reason, reference, notify } = given;
    requireReason(reason, "a decision");
    if (notify !== null) {
      const shown = letters.map((letter) => showId("letter", letter)).sort();
      await office.tell(notify, { type: "letters.escalated", letters: shown, reason, reference, by: actor.id });
    }
    await decideLetters(office.replay, actor, "escalate", { letters, reason, reference });
    return { letters: letters.length };
  },
});

export const reopenLetters = decision("reopen", "takes back that letters were dropped, compensated or escalated");

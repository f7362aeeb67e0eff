import { z } from "zod";
import { OfficeError } from "../../domain/errors.ts";
import { readId } from "../../domain/ids.ts";
import { findInStates } from "../../ledger/search/find-letters.ts";
import { type DecisionName, decideLetters, letterDecisions } from "../decide/decide-letters.ts";
import { type Office, operation } from "./operation.ts";

const decidedAtMost = 10_000;

const input = z.object({
  letters: z.array(z.string()).max(decidedAtMost).default([]),
  q: z.string().default(""),
  reason: z.string(),
  /** A ticket, a link, a command. */
  reference: z.string().min(1).nullable().default(null),
  /** How many letters it is about, for more than one: a search may find more than one believes. */
  expectCount: z.int().min(0).nullable().default(null),
});

type Input = z.output<typeof input>;

function decision(name: DecisionName, summary: string) {
  return operation({
    ...{ name: `letters.${name}`, summary, role: "operator", input, output: z.object({ letters: z.number() }) },
    async run(office, given, actor) {
      const letters = await select(office, name, given);
      requireCount(letters.length, given.expectCount);
      const { reason, reference } = given;
      await decideLetters(office.replay, actor, name, { letters, reason, reference });
      return { letters: letters.length };
    },
  });
}

export const dropLetters = decision("drop", "leaves letters be, for good; the ledger keeps them");
export const compensateLetters = decision("compensate", "notes what was done instead of sending letters back");
export const escalateLetters = decision("escalate", "hands letters to somebody else, until they are reopened");
export const reopenLetters = decision("reopen", "takes back that letters were dropped, compensated or escalated");

async function select(office: Office, name: DecisionName, { letters, q }: Input): Promise<readonly Uint8Array[]> {
  // A filter that is empty by mistake would select everything there is.
  if (letters.length > 0 === (q.trim() !== "")) {
    throw new OfficeError("INVALID_OPTION", "Say which letters: a search, or ids, and not both.");
  }
  if (letters.length > 0) return letters.map((letter) => readId("letter", letter));
  const { ledger, clock, retentionMs } = office;
  const search = { q, now: clock.now(), retentionMs };
  const found = await findInStates(ledger, search, { states: letterDecisions[name].from, atMost: decidedAtMost });
  if (found.length > 0) return found;
  throw new OfficeError("LETTER_NOT_FOUND", "No letter matches that this could be done with. Look with `dlo letters`.");
}

function requireCount(found: number, expected: number | null): void {
  if (expected === found || (expected === null && found === 1)) return;
  const text = `This is about ${found} letters. If that is what you expect, say so with that number.`;
  throw new OfficeError("PLAN_CHANGED", text, { details: { found, expected } });
}

import { z } from "zod";
import { isInScope } from "../../domain/actor.ts";
import { categories } from "../../domain/classification.ts";
import { isOfficeError, OfficeError } from "../../domain/errors.ts";
import { maskPayload } from "../../domain/mask-json.ts";
import type { Message } from "../../domain/message.ts";
import { type Masking, maskHeaders } from "../../domain/redaction.ts";
import { showHeaderValue } from "../../domain/show-header.ts";
import { textOf } from "../../domain/text-of.ts";
import type { NewLetter } from "../../ledger/new-letter.ts";
import type { PeekedLetter } from "../intake/peek.ts";
import { queueBehind } from "../intake/read-letters.ts";
import { type Office, operation } from "./operation.ts";

/** A glance: who wants the whole of it drains the queue. In characters. */
const shown = { body: 4_000, header: 500 } as const;
const mostHeaders = 50;

const text = z.string().nullable();
const name = z
  .string()
  .min(1)
  .max(512)
  .regex(/^\P{Cc}+$/u, "a name without control characters");

const peekedShape = z.object({
  /** Where its broker keeps it. */
  position: text,
  /** The queue it failed in, as far as it says. */
  queue: z.string(),
  category: z.enum(categories),
  confidence: z.number(),
  rule: z.string(),
  why: z.string(),
  errorClass: text,
  errorMessage: text,
  errorCode: text,
  attempts: z.number().nullable(),
  /** Null: neither the message nor its broker says. */
  failedAt: text,
  type: text,
  key: text,
  sizeBytes: z.number(),
  body: z.object({
    kind: z.enum(["text", "bytes", "too_large"]),
    /** Masked, and no more than its beginning; null for all but text. */
    text,
    isCut: z.boolean(),
    masked: z.boolean(),
  }),
  /** Name, type and text of each, masked. */
  headers: z.array(z.tuple([z.string(), z.string(), z.string()])),
});

/** For operators, as draining is: it has the office connect to a broker and read there, by whomever's demand. */
export const peekIntoQueue = operation({
  name: "queues.peek",
  summary: "the first messages of a dead-letter queue, read where they lie: nothing is taken, counted or kept",
  role: "operator",
  isScoped: true,
  isShared: true,
  isSecret: true,
  input: z.object({ source: name, queue: name, limit: z.int().min(1).max(50).default(10) }),
  output: z.object({ source: z.string(), queue: z.string(), items: z.array(peekedShape) }),
  async run(office, { source, queue, limit }) {
    const found = await lookInto(office, source, queue, limit);
    const { scope } = office.ledger;
    const own = found.filter(({ letter }) => isInScope(scope, source, letter.queue));
    return { source, queue, items: own.map((each) => showPeeked(each, office.masking)) };
  },
});

/** Who is let into some queues hears the same of what is elsewhere and of what is nowhere. */
async function lookInto(office: Office, source: string, queue: string, most: number): Promise<readonly PeekedLetter[]> {
  const { scope } = office.ledger;
  const isReached = [queue, queueBehind(queue)].some((each) => isInScope(scope, source, each));
  if (!isReached) throw outside(source, queue);
  try {
    return await office.peek({ source, queue, most });
  } catch (error) {
    if (scope.length > 0 && isOfficeError(error, "SOURCE_NOT_FOUND")) throw outside(source, queue);
    throw error;
  }
}

function outside(source: string, queue: string): OfficeError {
  const message = `There is no queue \`${queue}\` at \`${source}\` that you may see. \`dlo queues\` lists those you may.`;
  return new OfficeError("QUEUE_NOT_FOUND", message, { details: { source, queue } });
}

function showPeeked({ letter, found }: PeekedLetter, masking: Masking): z.input<typeof peekedShape> {
  const { classification, error, times, names, content } = letter;
  const { category, confidence, rule, why } = classification;
  const { message } = found.letter;
  return {
    ...{ position: content.position, queue: letter.queue, category, confidence, rule, why },
    ...{ errorClass: error.class, errorMessage: error.message, errorCode: error.code, attempts: letter.attempts },
    failedAt: failedAtOf(times),
    ...{ type: names.type, key: names.key, sizeBytes: content.sizeBytes },
    body: found.missingBodyBytes === undefined ? bodyOf(message, masking) : tooLarge,
    headers: maskHeaders(message.headers.slice(0, mostHeaders), masking).map(({ name: called, value }) => [
      ...([called.slice(0, shown.header), value.type, showHeaderValue(value).slice(0, shown.header)] as const),
    ]),
  };
}

/** One that only came here just now has not failed just now. */
function failedAtOf({ failedAt, failedAtBy }: NewLetter["times"]): string | null {
  return failedAtBy === "arrival" ? null : new Date(failedAt).toISOString();
}

const tooLarge = { kind: "too_large", text: null, isCut: true, masked: false } as const;

/** Masked as a whole and cut then: in a part of it a path could not be found any more. */
function bodyOf({ body }: Message, masking: Masking): z.input<typeof peekedShape>["body"] {
  const plain = textOf(body);
  if (plain === null) return { kind: "bytes", text: null, isCut: false, masked: false };
  const masked = maskPayload(plain, masking);
  const isCut = masked.length > shown.body;
  return { kind: "text", text: masked.slice(0, shown.body), isCut, masked: masked !== plain };
}

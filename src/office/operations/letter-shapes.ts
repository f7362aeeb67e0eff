import { z } from "zod";
import { categories } from "../../domain/classification.ts";
import { letterStates } from "../../domain/letter.ts";
import { attemptRow } from "./attempt-rows.ts";

const category = z.enum(categories);
const text = z.string().nullable();

/** What lists show of a letter. Errors are masked already: the ledger never stored them otherwise. */
export const letterSummary = z.object({
  id: z.string(),
  source: z.string(),
  broker: z.string(),
  queue: z.string(),
  drainedFrom: z.string(),
  state: z.enum(letterStates),
  category,
  was: category,
  confidence: z.number(),
  rule: z.string(),
  sideEffect: z.string(),
  group: z.string(),
  errorClass: text,
  errorMessage: text,
  errorCode: text,
  attempts: z.number().nullable(),
  replays: z.number(),
  firstFailedAt: text,
  failedAt: z.string(),
  /** When its own time to live is over: past that, it is sent only where a person accepts it. */
  expiresAt: text,
  failedAtBy: z.enum(["letter", "broker", "arrival"]),
  arrivedAt: z.string(),
  sizeBytes: z.number(),
  type: text,
  key: text,
  orderKey: text,
  tenant: text,
  trace: text,
  consumer: text,
});

/** A tag, and who put it there: a person, or a rule of the policy (`rule/<id>`). */
export const putTag = z.object({ tag: z.string(), by: z.string(), at: z.string() });

/** A header as name, type and text; integers of 64 bits and bytes as text. */
const shownHeader = z.tuple([z.string(), z.string(), z.string()]);

export const wholeLetter = letterSummary.extend({
  why: z.string(),
  /** What `tag:` finds it by: its own tags, and those of its group. */
  tags: z.array(putTag.extend({ of: z.enum(["letter", "group"]) })),
  stack: text,
  body: z.object({
    /** What it is, and so whether it is shown. */
    kind: z.enum(["text", "bytes", "too_large", "missing", "deleted", "unavailable"]),
    /** Null for all but text. */
    text,
    /** How text begins that is too large to be shown as a whole, masked; null for all else. */
    beginning: text,
    bytes: z.number(),
    sha256: text,
    masked: z.boolean(),
    /** Where it is kept, when not in the ledger itself. */
    ref: text,
    /** Why it is not here, and what to do; null where it is. */
    notice: text,
  }),
  headers: z.array(shownHeader),
  properties: z.array(shownHeader),
  /** As its sender says. */
  contentType: text,
  /** When it was first sent, as far as it says: not when it died. */
  enqueuedAt: text,
  handler: text,
  /** Where it would go back to, as far as it says. */
  destination: text,
  position: text,
  /** Where it was in its queue when it failed, as far as it says: a partition, an offset or sequence, and the broker's name for the place. */
  cameFrom: z.object({ partition: z.number().nullable(), offset: text, position: text }),
  /** Of the consumer that failed. */
  ...{ consumerVersion: text, host: text, process: text },
  /** What `type` says, taken apart. */
  schema: z.object({ name: text, version: text }),
  keys: z.array(z.string()),
  cut: z.record(z.string(), z.number()).nullable(),
  reading: z.unknown(),
  /** The exchange and key by which it came to its queue, as far as it says: by these it goes back, where they lead there alone. */
  cameBy: z.object({ exchange: z.string(), routingKey: z.string() }).nullable(),
  /** Another letter of which this one is probably a second copy: message id, body, queue and attempt are equal. */
  repeatOf: text,
  /** Second copies of its failure, which are kept as this letter: when each came, when it failed, and where it was. */
  repeats: z.array(z.object({ at: z.string(), failedAt: z.string(), drainedFrom: z.string(), position: text })),
  /** Who dropped, compensated or escalated it, and why; null where it is in none of these states, or the log says nothing. */
  decision: z.object({ at: z.string(), by: z.string(), action: z.string(), reason: text, reference: text }).nullable(),
  classifications: z.array(
    z.object({
      n: z.number(),
      at: z.string(),
      category,
      confidence: z.number(),
      rule: z.string(),
      why: z.string(),
      sideEffect: z.string(),
      runnerUp: category.nullable(),
      by: text,
    }),
  ),
  /** Before it was given up: every attempt that it tells of, else the first and the last. */
  attemptLog: z.array(attemptRow),
  /** Since it came here. */
  history: z.array(
    z.object({
      n: z.number(),
      at: z.string(),
      kind: z.string(),
      replay: text,
      errorClass: text,
      errorMessage: text,
    }),
  ),
  /** Tags put on it or on its group, and taken off. */
  tagHistory: z.array(
    z.object({
      at: z.string(),
      change: z.enum(["tagged", "untagged"]),
      tags: z.array(z.string()),
      /** A person, or `rule/<id>` of the policy. */
      by: z.string(),
      reason: text,
      of: z.enum(["letter", "group"]),
    }),
  ),
});

export const groupSummary = z.object({
  id: z.string(),
  source: z.string(),
  queue: z.string(),
  title: z.string(),
  errorClass: text,
  category,
  fingerprint: z.string(),
  /** Groups that were merged into it. */
  mergedFrom: z.array(z.string()),
  total: z.number(),
  open: z.number(),
  firstArrivedAt: text,
  lastArrivedAt: text,
  firstFailedAt: text,
  lastFailedAt: text,
  oldestOpenAt: text,
  hours: z.array(z.number()),
});

import { createHash } from "node:crypto";
import type { Actor } from "../../src/domain/actor.ts";
import type { DeadLetter, LetterReading } from "../../src/domain/dead-letter.ts";
import { emptyReading } from "../../src/domain/dead-letter.ts";
import { OfficeError } from "../../src/domain/errors.ts";
import { idsInOrder } from "../../src/domain/ids.ts";
import { headerText, type MessageParts, makeMessage } from "../../src/domain/message.ts";
import { defaultMasking } from "../../src/domain/redaction.ts";
import type { DrainSession } from "../../src/ledger/drain-session.ts";
import type { HoldOutcome } from "../../src/ledger/hold-letters.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { holdBatch } from "../../src/office/intake/hold-batch.ts";
import type { FoundBy } from "../../src/office/intake/identify.ts";
import { type ReadingRoom, readLetters } from "../../src/office/intake/read-letters.ts";
import { systemClock } from "../../src/system/host.ts";

export const tester: Actor = { id: "tester", roles: ["admin"], kind: "human" };

/** Of an office that has no brokers. */
export async function noSources(): Promise<never> {
  throw new OfficeError("SOURCE_NOT_FOUND", "This office has no sources.");
}

/** A reading room in which a letter's failure is what its headers `class`, `message`, `category` and `queue` say. */
export function testRoom(now: () => number = Date.now): ReadingRoom {
  const newId = idsInOrder(() => crypto.randomUUID());
  return {
    read: readPlain,
    triage: {
      classify: ({ ownWord }) => ({
        category: ownWord === "transient" || ownWord === "poison" ? ownWord : "unknown",
        confidence: 0.9,
        rule: "test/own-word",
        why: "It says so.",
        sideEffect: "none",
        runnerUp: null,
      }),
      fingerprint: ({ errorClass, message }) => ({
        id: createHash("sha256")
          .update(`${errorClass} ${message?.replaceAll(/\d+/g, "#")}`)
          .digest("hex")
          .slice(0, 16),
        parts: [
          { name: "class", value: errorClass ?? "" },
          { name: "message", value: message ?? "" },
        ],
      }),
    },
    masking: defaultMasking,
    bodies: null,
    newLetterId() {
      const arrivedAt = now();
      return { id: newId(arrivedAt), arrivedAt };
    },
  };
}

function readPlain({ message: { headers } }: DeadLetter): LetterReading {
  return {
    ...emptyReading,
    dialects: ["test"],
    source: headerText(headers, "queue") ?? null,
    errorClass: headerText(headers, "class") ?? null,
    errorMessage: headerText(headers, "message") ?? null,
    errorCode: headerText(headers, "code") ?? null,
    stack: headerText(headers, "stack") ?? null,
    attempts: 3,
    enqueuedAt: Date.parse(headerText(headers, "enqueued") ?? "") || null,
    expiresAt: Date.parse(headerText(headers, "expires-at") ?? "") || null,
    messageId: headerText(headers, "id") ?? null,
    orderingKey: headerText(headers, "order") ?? null,
  };
}

export function deadLetter(parts: MessageParts = {}, more: Partial<DeadLetter> = {}): DeadLetter {
  return {
    broker: "amqp-0-9-1",
    queue: "orders.dlq",
    message: makeMessage(parts),
    partition: null,
    offset: null,
    timestamp: null,
    exchange: null,
    routingKey: null,
    redelivered: false,
    ...more,
  };
}

export interface Holding {
  readonly letter: DeadLetter;
  readonly found: FoundBy;
}

interface HoldOptions {
  readonly session?: DrainSession | null;
  readonly room?: ReadingRoom;
  readonly source?: string;
}

export async function hold(
  ledger: Ledger,
  holdings: readonly Holding[],
  { session = null, room = testRoom(), source = "rabbit" }: HoldOptions = {},
): Promise<readonly HoldOutcome[]> {
  const found = holdings.map((each) => ({ ...each, source }));
  const letters = await readLetters(room, found, systemClock);
  return holdBatch(ledger, { letters, actor: tester, now: Date.now(), by: "drain", session });
}

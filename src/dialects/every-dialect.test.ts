import { describe, expect, it } from "vitest";
import { everyDialect } from "../../test/dialects/letters.ts";
import { brokers, libraries } from "./all-dialects.ts";
import { readNotation } from "./notation/read-notation.ts";
import { readDeadLetter } from "./read-dead-letter.ts";

const fixtures = everyDialect();

describe("a letter of every dialect", () => {
  it.each(fixtures)("is read: $id", ({ fixture, facts }) => {
    const { letter } = readNotation(fixture);
    const reading = readDeadLetter(letter);
    expect({ ...reading, ...isoTimes(reading) }).toMatchObject(withBigOffset(facts));
  });

  it("is there", () => {
    const read = new Set(fixtures.flatMap(({ fixture }) => readDeadLetter(readNotation(fixture).letter).dialects));
    const unproven = [...libraries, ...brokers].map(({ id }) => id).filter((id) => !read.has(id));
    // Oban, Brighter and Pipes have no fixture: their rules are tested beside them. Our own is made by the runtime.
    expect(unproven).toEqual(["dead-letter-office", "brighter", "eventbridge-pipes", "oban"]);
  });

  it("says when its message was first sent, where anybody wrote that down", () => {
    const sent = fixtures.flatMap(({ id, fixture }) => {
      const { enqueuedAt } = readDeadLetter(readNotation(fixture).letter);
      return enqueuedAt === null ? [] : [[id, new Date(enqueuedAt).toISOString()]];
    });
    expect(sent).toEqual([
      ["spring-kafka-dlt", "2026-11-15T10:00:05.123Z"],
      ["spring-kafka-retry", "2026-11-15T10:00:05.123Z"],
      ["spring-cloud-stream-kafka", "2026-11-15T10:00:05.123Z"],
      ["kafka-connect", "2026-11-15T08:06:40.000Z"],
      ["kafka-streams", "2026-11-15T08:06:40.000Z"],
      ["smallrye-kafka 2", "2026-11-15T09:59:58.001Z"],
      ["nservicebus", "2026-11-15T09:59:58.001Z"],
      ["sqs-native", "2026-11-15T09:58:25.000Z"],
      ["azure-service-bus", "2026-11-15T09:59:58.001Z"],
      ["sidekiq", "2026-11-15T09:59:58.001Z"],
      ["dapr", "2026-11-15T09:59:58.000Z"],
      ["nobody 2", "2026-11-15T09:59:58.000Z"],
    ]);
  });
});

function isoTimes({ firstFailedAt, lastFailedAt }: Times): Record<keyof Times, string | null> {
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return { firstFailedAt: iso(firstFailedAt), lastFailedAt: iso(lastFailedAt) };
}

interface Times {
  readonly firstFailedAt: number | null;
  readonly lastFailedAt: number | null;
}

function withBigOffset(facts: unknown): object {
  const { offset, ...rest } = facts as { readonly offset: number | null };
  return { ...rest, offset: offset === null ? null : BigInt(offset) };
}

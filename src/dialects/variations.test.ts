import { describe, expect, it } from "vitest";
import { foreignLetters } from "../../test/dialects/letters.ts";
import type { DeadLetter, LetterReading } from "../domain/dead-letter.ts";
import { type Json, jsonText, parseJsonOrThrow } from "./json.ts";
import { readNotation } from "./notation/read-notation.ts";
import { readDeadLetter } from "./read-dead-letter.ts";

/** Letters are read by rule: what changes nothing that a rule speaks of changes nothing in the reading. */
const letters = foreignLetters().map(({ id, fixture }) => ({ id, fixture, letter: readNotation(fixture).letter }));

describe("a letter", () => {
  it("is read the same when its queue has another name", () => {
    const changed = letters.filter(({ fixture, letter }) => {
      const reading = readDeadLetter(letter);
      const { source } = reading;
      if (source === null || source.length < 4) return false;
      const renamed = readNotation(parseJsonOrThrow(jsonText(fixture).replaceAll(source, "eu.parcels_7-b"))).letter;
      return shown(readDeadLetter(renamed)) !== shown(reading).replaceAll(source, "eu.parcels_7-b");
    });
    // A length in front of a name cannot be made to fit by replacing the name.
    expect(changed.map(({ id }) => id).filter((id) => !/asynq|funds-php/.test(id))).toEqual([]);
  });

  it("is read the same when its headers come in another order, except where the order tells which is newer", () => {
    const changed = letters.filter(({ letter }) => {
      const names = letter.message.headers.map(({ name }) => name);
      if (new Set(names).size < names.length) return false;
      return (
        sorted(readDeadLetter(withHeaders(letter, letter.message.headers.toReversed()))) !==
        sorted(readDeadLetter(letter))
      );
    });
    expect(changed.map(({ id }) => id)).toEqual([]);
  });

  it("is read the same with headers that have nothing to do with its failure", () => {
    const strangers = ["x-request-id", "tenant", "topic-arn", "priority", "kafka_offset"].map((name) => ({
      name,
      value: { type: "text", value: "42" } as const,
    }));
    const changed = letters.filter(({ letter }) => {
      const { tenant: _, ...reading } = readDeadLetter(withHeaders(letter, [...letter.message.headers, ...strangers]));
      const { tenant: __, ...before } = readDeadLetter(letter);
      return sorted(reading) !== sorted(before);
    });
    expect(changed.map(({ id }) => id)).toEqual([]);
  });

  it("loses facts with its headers, but never gets another origin for them", () => {
    const wrong = letters.flatMap(({ id, letter }) => {
      const before = placeOf(readDeadLetter(letter));
      return namesOf(letter).flatMap((name) => {
        const left = letter.message.headers.filter((header) => header.name !== name);
        const after = placeOf(readDeadLetter(withHeaders(letter, left)));
        return after.some((fact, at) => fact !== null && fact !== before[at])
          ? [`${id} without ${name}: ${after}`]
          : [];
      });
    });
    expect(wrong).toEqual([]);
  });
});

function withHeaders(letter: DeadLetter, headers: DeadLetter["message"]["headers"]): DeadLetter {
  return { ...letter, message: { ...letter.message, headers } };
}

function namesOf({ message }: DeadLetter): string[] {
  return [...new Set(message.headers.map(({ name }) => name))];
}

function placeOf({ source, partition, offset, replay }: LetterReading): readonly (string | number | bigint | null)[] {
  return [source, partition, offset, replay.destination];
}

/** Without the payload and its ids: those are the message's, not the failure's. */
function shown({ payload: _, messageId: __, ...reading }: LetterReading): string {
  return jsonText(reading as unknown as Json);
}

function sorted({ replay, ...reading }: Omit<LetterReading, "tenant">): string {
  const strip = [...replay.strip].sort();
  return jsonText({ ...reading, payload: null, replay: { ...replay, strip } } as unknown as Json);
}

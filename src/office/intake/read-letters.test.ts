import { expect, it } from "vitest";
import { emptyReading } from "../../domain/dead-letter.ts";
import { type Header, makeMessage, textHeader } from "../../domain/message.ts";
import { defaultMasking } from "../../domain/redaction.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { classify } from "../../triage/classify.ts";
import { fingerprint } from "../../triage/fingerprint/fingerprint.ts";
import { type FoundLetter, type ReadingRoom, readLetters } from "./read-letters.ts";

function makeRoom(part: Partial<ReadingRoom> = {}): ReadingRoom {
  return {
    read: () => ({ ...emptyReading, errorClass: "TimeoutError", errorMessage: "it took too long" }),
    triage: { classify, fingerprint },
    masking: defaultMasking,
    bodies: null,
    newLetterId: () => ({ id: new Uint8Array(16), arrivedAt: 1 }),
    ...part,
  };
}

function makeFound(body: string, position: unknown = `s:${body}`, headers: readonly Header[] = []): FoundLetter {
  const nowhere = { partition: null, offset: null, timestamp: null, exchange: null, routingKey: null };
  return {
    letter: { broker: "nats", queue: "q.dlq", message: makeMessage({ body, headers }), ...nowhere, redelivered: false },
    source: "nats-eu",
    // Of a source that breaks its word.
    found: { kind: "position", position: position as string },
  };
}

async function read(room: ReadingRoom, found: readonly FoundLetter[]) {
  const letters = await readLetters(room, found, fakeClock());
  return letters.map(({ content, error }) => [
    Buffer.from(content.body ?? []).toString(),
    content.position,
    error.class,
  ]);
}

it("holds a letter whose source gives a number for its position, and reads the others of its batch as ever", async () => {
  expect(await read(makeRoom(), [makeFound("a"), makeFound("b", 5), makeFound("c")])).toEqual([
    ["a", "s:a", "TimeoutError"],
    ["b", "5", null],
    ["c", "s:c", "TimeoutError"],
  ]);
});

it("holds a letter of which a header cannot be kept, with the others", async () => {
  const broken = { name: "broken" } as Header;
  const [letter] = await readLetters(makeRoom(), [makeFound("a", "s:1", [broken, textHeader("x", "1")])], fakeClock());
  expect(Buffer.from(letter?.content.headers ?? []).toString()).toBe('[["x","1"]]');
});

it("cuts properties that are too long, and says so", async () => {
  const found = makeFound("a");
  const message = { ...found.letter.message, properties: [textHeader("stack", "x".repeat(2_000_000))] };
  const [letter] = await readLetters(makeRoom(), [{ ...found, letter: { ...found.letter, message } }], fakeClock());
  expect(letter?.content.properties?.byteLength).toBeLessThan(1_000);
  expect(letter?.content.cut?.properties).toBeGreaterThan(2_000_000);
});

it("holds a letter that was read as something that cannot be", async () => {
  const reading = { ...emptyReading, errorMessage: 7 as unknown as string };
  expect(await read(makeRoom({ read: () => reading }), [makeFound("a")])).toEqual([["a", "s:a", null]]);
});

import { describe, expect, it } from "vitest";
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

describe("when a letter failed", () => {
  const arrivedAt = Date.UTC(2026, 10, 18, 20);
  const ago = (ms: number) => arrivedAt - ms;
  const dayMs = 86_400_000;
  const timesOf = async (lastFailedAt: number | null, timestamp: number | null) => {
    const found = makeFound("a");
    const room = makeRoom({
      read: () => ({ ...emptyReading, lastFailedAt }),
      newLetterId: () => ({ id: new Uint8Array(16), arrivedAt }),
    });
    const [letter] = await readLetters(room, [{ ...found, letter: { ...found.letter, timestamp } }], fakeClock());
    return [letter?.times.failedAt, letter?.times.failedAtBy];
  };

  it("is its own word before its broker's, and its arrival where neither says", async () => {
    expect(await timesOf(ago(21 * dayMs), ago(dayMs))).toEqual([ago(21 * dayMs), "letter"]);
    expect(await timesOf(null, ago(dayMs))).toEqual([ago(dayMs), "broker"]);
    expect(await timesOf(null, null)).toEqual([arrivedAt, "arrival"]);
  });

  it("is not taken from a clock that was never set, or from seconds that are no milliseconds", async () => {
    for (const nonsense of [0, 1, arrivedAt / 1_000, Date.UTC(2000, 0, 1), -1, Number.NaN]) {
      expect(await timesOf(nonsense, ago(dayMs))).toEqual([ago(dayMs), "broker"]);
      expect(await timesOf(nonsense, nonsense)).toEqual([arrivedAt, "arrival"]);
    }
  });

  it("is never after it came, whoever's clock is ahead: by little it means that moment, by more nothing", async () => {
    expect(await timesOf(ago(-59_000), null)).toEqual([arrivedAt, "letter"]);
    expect(await timesOf(ago(-61_000), ago(5_000))).toEqual([ago(5_000), "broker"]);
    expect(await timesOf(ago(-dayMs), ago(-dayMs))).toEqual([arrivedAt, "arrival"]);
  });
});

it("keeps an id whose digits a card could have, so that its letter is found by it, and no card", async () => {
  const messageId = "41111111-1111-1111-8abc-abcdefabcdef";
  const read: ReadingRoom["read"] = () => ({ ...emptyReading, messageId, idempotencyKey: "4111-1111-1111-1111" });
  const [letter] = await readLetters(makeRoom({ read }), [makeFound("a")], fakeClock());
  expect(letter?.keys).toEqual([messageId]);
});

import { expect, it } from "vitest";
import { everyDialect, foreignLetters } from "../../test/dialects/letters.ts";
import type { DeadLetter } from "../domain/dead-letter.ts";
import type { Header } from "../domain/message.ts";
import { viewOf } from "./letter-view.ts";
import { maySpeak } from "./may-speak.ts";
import { readNotation } from "./notation/read-notation.ts";
import { readDeadLetter } from "./read-dead-letter.ts";

const letters = [...everyDialect(), ...foreignLetters()].map(({ fixture }) => readNotation(fixture).letter);

it("reads a letter the same, whatever letters of its shape came before it", () => {
  const changed = letters.filter((letter) => {
    const first = shown(letter);
    // Whoever gives up at these has seen nothing but names.
    for (let come = 0; come < 3; come++) readDeadLetter(dull(letter));
    return shown(letter) !== first;
  });
  expect(changed).toEqual([]);
});

it("asks few dialects about a letter whose shape it knows", () => {
  const [letter] = letters;
  if (letter === undefined) throw new Error("There are no letters.");
  const asked = Array.from({ length: 3 }, () => maySpeak(viewOf({ ...letter, queue: "known.dlq" })).libraries.length);
  expect(asked[0]).toBeGreaterThan(40);
  expect(asked[2]).toBeLessThan(25);
});

it("takes no two sets of names for one", () => {
  const spoken = (...names: readonly string[]) => {
    const headers = names.map((name): Header => ({ name, value: { type: "text", value: "orders" } }));
    return readDeadLetter(ofHeaders(headers)).dialects;
  };
  const one = () => spoken("dlo-queue", "dlo-reason");
  const other = () => spoken("dlo-queue10 dlo-reason");
  for (let come = 0; come < 3; come++) expect([one(), other()]).toEqual([["dead-letter-office"], []]);
});

function ofHeaders(headers: readonly Header[]): DeadLetter {
  const message = { body: new Uint8Array(), headers, key: null, properties: [] };
  return {
    ...{ broker: "kafka", queue: "orders.dlq", message, partition: null, offset: null, timestamp: null },
    ...{ exchange: null, routingKey: null, redelivered: false },
  };
}

/** The same names with nothing under them. */
function dull(letter: DeadLetter): DeadLetter {
  const emptied = ({ name }: Header): Header => ({ name, value: { type: "null", value: null } });
  const { message } = letter;
  return {
    ...letter,
    message: {
      ...{ body: new Uint8Array(), key: null },
      ...{ headers: message.headers.map(emptied), properties: message.properties.map(emptied) },
    },
  };
}

function shown(letter: DeadLetter): string {
  return JSON.stringify(readDeadLetter(letter), (_name, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

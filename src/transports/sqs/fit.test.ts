import { expect, it } from "vitest";
import type { BodyStore } from "../../domain/body-store.ts";
import { makeMessage, textHeader } from "../../domain/message.ts";
import { encodeWithin, formsOf } from "./fit.ts";

const options = { fifo: false, newId: () => "id", waitMs: 0 };
const known = { maxMessageBytes: 10_000, isNew: false };
const ours = [textHeader("dlo-queue", "orders"), textHeader("dlo-reason", "poison")];
const headers = [...ours, textHeader("dlo-error", "e"), textHeader("dlo-history", "[]")];
const letter = makeMessage({ body: "x", headers });

function memoryBodies(): BodyStore & { readonly kept: ReadonlyMap<string, Uint8Array> } {
  const kept = new Map<string, Uint8Array>();
  return {
    ...{ name: "memory", kept, read: async (sha256) => kept.get(sha256) ?? null, forget: async () => {} },
    async keep(sha256, body) {
      kept.set(sha256, body);
    },
  };
}

it("gives up error and history of a letter rather than the letter, where there is no place for its body", async () => {
  const forms = await Promise.all(formsOf(letter, { bodies: null }).map((form) => form()));
  expect(forms.map((form) => form.headers)).toEqual([headers, ours]);
});

it("keeps a body elsewhere before anything is given up, and not before that is needed", async () => {
  const bodies = memoryBodies();
  const [first, second, third] = formsOf(letter, { bodies });
  expect([await first?.(), bodies.kept.size]).toEqual([letter, 0]);
  expect(await second?.()).toMatchObject({ headers });
  expect([(await third?.())?.headers, bodies.kept.size]).toEqual([ours, 1]);
});

it("leaves nothing out where it has to be whole, and makes no reference to a reference", async () => {
  const whole = await Promise.all(formsOf(letter, { bodies: null, isWhole: true }).map((form) => form()));
  expect(whole).toEqual([letter]);
  const bodies = memoryBodies();
  const [, second, third] = formsOf(letter, { bodies, isWhole: true });
  const reference = (await second?.()) ?? letter;
  expect([third, reference.headers]).toEqual([undefined, headers]);
  const onward = await Promise.all(formsOf(reference, { bodies }).map((form) => form()));
  expect(onward.map(({ body }) => body)).toEqual([reference.body, reference.body]);
});

it("refuses a new message that would leave no room for the headers of its dead letter", () => {
  const tooLarge = expect.objectContaining({ code: "MESSAGE_TOO_LARGE" }) as Error;
  const message = makeMessage({ body: "x".repeat(9_000) });
  expect(() => encodeWithin(message, options, { ...known, isNew: true })).toThrow(tooLarge);
  expect(() => encodeWithin(message, options, known)).not.toThrow();
});

import { describe, expect, it } from "vitest";
import { emptyReading, type LetterReading } from "../../domain/dead-letter.ts";
import { carriedKey } from "../../domain/idempotency.ts";
import { headerText, type Message, makeMessage } from "../../domain/message.ts";
import { type OutgoingLetter, outgoingMessage } from "./outgoing-message.ts";

const ids = { letter: "ltr_1", replay: "rpl_1/7", queue: "orders", editedBody: null, editedHeaders: null };
const reading: LetterReading = { ...emptyReading, source: "orders" };
const send = (message: Message, more: Partial<OutgoingLetter> = {}) =>
  outgoingMessage({ ...ids, message, reading, ...more });
const names = ({ headers }: Message) => headers.map(({ name }) => name);

describe("a message that goes back", () => {
  it("has the bytes it came with, whatever they are", () => {
    for (const body of [new Uint8Array(), Uint8Array.of(0, 255, 128), new Uint8Array(1_000_000)]) {
      expect(send(makeMessage({ body })).body).toBe(body);
    }
  });

  it("has the bytes that were in a dialect's wrapping, or those of an edit", () => {
    const wrapped = { ...reading, payload: Uint8Array.of(1) };
    const message = makeMessage({ body: "wrapping" });
    expect(send(message, { reading: wrapped }).body).toBe(wrapped.payload);
    const editedBody = Uint8Array.of(2);
    expect(send(message, { reading: wrapped, editedBody }).body).toBe(editedBody);
  });

  it("has a key of ours where it has none, and never in the place of one", () => {
    const key = "ltr_1";
    const own = { name: "message-id", value: { type: "text", value: "k" } } as const;
    const sentBy = (message: Message) => headerText(send(message, { key }).headers, "dlo-key");
    expect(sentBy(makeMessage({}))).toBe(key);
    expect(sentBy(makeMessage({ headers: { "dlo-key": "k" } }))).toBe("k");
    expect(sentBy(makeMessage({ headers: { "idempotency-key": "k" } }))).toBeUndefined();
    expect(sentBy({ ...makeMessage({}), properties: [own] })).toBeUndefined();
    const editedHeaders = [{ name: "idempotency-key", value: "k" }];
    expect(headerText(send(makeMessage({}), { key, editedHeaders }).headers, "dlo-key")).toBeUndefined();
  });

  it("keeps the sender's headers in their order, repeats too, and loses what its dialect says", () => {
    const headers = ["a", "x-death", "b", "a"].map((name) => ({ name, value: { type: "text", value: name } }) as const);
    const stripped = { ...reading, replay: { ...reading.replay, strip: ["x-death"] } };
    expect(names(send(makeMessage({ headers }), { reading: stripped }))).toEqual([
      ...["a", "b", "a", "dlo-queue", "dlo-letter", "dlo-replay"],
    ]);
  });

  it("has the headers of an edit in the place of its own, and all others as they came, type and bytes", () => {
    const count = { name: "count", value: { type: "integer", value: 9_007_199_254_740_993n } } as const;
    const raw = { name: "raw", value: { type: "bytes", value: Uint8Array.of(255, 0) } } as const;
    const [first, second] = ["one", "two"].map(
      (value) => ({ name: "tenant", value: { type: "text", value } }) as const,
    );
    if (first === undefined || second === undefined) throw new Error("There are two.");
    const editedHeaders = [
      ...[
        { name: "gone", value: null },
        { name: "added", value: "new" },
        { name: "tenant", value: "acme" },
      ],
    ];
    const gone = { name: "gone", value: { type: "text", value: "x" } } as const;
    const sent = send(makeMessage({ headers: [count, first, gone, raw, second] }), { editedHeaders });
    expect(names(sent)).toEqual(["count", "tenant", "raw", "added", "dlo-queue", "dlo-letter", "dlo-replay"]);
    expect([sent.headers[0], sent.headers[2]]).toEqual([count, raw]);
    expect([headerText(sent.headers, "tenant"), headerText(sent.headers, "added")]).toEqual(["acme", "new"]);
  });

  it("begins anew: keys and order stay, attempts, errors and an earlier replay go", () => {
    const headers = {
      ...{ "dlo-queue": "orders", "dlo-key": "k", "dlo-order": "o", "dlo-schema": "order 3", "dlo-property-type": "t" },
      ...{ "dlo-attempt": "5", "dlo-history": "[]", "dlo-error": "{}", "dlo-reason": "poison", "dlo-lane": "3" },
      ...{ "dlo-letter": "ltr_0", "dlo-replay": "rpl_0/1", "dlo-wait": "1 2", "dlo-something-newer": "x" },
    };
    const sent = send(makeMessage({ headers }), { place: 3 });
    expect(names(sent)).toEqual([
      ...[
        "dlo-key",
        "dlo-order",
        "dlo-schema",
        "dlo-property-type",
        "dlo-queue",
        "dlo-letter",
        "dlo-replay",
        "dlo-lane",
      ],
    ]);
    expect([headerText(sent.headers, "dlo-letter"), headerText(sent.headers, "dlo-replay")]).toEqual([
      "ltr_1",
      "rpl_1/7",
    ]);
  });

  it("takes its place in its key along to the queue it failed in, also edited, and to no other", () => {
    const message = makeMessage({ headers: { "dlo-queue": "orders", "dlo-reason": "poison", "dlo-lane": "3" } });
    const stripped = { ...reading, replay: { ...reading.replay, strip: ["dlo-queue", "dlo-reason", "dlo-lane"] } };
    const place = (more: Partial<OutgoingLetter>) =>
      headerText(send(message, { reading: stripped, place: 4, ...more }).headers, "dlo-lane");
    // It failed again since, and what it came with is a place it has lost.
    expect([place({}), place({ editedBody: Uint8Array.of(1) })]).toEqual(["4", "4"]);
    expect(place({ place: null })).toBeUndefined();
    expect(place({ queue: "orders-2" })).toBeUndefined();
    expect(place({ reading: { ...stripped, source: "invoices" } })).toBeUndefined();
    const copied = makeMessage({ headers: { "dlo-queue": "invoices", "dlo-lane": "3" } });
    expect(headerText(send(copied).headers, "dlo-lane")).toBeUndefined();
  });

  it("keeps its idempotency key when it is redirected", () => {
    const message = makeMessage({ headers: { "dlo-queue": "orders", "dlo-key": "k" } });
    expect(carriedKey(send(message, { queue: "orders-2" }), "orders-2")).toBe("k");
  });

  it("does not pass on a key that was copied from another message", () => {
    const copied = makeMessage({ headers: { "dlo-queue": "invoices", "dlo-key": "of the invoice" } });
    expect(carriedKey(copied, "orders")).toBeUndefined();
    expect(carriedKey(send(copied), "orders")).toBeUndefined();
  });
});

import { expect, it } from "vitest";
import { makeMessage, textHeader } from "../../domain/message.ts";
import { encodeFitting } from "./fit.ts";
import { decodeMessage, sizeOf } from "./message-codec.ts";

const options = { fifo: false, newId: () => "id", waitMs: 0 };
const known = { maxMessageBytes: 10_000, isNew: false };
const ours = [textHeader("dlo-queue", "orders"), textHeader("dlo-reason", "poison")];

it("sends a dead letter without its error and history rather than not at all", () => {
  const headers = [...ours, textHeader("dlo-error", "e".repeat(2_000)), textHeader("dlo-history", "[]")];
  const outgoing = encodeFitting(makeMessage({ body: "x".repeat(9_000), headers }), options, known);
  expect(sizeOf(outgoing)).toBeLessThanOrEqual(10_000);
  const { MessageBody = "", MessageAttributes = {} } = outgoing;
  const { message } = decodeMessage({ Body: MessageBody, MessageAttributes }, { fifo: false, facts: false });
  expect(message.headers).toEqual(ours);
});

it("refuses a new message that would leave no room for the headers of its dead letter", () => {
  const tooLarge = expect.objectContaining({ code: "MESSAGE_TOO_LARGE" }) as Error;
  const message = makeMessage({ body: "x".repeat(9_000) });
  expect(() => encodeFitting(message, options, { ...known, isNew: true })).toThrow(tooLarge);
  expect(() => encodeFitting(message, options, known)).not.toThrow();
});

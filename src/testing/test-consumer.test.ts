import { expect, it } from "vitest";
import { headerText } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";
import { testConsumer } from "./test-consumer.ts";

it("runs a handler through injected failures to its end", async () => {
  const placed: unknown[] = [];
  const { sendJson, waitFor, failNext } = testConsumer({ handler: async ({ payload }) => void placed.push(payload) });
  failNext(2, Object.assign(new Error("down"), { code: "ECONNREFUSED" }));
  const order = sendJson({ id: 7 });
  await waitFor(order, "retrying");
  expect(placed).toEqual([]);
  await waitFor(order, "done");
  expect(placed).toEqual([{ id: 7 }]);
});

it("gives the dead letter with all that is known of it", async () => {
  const { sendJson, waitFor, failNext, deadLetters } = testConsumer({ handler: async () => {} });
  failNext(5, Object.assign(new Error("down"), { code: "ECONNREFUSED" }));
  const letter = await waitFor(sendJson({ id: 7 }), "dead");
  expect(headerText(letter.headers, wire.reason)).toBe("attempts_exhausted");
  expect(deadLetters()).toEqual([letter]);
});

it("ends attempts that hang by the time limit", async () => {
  const { sendJson, waitFor, hangNext, events } = testConsumer({ handler: async () => {}, timeLimitMs: 1_000 });
  hangNext(1);
  await waitFor(sendJson({}), "done");
  expect(events.map(({ type }) => type)).toContain("retried");
});

it("says what did happen when what was waited for does not", async () => {
  const { sendJson, waitFor } = testConsumer({ handler: async () => {} });
  await expect(waitFor(sendJson({}), "dead", { withinMs: 1_000 })).rejects.toThrow(
    "The message was not dead within 1000 ms of fake time: it was done.",
  );
});

import { expect, it } from "vitest";
import { SilentQueues } from "./silent-queues.ts";

it("leaves a queue alone for five minutes after the last time that it did not answer", () => {
  let now = 0;
  const silent = new SilentQueues({ now: () => now, after: () => () => {} });
  silent.note("orders.retry.10s");
  now = 200_000;
  silent.note("orders.retry.12s");
  expect(["10s", "12s", "15s"].map((delay) => silent.has(`orders.retry.${delay}`))).toEqual([true, true, false]);
  now = 300_000;
  expect(["10s", "12s"].map((delay) => silent.has(`orders.retry.${delay}`))).toEqual([false, true]);
});

import { expect, it } from "vitest";
import { type Keyed, KeyOrder } from "./key-order.ts";

function setup() {
  const released: string[] = [];
  const keys = new KeyOrder<Keyed>(({ id }) => released.push(id));
  const message = (id: string, { lane = "k", isRetry = false }: Partial<Keyed> = {}): Keyed => ({ id, lane, isRetry });
  return { keys, released, message };
}

it("lets one message of a key go at a time, in the order they were sent", () => {
  const { keys, released, message } = setup();
  const [first, second, third] = [message("1"), message("2"), message("3")];
  expect([first, second, third].map((one) => keys.join(one))).toEqual([true, false, false]);
  expect([keys.take(second), keys.take(first)]).toEqual([false, true]);
  keys.leave(first);
  expect(released).toEqual(["2"]);
  expect([keys.take(third), keys.take(second)]).toEqual([false, true]);
});

it("holds nothing up that has no key, or another", () => {
  const { keys, message } = setup();
  keys.take(message("1"));
  expect(keys.join(message("2", { lane: "other" }))).toBe(true);
  expect([keys.join(message("3", { lane: null })), keys.take(message("4", { lane: null }))]).toEqual([true, true]);
});

it("holds a key back while a message of it waits for a retry, also if that was only heard of", () => {
  const { keys, released, message } = setup();
  const [first, second, copy] = [message("1"), message("2"), message("retry/1", { isRetry: true })];
  keys.join(first);
  keys.join(second);
  keys.take(first);
  keys.block("k", "retry/1");
  keys.leave(first);
  expect([released, keys.take(second)]).toEqual([[], false]);
  expect([keys.join(copy), keys.take(copy)]).toEqual([true, true]);
  keys.leave(copy);
  expect([released, keys.take(second)]).toEqual([["2"], true]);
});

it("runs a retry that is due while another of its key is in hand when that is over, before all others", () => {
  const { keys, released, message } = setup();
  const [first, second, retry] = [message("1"), message("2"), message("r", { isRetry: true })];
  for (const one of [first, second]) keys.join(one);
  keys.take(first);
  keys.join(retry);
  expect(keys.take(retry)).toBe(false);
  keys.leave(first);
  expect(released).toEqual(["r"]);
});

it("lets a message go again that was put back", () => {
  const { keys, message } = setup();
  const first = message("1");
  keys.join(first);
  keys.take(first);
  keys.putBack(first);
  expect(keys.take(first)).toBe(true);
});

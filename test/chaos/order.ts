import { type Message, makeMessage, textHeader } from "../../src/domain/message.ts";
import { type DeadLetterReason, wire } from "../../src/domain/wire.ts";
import type { Dice } from "../simulation/dice.ts";

/** What an order does to the handler that gets it. */
export type Conduct =
  | "succeed"
  /** Fails as networks do, up to attempt `times`. */
  | "fail-transiently"
  /** Fails in a way nobody knows, always the same. */
  | "fail-strangely"
  | "refuse"
  /** Its body cannot be decoded: no handler should ever see it. */
  | "undecodable"
  | "throw-text"
  /** Never returns, and does not listen to its signal. */
  | "hang"
  /** Keeps the event loop to itself for `workMs`, the first `times` times. */
  | "block"
  /** Ends its process, the first `times` times. */
  | "exit"
  /** Returns, and its process ends `workMs` later because of a promise nobody awaited; the first `times` times. */
  | "throw-later";

/** What a message asks to be paid. Everything the handler does with it is in it, so that any process can do it. */
export interface Order {
  readonly id: string;
  /** Its idempotency key; shared by orders that are one and the same to their customer. */
  readonly key: string;
  readonly conduct: Conduct;
  readonly times: number;
  /** How long the handler works, in milliseconds. */
  readonly workMs: number;
}

/** One that is paid without any trouble. */
export function plainOrder(id: string, changes: Partial<Order> = {}): Order {
  return { id, key: `key-${id}`, conduct: "succeed", times: 1, workMs: 0, ...changes };
}

const weights = {
  succeed: 66,
  "fail-transiently": 16,
  "fail-strangely": 3,
  refuse: 10,
  undecodable: 5,
} satisfies Partial<Record<Conduct, number>>;

/** One of those that a kill loop runs on: nothing in it is meant to end a process. */
export function drawOrder(dice: Dice, id: string): Order {
  const conduct = dice.weighted(weights);
  const times = conduct === "fail-transiently" && !dice.chance(0.1) ? dice.between(1, 2) : endless;
  const workMs = dice.chance(0.9) ? dice.between(0, 40) : dice.between(100, 400);
  return { id, key: `key-${id}`, conduct, times, workMs };
}

/** More than any message gets; JSON has no infinity. */
const endless = 1_000;

/** What an order may be dead-lettered for, if nothing but itself goes wrong; empty if it should be paid. */
export function deservedReasons({ conduct, times }: Order): readonly DeadLetterReason[] {
  switch (conduct) {
    case "fail-transiently":
      return times >= endless ? ["attempts_exhausted"] : [];
    case "fail-strangely":
    case "throw-text":
      // Many of them at once are called a handler's problem, and then none is called poison.
      return ["poison", "attempts_exhausted"];
    case "hang":
      return ["poison"];
    case "refuse":
      return ["unprocessable"];
    case "undecodable":
      return ["schema_mismatch"];
    case "exit":
    case "block":
    case "throw-later":
      return times >= endless ? ["crash_poison"] : [];
    case "succeed":
      return [];
  }
}

/** As its producer sends it. Not all of it is text, and not all of it is ours. */
export function toMessage(order: Order): Message {
  const text = JSON.stringify({ ...order, note: "für Zoë" });
  return makeMessage({
    body: order.conduct === "undecodable" ? text.slice(0, -1) : text,
    headers: [
      // By name, as RabbitMQ would sort them.
      textHeader(wire.key, order.key),
      { name: "signature", value: { type: "bytes", value: Uint8Array.from([0, 255, 254]) } },
      textHeader("tenant", "acme"),
    ],
  });
}

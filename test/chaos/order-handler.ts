import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import { pause } from "../../src/domain/clock.ts";
import { Unprocessable } from "../../src/domain/handler-errors.ts";
import type { Handler, HandlerContext } from "../../src/runtime/attempt.ts";
import { systemClock } from "../../src/system/host.ts";
import { type Books, pay } from "./books.ts";
import type { Order } from "./order.ts";

export function digestOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

/** Pays orders: in the inbox's transaction where there is one. */
export function orderHandler(queue: string, books: Books): Handler<Order, PoolClient | undefined> {
  return async (context) => {
    const { payload: order, message, tx } = context;
    const payment = { id: order.id, key: order.key, digest: digestOf(message.body) };
    // Written before anything can fail: only the transaction keeps it from being seen.
    if (tx) await pay(tx, queue, payment);
    await act(context, () => books.visit(queue, order.id));
    if (!tx) await pay(books.pool, queue, payment);
  };
}

/** Does what the order is about. Returning is success. */
async function act({ payload, attempt }: HandlerContext<Order, unknown>, visit: () => Promise<number>): Promise<void> {
  const { conduct, times, workMs } = payload;
  if (conduct === "block" || conduct === "exit" || conduct === "throw-later") {
    if ((await visit()) <= times) await misbehave(conduct, workMs);
    return;
  }
  await pause(systemClock, workMs);
  if (conduct === "fail-transiently" && attempt <= times) throw connectionRefused();
  if (conduct === "fail-strangely") throw new Error("This should never happen");
  if (conduct === "refuse") throw new Unprocessable("The order was cancelled");
  if (conduct === "undecodable") throw new Error("A handler saw what cannot be decoded");
  // biome-ignore lint/style/useThrowOnlyError: handlers do, and it must do no harm.
  if (conduct === "throw-text") throw "broken";
  if (conduct === "hang") await new Promise(() => {});
}

/** What takes a process with it, or brings it to a stand. */
async function misbehave(conduct: "block" | "exit" | "throw-later", workMs: number): Promise<void> {
  if (conduct === "exit") process.exit(0);
  if (conduct === "block") standStill(workMs);
  else void rejectLater(workMs);
}

async function rejectLater(ms: number): Promise<never> {
  if (ms > 0) await pause(systemClock, ms);
  throw new Error("Nobody awaited this");
}

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function connectionRefused(): Error {
  return Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" });
}

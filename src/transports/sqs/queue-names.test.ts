import { expect, it } from "vitest";
import { sqsName } from "./queue-names.ts";

it("spells dots as dashes, and ends the names of FIFO queues as SQS wants it", () => {
  const of = (name: string, fifo: boolean) => sqsName({ name }, fifo);
  expect([of("orders", false), of("orders.dlq", false)]).toEqual(["orders", "orders-dlq"]);
  expect([of("orders", true), of("orders.fifo", true), of("orders.fifo.dlq", true)]).toEqual([
    "orders.fifo",
    "orders.fifo",
    "orders-dlq.fifo",
  ]);
});

it.each(["", "orders/eu", "bestellungen für alle", "x".repeat(81)])("refuses %j, which SQS does not", (name) => {
  expect(() => sqsName({ name }, false)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }) as Error);
});

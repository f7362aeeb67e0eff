import { expect, it } from "vitest";
import { OfficeError } from "../../domain/errors.ts";
import { unavailable } from "./unavailable.ts";

it("says what could not be done, and why", () => {
  expect(unavailable("RabbitMQ took no message", new Error("closed"))).toMatchObject({
    code: "TRANSPORT_UNAVAILABLE",
    message: "RabbitMQ took no message: closed",
  });
});

it("does not pass a client that is not installed for a broker that is away", () => {
  const missing = new OfficeError("MISSING_CLIENT_LIBRARY", "RabbitMQ needs the package amqplib: npm install amqplib");
  expect(unavailable("RabbitMQ could not say whether the queue orders exists", missing)).toBe(missing);
});

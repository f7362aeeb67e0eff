import { expect, it } from "vitest";
import type { Database } from "../domain/database.ts";
import { memoryTransport } from "../transports/memory.ts";
import { type OutboxRelayOptions, readRelayOptions } from "./relay-options.ts";

const database: Database = {
  serial: false,
  query: async () => ({ rows: [], count: 0 }),
  transaction: () => Promise.reject(new Error("not asked for")),
};
const read = (options: Partial<OutboxRelayOptions> = {}) =>
  readRelayOptions({ database, transport: memoryTransport(), ...options });

it.each([
  [{ batch: 0 }, "batch"],
  [{ concurrency: 1.5 }, "concurrency"],
  [{ pollMs: 0 }, "pollMs"],
  [{ sendWithinMs: 20_000 }, "leaseMs"],
  [{ firstRetryMs: 5_000, maxRetryMs: 1_000 }, "maxRetryMs"],
  [{ maxRefusals: 0 }, "maxRefusals"],
  [{ schema: "" }, "schema"],
] as const)("refuses %j", (options, option) => {
  expect(() => read(options)).toThrow(
    expect.objectContaining({
      code: "INVALID_OPTION",
      details: expect.objectContaining({ option }) as unknown,
    }) as Error,
  );
});

it("waits for ever for a database that runs inside the process, unless told otherwise", () => {
  const serial = { ...database, serial: true };
  expect(read().answerWithinMs).toBe(10_000);
  expect(read({ database: serial }).answerWithinMs).toBeNull();
  expect(read({ database: serial, answerWithinMs: 5 }).answerWithinMs).toBe(5);
});

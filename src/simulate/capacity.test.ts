import { expect, it } from "vitest";
import { capacityFor } from "./capacity.ts";

it("asks for what arrives and for what waits, and rounds up to whole consumers", () => {
  const load = { arrivalsPerSecond: 120, handlingMs: 250, backlog: 24_000 };
  expect(capacityFor({ load, perConsumer: 10, clearWithinMs: [600_000, 3_600_000] })).toEqual([
    { clearWithinMs: 600_000, concurrency: 40, consumers: 4 },
    { clearWithinMs: 3_600_000, concurrency: 32, consumers: 4 },
  ]);
});

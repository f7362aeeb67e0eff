import { describe, expect, it } from "vitest";
import { strugglingService } from "./struggling-service.ts";

const outage = { fromMs: 1_000, toMs: 2_000 };

describe("strugglingService", () => {
  it("answers one after the other, each taking its share of a second", () => {
    const service = strugglingService({ capacity: 10, outage, queueMs: null });
    expect([service(0), service(0), service(500)]).toEqual([100, 200, 600]);
  });

  it("answers what arrives during the outage after it, in order", () => {
    const service = strugglingService({ capacity: 10, outage, queueMs: null });
    expect([service(1_000), service(1_999), service(2_050)]).toEqual([2_100, 2_200, 2_300]);
  });

  it("finishes after the outage what it was working on when it began", () => {
    const service = strugglingService({ capacity: 10, outage, queueMs: null });
    expect(service(950)).toBe(2_050);
  });

  it("refuses what finds too much work ahead of it, and counts no outage as work", () => {
    const service = strugglingService({ capacity: 10, outage, queueMs: 200 });
    expect([service(1_100), service(1_100), service(1_100), service(1_900)]).toEqual([2_100, 2_200, null, null]);
    expect(service(2_001)).toBe(2_300);
  });
});

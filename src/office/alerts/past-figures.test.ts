import { describe, expect, it } from "vitest";
import { fullestFirst, hourMs, knownOf, lettersPerQueue, sumsFrom } from "./past-figures.ts";

const since = Date.parse("2026-11-01T00:00:00Z");

describe("what is known of the past", () => {
  it("goes back as far as letters of queues of that name were looked at, in whatever source they were", () => {
    const letter = { queue: "orders", category: "transient", decidedAt: null } as const;
    const busy = Array.from({ length: lettersPerQueue - 1 }, (_, at) => {
      return { ...letter, source: "eu", arrivedAt: since + (at + 2) * hourMs, failedAt: since };
    });
    const quiet = { ...letter, source: "us", arrivedAt: since + hourMs, failedAt: since };
    const place = { source: "us", queue: "orders" };
    expect(knownOf(place, [...busy, quiet], since)).toMatchObject({ letters: [quiet], from: quiet.arrivedAt });
    expect(knownOf(place, [...busy.slice(1), quiet], since)).toMatchObject({ letters: [quiet], from: since });
  });

  it("is looked for in the queues with most open letters first", () => {
    const count = (queue: string, state: string, n: number) => {
      return { source: "rabbit", queue, category: "transient", state, n } as const;
    };
    const counts = [count("audit", "resolved", 900), count("mail", "open", 3), count("orders", "open", 2)];
    const ranked = fullestFirst([...counts, count("orders", "returned", 2)]);
    expect(ranked.map(({ queue }) => queue)).toEqual(["orders", "mail", "audit"]);
  });

  it("counts for each hour what failed in it and later", () => {
    const failures = new Map([0, 2, 3].map((hour) => [since + hour * hourMs, hour + 1]));
    const sums = sumsFrom(failures, { since, now: since + 4.5 * hourMs });
    expect([0, 1, 2, 3, 4].map((hour) => sums.get(since + hour * hourMs))).toEqual([8, 7, 7, 4, 0]);
  });
});

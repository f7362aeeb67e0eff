import { describe, expect, it } from "vitest";
import { noLimit, shareOfActive, shareOfRequests, tokenThrottle } from "./retry-limits.ts";

function countAllowed(limit: { allowsRetry(now: number): boolean }, asked: number): number {
  return Array.from({ length: asked }, () => limit.allowsRetry(0)).filter(Boolean).length;
}

describe("limits on retries", () => {
  it("none lets every retry through", () => {
    expect(countAllowed(noLimit(), 100)).toBe(100);
  });

  it("a share of requests counts first attempts only, and adds the floor of its window", () => {
    const limit = shareOfRequests({ ratio: 0.2, floorPerSecond: 1 });
    for (let request = 0; request < 100; request++) limit.sent(0, false);
    for (let retry = 0; retry < 100; retry++) limit.sent(0, true);
    expect(countAllowed(limit, 100)).toBe(20 + 10);
  });

  it("a share of what is under way frees a retry's place when it ends or is not sent", () => {
    const limit = shareOfActive({ share: 0.2, least: 3 });
    expect(countAllowed(limit, 10)).toBe(3);
    for (let request = 0; request < 50; request++) limit.sent(0, false);
    expect(countAllowed(limit, 10)).toBe(7);
    limit.withdrawn();
    limit.sent(0, true);
    limit.ended({ succeeded: false, isRetry: true });
    expect(countAllowed(limit, 10)).toBe(2);
  });

  it("a throttle stops retries when half its tokens are gone, and ten successes give one back", () => {
    const limit = tokenThrottle({ maxTokens: 10, perSuccess: 0.1 });
    const end = (succeeded: boolean, times: number) => {
      for (let call = 0; call < times; call++) limit.ended({ succeeded, isRetry: false });
    };
    end(false, 4);
    expect(limit.allowsRetry(0)).toBe(true);
    end(false, 1);
    expect(limit.allowsRetry(0)).toBe(false);
    end(true, 10);
    expect(limit.allowsRetry(0)).toBe(true);
    end(false, 100);
    end(true, 49);
    expect(limit.allowsRetry(0)).toBe(false);
  });
});

import { expect, it } from "vitest";
import { OfficeError } from "../domain/errors.ts";
import { makeMessage } from "../domain/message.ts";
import { judgeFailure } from "./judge-failure.ts";

const policy = { firstRetryMs: 100, maxRetryMs: 1_000, maxRefusals: 3, random: () => 1 };
const claimed = { id: "1", claim: "c", lane: null, to: { name: "orders" }, message: makeMessage({}) };
const after = (tries: number, refusals = 0) => ({ ...claimed, tries, refusals });
const tooLarge = new OfficeError("MESSAGE_TOO_LARGE", "too large");

it("waits longer after each failure, up to a limit", () => {
  const waits = [0, 1, 2, 3, 4, 5_000].map((tries) => judgeFailure(new Error("away"), after(tries), policy).delayMs);
  expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});

it("leaves half of a wait to chance", () => {
  expect(judgeFailure(new Error("away"), after(0), { ...policy, random: () => 0 }).delayMs).toBe(50);
});

it("sets aside what was refused often enough, however often it failed for other reasons", () => {
  expect(judgeFailure(tooLarge, after(50, 0), policy).outcome).toBe("refused");
  expect(judgeFailure(tooLarge, after(50, 1), policy).outcome).toBe("refused");
  expect(judgeFailure(tooLarge, after(50, 2), policy).outcome).toBe("set aside");
  expect(judgeFailure(new Error("away"), after(50, 2), policy).outcome).toBe("failed");
});

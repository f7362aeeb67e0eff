import { describe, expect, it } from "vitest";
import { OfficeError } from "../../domain/errors.ts";
import type { Ask } from "../../http/client.ts";
import { statusOf } from "./whole-status.ts";

/** An office in which nothing happens, and which refuses or fails to tell of its breakers. */
function officeFailing(error: Error) {
  const answers: Readonly<Record<string, unknown>> = {
    "queues.list": { counts: [], oldest: [], failures: [] },
    "replays.list": { items: [] },
    "status.get": {},
    "status.ledger": {},
  };
  const ask = (async (name: string) => {
    if (name === "breakers.list") throw error;
    return answers[name];
  }) as Ask;
  return { ask, place: "a test", here: null };
}

describe("the status of an office", () => {
  it("is without breakers for somebody to whom not all queues are shown", async () => {
    const refused = new OfficeError("NOT_ALLOWED", "Your queues are not all queues.");
    expect((await statusOf(officeFailing(refused))).breakers).toBeNull();
  });

  it("fails with the office, and does not hide breakers that may be open", async () => {
    const failed = new OfficeError("SERVER_FAILED", "The office answered 500 and no more.");
    await expect(statusOf(officeFailing(failed))).rejects.toBe(failed);
  });
});

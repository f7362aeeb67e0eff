import { expect, it } from "vitest";
import type { Ledger } from "../ledger/ledger.ts";
import { eventually } from "../testing/eventually.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { Presence } from "./presence.ts";
import { statusOf } from "./standing-work.ts";

it("says again that it lives, also when its clock is set back", async () => {
  const passing = fakeClock();
  let setBackMs = 0;
  const clock = { ...passing, now: () => passing.now() - setBackMs };
  let heard = 0;
  const query = async () => {
    heard += 1;
    return { rows: [{ cut: null, now: passing.now() }] };
  };
  const presence = new Presence(clock);
  const process = { id: "0000-1", version: "1", duties: ["http"], host: "here" } as const;
  const look = () => ({ work: statusOf(null), followers: 0 });
  await presence.begin({ database: { query }, at: "dlo" } as unknown as Ledger, process, look);
  await passing.advance(9_000);
  expect(heard).toBe(1);
  setBackMs = 3_600_000;
  await passing.advance(20_000);
  // It reads first which migrations it knows.
  await eventually(() => expect(heard).toBeGreaterThan(1));
});

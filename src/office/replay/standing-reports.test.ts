import { expect, it } from "vitest";
import { pause } from "../../domain/clock.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { standingReports } from "./standing-reports.ts";

it("reads every source, begins again with one that fails, and lets it hold up no other", async () => {
  const clock = fakeClock();
  let isAway = true;
  const standing = standingReports({
    clock,
    sources: () => [{ name: "well" }, { name: "away" }],
    async read(source, { signal, onTaken }) {
      if (source === "away" && isAway) throw new Error("connect ECONNREFUSED");
      onTaken();
      await pause(clock, 1e9, signal);
    },
  });
  await clock.advance(10_000);
  expect(standing.status()).toMatchObject([
    { source: "well", state: "reading", taken: 1, trouble: null },
    { source: "away", state: "waiting", taken: 0, trouble: "connect ECONNREFUSED" },
  ]);
  isAway = false;
  await clock.advance(30_000);
  expect(standing.status()[1]).toMatchObject({ state: "reading", taken: 1, trouble: null });
  await standing.close();
});

import { expect, it } from "vitest";
import { fakeClock } from "../../testing/fake-clock.ts";
import { type TroubleWatch, tellTroubles } from "./tell-troubles.ts";

type Work = ReturnType<TroubleWatch["look"]>;

const fine: Work = { drains: [], reports: [], notifiers: [], replays: [], chores: [] };
const since = 0;

function drainOf(queue: string, trouble: string | null): Work["drains"][number] {
  const troubledSince = trouble === null ? null : 1;
  return { source: "rabbit", queue, state: "waiting", since, held: 0, trouble, troubledSince, lastTrouble: null };
}

it("says once what cannot be done, in whatever words it fails, and once that it can again", async () => {
  const clock = fakeClock();
  const stop = new AbortController();
  const said: string[] = [];
  let work = fine;
  const telling = tellTroubles({ look: () => work, note: (line) => said.push(line), clock, signal: stop.signal });
  await clock.advance(2_000);
  expect(said).toEqual([]);

  work = {
    ...fine,
    drains: [drainOf("*", "connect ECONNREFUSED"), drainOf("a.dlq", "Login was refused."), drainOf("b.dlq", null)],
    reports: [{ source: "rabbit", state: "waiting", since, taken: 0, trouble: "away", lastTrouble: null }],
    notifiers: [{ name: "pager", state: "waiting", since, told: 0, trouble: "503", lastTrouble: null }],
    replays: [{ replay: "rpl_1", state: "waiting", since, trouble: "away", lastTrouble: null }],
  };
  await clock.advance(2_000);
  work = { ...work, drains: [drainOf("*", "read ECONNRESET"), drainOf("a.dlq", "Login was refused.")] };
  await clock.advance(2_000);
  expect(said.splice(0)).toEqual([
    "Trouble: finding the queues of rabbit: connect ECONNREFUSED. It is tried again.",
    "Trouble: draining rabbit/a.dlq: Login was refused. It is tried again.",
    "Trouble: reading the reports of rabbit: away. It is tried again.",
    "Trouble: telling pager: 503. It is tried again.",
    "Trouble: leading rpl_1: away. It is tried again.",
  ]);

  work = { ...fine, drains: [drainOf("a.dlq", null)] };
  await clock.advance(2_000);
  expect(said).toHaveLength(5);
  expect(said).toContain("Over: draining rabbit/a.dlq.");
  stop.abort();
  await telling;
});

it("lets no broker draw on the terminal", async () => {
  const clock = fakeClock();
  const stop = new AbortController();
  const said: string[] = [];
  const work = { ...fine, drains: [drainOf("a\u001b[2J", "refused\u0007\nTrouble: all is lost")] };
  const telling = tellTroubles({ look: () => work, note: (line) => said.push(line), clock, signal: stop.signal });
  await clock.advance(2_000);
  stop.abort();
  await telling;
  expect(said).toEqual([
    "Trouble: draining rabbit/a\\u{1b}[2J: refused\\u{7}\\u{a}Trouble: all is lost. It is tried again.",
  ]);
});

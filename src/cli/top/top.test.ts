import { describe, expect, it } from "vitest";
import { fakeWindow } from "../../../test/cli/fake-window.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { Ask } from "../../http/client.ts";
import { eventually } from "../../testing/eventually.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { terminalOf } from "../terminal/terminal.ts";
import { showLive } from "./live-top.ts";

function group(id: string, open: number) {
  return {
    ...{ id, open, why: "new", queue: "orders", source: "rabbit", title: `${id} failed`, category: "transient" },
    ...{
      oldestOpenAt: "2026-11-16T05:00:00Z",
      hours: [1, 2, 3],
      nextStep: { code: "replay.plan", label: "plan a replay" },
    },
  };
}

function queues(open: number) {
  return {
    ...{
      counts: [
        { state: "open", n: open - 1 },
        { state: "returned", n: 1 },
        { state: "dropped", n: 5 },
      ],
    },
    ...{ oldest: [{ failedAt: "2026-11-16T05:00:00Z" }], failures: [{ hours: [9, 4] }, { hours: [9, 2] }] },
  };
}

/** An office whose answers a test gives. */
function office() {
  const answers: Record<string, unknown> = {
    "inbox.list": { items: [group("grp_a", 1_204), group("grp_b", 17)], openGroups: 2 },
    "queues.list": queues(1_221),
    "replays.list": { items: [] },
    "breakers.list": { items: [{ name: "bank", state: "open" }] },
    "status.get": { now: "2026-11-16T06:12:00Z", stopped: null },
    "groups.get": { summary: "grp_b failed\n17 open of 17" },
  };
  const ask = (async (name: string) => {
    const answer = answers[name];
    if (answer instanceof Error) throw answer;
    return answer;
  }) as Ask;
  return { answers, work: { ask, place: "a test", here: null } };
}

function setup() {
  const clock = fakeClock();
  const stop = new AbortController();
  const { answers, work } = office();
  const { window, keyboard, take } = fakeWindow({ columns: 120, rows: 20 });
  const terminal = terminalOf({ isTTY: true, write: () => {} }, { NO_COLOR: "1" });
  const ending = showLive(work, { terminal, clock, signal: stop.signal }, window);
  const press = async (key: string) => {
    await eventually(() => expect(keyboard.raw).toBe(true));
    keyboard.emit("data", key);
  };
  return { clock, answers, take, ending, press };
}

describe("dlo top", () => {
  it("shows what is open, how old, what arrives and which breakers are open, and says how to plan what is chosen", async () => {
    const { press, take, ending } = setup();
    await press("j");
    await press("j");
    await press("r");
    expect(await ending).toBe("grp_b");
    const drawn = take();
    expect(drawn).toContain("open 1,221 in 2 groups   oldest 1h   this hour 6   breakers bank open");
    expect(drawn).toMatch(/> +new +17 .* plan a replay +grp_b failed/);
  });

  it("counts what is open by queue, with all groups where the inbox has more than it gives, and says so where nobody tells of breakers", async () => {
    const { clock, answers, press, take, ending } = setup();
    await press("j");
    take();
    answers["inbox.list"] = { items: Array.from({ length: 200 }, (_, n) => group(`grp_${n}`, 3)), openGroups: 1_280 };
    answers["queues.list"] = queues(5_000);
    answers["breakers.list"] = new OfficeError("NOT_ALLOWED", "Your queues are not all queues.");
    await clock.advance(2_000);
    const vitals = "open 5,000 in 1,280 groups   oldest 1h   this hour 6   breakers unknown";
    await eventually(() => expect(take()).toContain(vitals));
    await press("q");
    await ending;
  });

  it("shows a group and comes back from it", async () => {
    const { press, take, ending } = setup();
    await press("j");
    await press("\r");
    await eventually(() => expect(take()).toContain("17 open of 17"));
    await press("\u001b");
    expect(take()).toContain("Enter look");
    await press("q");
    expect(await ending).toBeNull();
  });

  it("looks again, and keeps what it knew while the office does not answer", async () => {
    const { clock, answers, press, take, ending } = setup();
    await press("j");
    take();
    answers["inbox.list"] = new Error("No office answers.");
    await clock.advance(2_000);
    await eventually(() => expect(take()).toContain("No office answers. Shown is what was known then."));
    answers["inbox.list"] = { items: [group("grp_a", 9)], openGroups: 1 };
    answers["queues.list"] = queues(9);
    await clock.advance(2_000);
    await eventually(() => expect(take()).toContain("open 9 in 1 group"));
    await press("q");
    await ending;
  });
});

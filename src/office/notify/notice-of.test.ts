import { describe, expect, it } from "vitest";
import { noticeOf } from "./notice-of.ts";

const rules = { isCritical: (source: string, queue: string) => `${source}/${queue}` === "rabbit/payments.dlq" };
const at = "2026-11-15T14:38:00.000Z";

function said(action: string, details: object) {
  const text = JSON.stringify({ at, actor: { id: "ana" }, action, ...details });
  return noticeOf({ n: 7, text }, rules);
}

describe("somebody who is not looking is told", () => {
  it.each([
    ["replay.asked", { reason: "payments is back" }, "approval", "ana asks for approval: payments is back"],
    ["replay.halted", { guard: "returns", sentence: "6 % came back." }, "halted", "A replay halted: 6 % came back."],
    ["replay.paused", { because: "outcome unknown", unknown: 5 }, "halted", "A replay is paused: nobody reported"],
    ["replay.glass_broken", { reason: "on fire" }, "halted", "ana broke the glass: on fire"],
    [
      "replay.finished",
      { verdict: "with returns", counts: { sent: 1_117, returned: 26 } },
      "returned",
      "A replay finished: 26 of 1,117 came back",
    ],
  ])("of %s, in one line, with the way to the replay", (action, details, occasion, text) => {
    expect(said(action, { replay: "rpl_1", ...details })).toMatchObject({
      ...{ occasion, type: action, n: 7, at, about: "rpl_1", path: "/replays/rpl_1" },
      text: expect.stringContaining(text) as string,
    });
  });

  it("of tokens that will be suspended, with the day", () => {
    const details = { owner: "eve", tokens: 2, suspendsAt: "2026-11-27T08:00:00.000Z" };
    expect(said("tokens.suspending", details)).toMatchObject({
      ...{ occasion: "token", about: "tokens:eve", path: "/settings/tokens" },
      text: "Tokens of eve (2) will be suspended on 2026-11-27, unless they sign in before",
    });
  });

  it("that all sending was stopped, and of a single letter where the queue is critical", () => {
    expect(said("sending.stopped", { reason: "" })).toMatchObject({
      occasion: "halted",
      text: "ana stopped all sending",
    });
    const held = { source: "rabbit", drainedFrom: "payments.dlq", held: 1 };
    expect(said("letters.held", held)).toMatchObject({
      ...{
        occasion: "alert",
        about: "rabbit/payments.dlq",
        text: "1 dead letter in rabbit/payments.dlq, which is critical",
      },
    });
  });
});

describe("nobody is told", () => {
  it.each([
    ["replay.finished", { replay: "rpl_1", verdict: "clean", counts: {} }],
    ["replay.paused", { replay: "rpl_1", because: "asked" }],
    ["letters.held", { source: "rabbit", drainedFrom: "orders.dlq", held: 900 }],
    ["letters.held", { source: "rabbit", drainedFrom: "payments.dlq", held: 0 }],
    ["session.begun", {}],
  ])("of %s %j", (action, details) => expect(said(action, details)).toBeNull());
});

it("cuts what people wrote: a phone shows one line", () => {
  const { text = "" } = said("replay.asked", { replay: "rpl_1", reason: `so\n${"long ".repeat(2_000)}` }) ?? {};
  expect(text.length).toBeLessThan(160);
  expect(text).not.toContain("\n");
});

import { expect, it } from "vitest";
import { pause } from "../domain/clock.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import type { InboxEntry, Turn } from "./inbox.ts";
import { memoryInbox } from "./memory-inbox.ts";

const entry: InboxEntry = { scope: "orders", key: "k", windowMs: 60_000, leaseMs: 1_000 };
const nothing = () => Promise.resolve();

function setup({ commitMs = 0 } = {}) {
  const clock = fakeClock(0);
  const log: string[] = [];
  let begun = 0;
  const inbox = memoryInbox<string>({
    clock,
    transactions: {
      begin() {
        begun += 1;
        log.push(`begin ${begun}`);
        return `${begun}`;
      },
      async commit(tx) {
        if (commitMs > 0) await pause(clock, commitMs);
        log.push(`commit ${tx}`);
      },
      rollback(tx) {
        log.push(`rollback ${tx}`);
      },
    },
  });
  return { clock, log, inbox };
}

it("ends every transaction it begins, once", async () => {
  const { inbox, log } = setup();
  await inbox.once(entry, nothing);
  await expect(inbox.once({ ...entry, key: "fails" }, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const abandon = async (turn: Turn<string>) => turn.abandon();
  await expect(inbox.once({ ...entry, key: "abandoned" }, abandon)).rejects.toMatchObject({ code: "TRANSACTION_OVER" });
  await inbox.without(nothing);
  await expect(inbox.without(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(log).toEqual([
    ...["begin 1", "commit 1"],
    ...["begin 2", "rollback 2"],
    ...["begin 3", "rollback 3"],
    ...["begin 4", "commit 4"],
    ...["begin 5", "rollback 5"],
  ]);
});

it("lets nobody take over while it commits, however long that takes", async () => {
  const { inbox, clock } = setup({ commitMs: 5_000 });
  const first = inbox.once(entry, nothing);
  await clock.advance(3_000);
  expect(await inbox.once(entry, nothing)).toBe("busy");
  await clock.advance(2_000);
  expect(await first).toBe("ran");
  expect(await inbox.once(entry, nothing)).toBe("duplicate");
});

it("begins no transaction for a duplicate", async () => {
  const { inbox, log } = setup();
  await inbox.once(entry, nothing);
  await inbox.once(entry, nothing);
  expect(log).toEqual(["begin 1", "commit 1"]);
});

it("forgets at the end of the window, though the turn is extended after the success", async () => {
  const { inbox, clock } = setup();
  let turn: Turn<string> | undefined;
  await inbox.once(entry, async (given) => {
    turn = given;
  });
  expect(await turn?.extend(1_000_000)).toBe(false);
  await clock.advance(59_999);
  expect(await inbox.once(entry, nothing)).toBe("duplicate");
  await clock.advance(1);
  expect(await inbox.once(entry, nothing)).toBe("ran");
});

it("still counts the success of a slow caller whom nobody overtook", async () => {
  const { inbox, clock } = setup();
  const slow = inbox.once(entry, () => pause(clock, 10_000));
  await clock.advance(10_000);
  expect(await slow).toBe("ran");
  expect(await inbox.once(entry, nothing)).toBe("duplicate");
});

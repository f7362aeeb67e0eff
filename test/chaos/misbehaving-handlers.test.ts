import { expect, it } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { describeServer } from "../servers/describe-server.ts";
import { idOf } from "../simulation/planned-message.ts";
import { brokers } from "./brokers.ts";
import type { ConsumerProcess } from "./consumer-process.ts";
import type { Note } from "./note.ts";
import { type Order, plainOrder } from "./order.ts";
import { supervise } from "./supervise.ts";
import { type Scene, useBroker } from "./use-broker.ts";

const innocents = Array.from({ length: 20 }, (_, index) => plainOrder(`innocent-${index}`));
const innocentIds = innocents.map(({ id }) => id).sort();
const leaseMs = 1_000;
/** Of whoever is to be the last: nobody waits for its end, and a busy machine must not take its messages from it. */
const lastLeaseMs = 30_000;
/** Of whoever dies: its messages come again soon, and yet none while a busy machine lets it stand still. */
const dyingLeaseMs = 3_000;

/** What docs/guides/misbehaving-handlers.md promises, with real processes on a real server. */
describeServer("a handler", brokers.postgres.missing, () => {
  const broker = useBroker("postgres");

  it("that never returns is given up three times, and its message is poison; nobody waits for it", async () => {
    const scene = broker.open("never returns");
    const consumer = scene.consume({ timeLimitMs: 2_000, leaseMs: lastLeaseMs });
    await scene.send([plainOrder("hanging", { conduct: "hang" }), ...innocents]);
    await settled(scene);
    expect(await endOf(scene, "hanging")).toEqual(["never returns.dlq.quarantine.poison"]);
    expect(about(consumer, "hanging", "attempt-failed").map(({ detail }) => detail)).toEqual([
      "TimeLimitExceeded",
      "TimeLimitExceeded",
      "TimeLimitExceeded",
    ]);
    await expectInnocentsPaid(scene);
    expect(await consumer.stop()).toMatchObject({ code: 0 });
  });

  it("that throws a string fails like any other, and the third time its message is poison", async () => {
    const scene = broker.open("throws text");
    const consumer = scene.consume({ leaseMs: lastLeaseMs });
    await scene.send([plainOrder("text", { conduct: "throw-text" }), ...innocents]);
    await settled(scene);
    expect(await endOf(scene, "text")).toEqual(["throws text.dlq.quarantine.poison"]);
    expect(about(consumer, "text", "attempt-failed").map(({ detail }) => detail)).toEqual([
      "string",
      "string",
      "string",
    ]);
    await expectInnocentsPaid(scene);
  });

  it("that throws after it returned ends its process; its message stays done, the others come again for nothing", async () => {
    const scene = broker.open("throws later");
    const slow = innocents.slice(0, 5).map((order): Order => ({ ...order, workMs: 4_000 }));
    await scene.send([plainOrder("returned", { conduct: "throw-later", workMs: 2_000 }), ...slow]);
    const timeLimitMs = 60_000;
    // It takes all of them at once.
    const dying = scene.consume({ leaseMs: dyingLeaseMs, timeLimitMs });
    const { code, complaint } = await dying.ended;
    expect(code).toBe(1);
    expect(complaint).toContain("Nobody awaited this");
    expect(await scene.paid()).toEqual(["returned"]);
    const heir = scene.consume({ leaseMs: lastLeaseMs, timeLimitMs });
    await settled(scene);
    expect(about(heir, "returned")).toEqual([]);
    expect(heir.notes.filter(({ type }) => type === "attempt-started").map(({ attempt }) => attempt)).toEqual(
      slow.map(() => 1),
    );
    expect([...(await scene.paid())].sort()).toEqual([...slow.map(({ id }) => id), "returned"].sort());
  });

  it("that throws the moment it returned is not done, and ends in quarantine after four processes", async () => {
    const scene = broker.open("throws at once");
    const supervisor = supervise(() => scene.consume({ leaseMs: dyingLeaseMs }));
    await scene.send([plainOrder("returned", { conduct: "throw-later", workMs: 0, times: 1_000 }), ...innocents]);
    await settled(scene);
    expect((await supervisor.stop()).map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    expect(await endOf(scene, "returned")).toEqual(["throws at once.dlq.quarantine.poison"]);
    await expectInnocentsPaid(scene);
  });

  it.each([
    { inbox: true, times: 1 },
    { inbox: false, times: 2 },
  ])(
    "that blocks past its lease loses its message to another process; inbox $inbox: paid $times times",
    async ({ inbox, times }) => {
      const scene = broker.open(`blocks, inbox ${inbox}`);
      const [first, second] = [scene.consume({ inbox, leaseMs }), scene.consume({ inbox, leaseMs })];
      await atWork(scene, [first, second]);
      await scene.send([plainOrder("blocking", { conduct: "block", workMs: 4 * leaseMs })]);
      await settled(scene);
      const [blocked, other] =
        about(first, "blocking", "attempt-started")[0]?.suspect === false ? [first, second] : [second, first];
      expect(about(other, "blocking", "attempt-started")).toMatchObject([{ attempt: 1, suspect: true }]);
      await eventually(() => expect(about(other, "blocking", "attempt-succeeded")).toHaveLength(1));

      await other.stop();
      await scene.send(innocents);
      await eventually(async () => (await scene.depth()) === 0, { withinMs: 120_000 });
      expect((await scene.paid()).filter((id) => !id.startsWith(early))).toHaveLength(innocents.length + times);
      expect(about(blocked, "blocking", "attempt-succeeded")).toHaveLength(inbox ? 0 : 1);
      expect(await scene.resting()).toEqual([]);
      expect(await blocked.stop()).toMatchObject({ code: 0 });
    },
  );

  it("that blocks one process after the other is quarantined", async () => {
    const scene = broker.open("blocks always");
    const consumers = [scene.consume({ leaseMs }), scene.consume({ leaseMs })];
    await atWork(scene, consumers);
    // For longer than the lease and the time until the other looks again: else it would be done before anybody took it.
    await scene.send([plainOrder("blocking", { conduct: "block", workMs: 4 * leaseMs, times: 1_000 })]);
    await settled(scene);
    expect(await endOf(scene, "blocking")).toEqual(["blocks always.dlq.quarantine.poison"]);
    const letters = () => consumers.flatMap((consumer) => about(consumer, "blocking", "dead-lettered"));
    await eventually(() => expect(letters()).toMatchObject([{ detail: "crash_poison" }]));
    expect((await scene.paid()).filter((id) => !id.startsWith(early))).toEqual([]);
  });

  it("that exits the process is run alone the next time, and what was in hand with it is paid once", async () => {
    const scene = broker.open("exits");
    const dying = scene.consume({ leaseMs: dyingLeaseMs });
    const slow = innocents.map((order): Order => ({ ...order, workMs: 100 }));
    await scene.send([plainOrder("exiting", { conduct: "exit" }), ...slow]);
    expect(await dying.ended).toMatchObject({ code: 0, signal: null });
    const heir = scene.consume({ leaseMs: lastLeaseMs });
    await settled(scene);
    expect(about(heir, "exiting", "attempt-started")).toMatchObject([{ attempt: 1, suspect: true }]);
    await expectInnocentsPaid(scene, "exiting");
  });
});

const early = "early-";

/** Each has taken something: on a busy machine one may begin long after the other. More come than one takes ahead. */
async function atWork(scene: Scene, consumers: readonly ConsumerProcess[]): Promise<void> {
  for (let round = 0; consumers.some(({ notes }) => notes.length === 0); round++) {
    await scene.send(Array.from({ length: 25 }, (_, n) => plainOrder(`${early}${round}-${n}`, { workMs: 200 })));
    await settled(scene);
  }
}

function settled({ depth }: Scene): Promise<void> {
  return eventually(async () => (await depth()) === 0, { withinMs: 120_000 });
}

/** The queues an order rests in. */
async function endOf({ resting }: Scene, id: string): Promise<string[]> {
  return (await resting()).filter(({ message }) => idOf(message) === id).map(({ queue }) => queue);
}

function about({ notes }: ConsumerProcess, id: string, type?: Note["type"]): Note[] {
  return notes.filter((note) => note.id === id && (type === undefined || note.type === type));
}

async function expectInnocentsPaid({ paid }: Scene, ...others: readonly string[]): Promise<void> {
  expect([...(await paid())].sort()).toEqual([...innocentIds, ...others].sort());
}

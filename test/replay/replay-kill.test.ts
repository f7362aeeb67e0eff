import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, expect, it } from "vitest";
import { showId } from "../../src/domain/ids.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { openBroker, readAll, type UsedBroker } from "./brokers.ts";
import { places } from "./places.ts";
import type { ReplayStep, ReplayTask } from "./replay-process.ts";
import { bodiesOf, countsOf, holdLetters, itemsOf, killed, planned, replayWorld, started, stateOf } from "./world.ts";

const script = fileURLToPath(import.meta.resolve("./replay-process.ts"));
/** Ten of each in the usual run; DLO_REPLAY_KILLS=100 for the long one. */
const kills = Number(process.env.DLO_REPLAY_KILLS ?? 10);
const steps: readonly ReplayStep[] = [
  ...(["after the intent", "while sending", "before the commit", "before the note"] as const),
  ...(["after the note", "before the intent"] as const),
];

for (const { name, missing, tells, use } of places) {
  describeServer(`a replay to ${name} that is killed`, noPostgres ?? missing, () => {
    const postgres = usePostgres();
    const brokerOf = use();
    const children = new Set<ChildProcess>();
    let ledger: Ledger;
    afterEach(() => {
      for (const child of children) child.kill("SIGKILL");
    });
    beforeAll(async () => {
      ledger = await openLedger({ database: postgres.database });
    });

    /** Resolves to the signal that ended it, or null when it ended by itself. */
    function run(task: Omit<ReplayTask, "database">): Promise<string | null> {
      const given: ReplayTask = { ...task, database: postgres.url };
      const child = spawn(process.execPath, [script, JSON.stringify(given)], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      children.add(child);
      return new Promise((resolve) =>
        child.once("exit", (_code, signal) => {
          children.delete(child);
          resolve(signal);
        }),
      );
    }

    it(`sends nothing twice and forgets nothing, ${kills} times`, { timeout: 120_000 + kills * 30_000 }, async () => {
      const broker = brokerOf();
      const queue = `orders-${crypto.randomUUID()}`;
      const bodies = Array.from({ length: kills * 15 + 20 }, (_, n) => `letter ${n}`);
      await readFirst(broker, postgres.url, queue);
      const { parts } = replayWorld(ledger, { protocol: killed.protocol });
      const letters = await holdLetters(ledger, bodies, { queue });
      const replay = await planned(parts, letters);
      await started(parts, replay);
      const task = { broker, queue, replay: showId("replay", replay) };
      for (let round = 0; round < kills; round++) {
        const step = steps[round % steps.length] ?? null;
        const after = step === "while sending" ? 1 + (round % 4) : 1;
        expect(await run({ ...task, step, after })).toBe("SIGKILL");
      }
      while ((await stateOf(parts, replay)) === "running") await run({ ...task, step: null, after: 0 });
      expect(await stateOf(parts, replay)).toBe("finished");

      const counts = await countsOf(parts, replay);
      const { transport, close } = await openBroker(broker, postgres.url);
      const arrived = bodiesOf(await readAll(transport, queue, counts.sent));
      await close();
      expect(arrived.length).toBe(new Set(arrived).size);
      // What is known as sent arrived, and what did not arrive is listed as in doubt.
      const items = await itemsOf(parts, replay);
      const bodyOf = new Map(letters.map((id, index) => [showId("letter", id), bodies[index] ?? ""]));
      const there = new Set(arrived);
      const missed = items.filter(({ letterId }) => !there.has(bodyOf.get(showId("letter", letterId)) ?? ""));
      expect(missed.map(({ progress }) => progress).filter((progress) => progress !== "in_doubt")).toEqual([]);
      expect(counts.sent + counts.inDoubt).toBe(bodies.length);
      expect(counts.inDoubt).toBeLessThanOrEqual(tells ? 0 : kills * killed.protocol.batch);
      if (!tells) expect(counts.inDoubt).toBeGreaterThan(0);
    });
  });
}

/** Somebody is at work there before letters are sent back, as somebody mostly is. */
async function readFirst(broker: UsedBroker, databaseUrl: string, queue: string): Promise<void> {
  const { transport, close } = await openBroker(broker, databaseUrl);
  await transport.send({ name: queue }, makeMessage({ body: "an earlier one" }));
  expect(bodiesOf(await readAll(transport, queue, 1))).toEqual(["an earlier one"]);
  await close();
}

import { beforeAll, expect, it } from "vitest";
import { noteHeartbeat, workingConsumers } from "../../src/ledger/consumers.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import type { Call } from "../../src/office/operations/operations.ts";
import { callsOn } from "../policy/office.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { deadLetter, hold, tester } from "./letters.ts";

onEachDatabase("consumers that report themselves", (tested) => {
  let ledger: Ledger;
  let call: Call;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
    call = callsOn(ledger);
  });

  const beat = (queue: string, instance: string, version = "1") =>
    noteHeartbeat(ledger, "rabbit", {
      ...{ v: 1, kind: "heartbeat", service: "shop", version, instance, at: new Date().toISOString() },
      queues: [
        { queue, schemas: [{ name: "order", versions: [version] }], inboxWindowS: 60, retryHorizonS: 9, probe: true },
      ],
    });
  /** As if nothing had been heard on that queue for so long. */
  const silentFor = (queue: string, howLong: string) =>
    ledger.database.query(
      `update ${ledger.at}.consumers set last_seen_at = last_seen_at - $2::interval where queue = $1`,
      [queue, howLong],
    );
  const listed = async (queue: string) =>
    (await call("consumers.list", tester, {})).items.filter((each) => each.queue === queue);
  const drawn = async (queue: string) => {
    const { sources } = await call("topology.get", tester, {});
    const found = sources.flatMap(({ queues }) => queues).find(({ name }) => name === queue);
    return { consumers: found?.consumers, codes: found?.warnings.map(({ code }) => code) };
  };
  const processesOf = async (queue: string) =>
    (await workingConsumers(ledger, [queue])).get(`rabbit/${queue}`)?.map(({ instance }) => instance);
  const rememberedOf = async (queue: string) => {
    const { rows } = await ledger.database.query<{ instance: string }>(
      `select instance from ${ledger.at}.consumers where queue = $1 order by 1`,
      [queue],
    );
    return rows.map(({ instance }) => instance);
  };

  it("are at work while they are heard, and not because nobody was heard since", async () => {
    const queue = "silent";
    await hold(ledger, [
      {
        letter: deadLetter(
          { headers: { queue, class: "TimeoutError", message: "timed out" } },
          { queue: "silent.dlq" },
        ),
        found: { kind: "position", position: queue },
      },
    ]);
    for (const instance of ["a", "b"]) await beat(queue, instance);
    // However long this test takes.
    await silentFor(queue, "-1 hour");
    expect(await listed(queue)).toMatchObject([{ version: "1", instances: 2 }]);
    const atWork = await drawn(queue);
    expect(atWork.consumers).toEqual([{ service: "shop", version: "1", instances: 2 }]);
    expect(atWork.codes).not.toContain("consumer.silent");

    await silentFor(queue, "7 days");
    const [gone] = await listed(queue);
    expect(gone).toMatchObject({ instances: 0, schemas: [{ name: "order", versions: ["1"] }] });
    expect(Date.now() - Date.parse(gone?.lastSeenAt ?? "")).toBeGreaterThan(6 * 86_400_000);
    const silent = await drawn(queue);
    expect(silent.consumers).toEqual([{ service: "shop", version: "1", instances: 0 }]);
    expect(silent.codes).toContain("consumer.silent");
  });

  it("are forgotten a day later where others are heard, and nowhere else: gates go by who was there last", async () => {
    const [replaced, left] = ["replaced", "left"];
    for (const queue of [replaced, left]) {
      await beat(queue, "old");
      await silentFor(queue, "7 days");
    }
    await beat(replaced, "recent");
    await silentFor(replaced, "1 hour");
    await beat(replaced, "new", "2");
    expect(await rememberedOf(replaced)).toEqual(["new", "recent"]);
    expect(await processesOf(replaced)).toEqual(["new"]);
    expect(await processesOf(left)).toEqual(["old"]);

    await silentFor(replaced, "2 days");
    await beat(replaced, "new", "2");
    expect(await rememberedOf(replaced)).toEqual(["new"]);
    expect((await listed(replaced)).map(({ version, lastSeenAt }) => [version, lastSeenAt])).toEqual([
      ["2", expect.any(String)],
      ["1", null],
    ]);
  });
});

import { expect, it } from "vitest";
import { pause } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { fakeHost } from "../../testing/fake-host.ts";
import type { Incident } from "../transport.ts";
import { ConnectionWatch } from "./connection-watch.ts";
import { type Fetched, type GroupSession, type KafkaDriver, KafkaFault, type Position } from "./driver.ts";
import { FetchLoop } from "./fetch-loop.ts";
import { PartitionWork } from "./partition-work.ts";

const silence = new OfficeError("TRANSPORT_UNAVAILABLE", "Nobody answered.");

it("asks again for a partition that failed, when the request after that got no answer", async () => {
  const { asked, clock, loop } = loopOver(2, (partitions) => {
    if (partitions.includes(0) && asked(0) === 2) throw silence;
    return partitions.map((partition) => (partition === 0 && asked(0) === 1 ? notLed(0) : nothingIn(partition)));
  });
  const running = loop.run();
  await clock.advance(60_000);
  const before = asked(0);
  await clock.advance(60_000);
  expect(asked(0)).toBeGreaterThan(before);
  loop.stop();
  await running;
});

it("asks less and less often for a partition that goes on failing, and does not call it mended meanwhile", async () => {
  const { asked, clock, loop, incidents } = loopOver(1, () => [notLed(0)]);
  const running = loop.run();
  await clock.advance(600_000);
  expect(asked(0)).toBeGreaterThan(10);
  expect(asked(0)).toBeLessThan(200);
  expect(incidents.map(({ kind }) => kind)).toEqual(["connection-lost"]);
  loop.stop();
  await running;
});

it("reports a partition of which the broker says nothing, and goes on with the others", async () => {
  const { asked, clock, loop, incidents } = loopOver(2, (partitions) => partitions.flatMap(nothingButOf(0)));
  const running = loop.run();
  await clock.advance(60_000);
  expect(incidents).toMatchObject([{ kind: "connection-lost", error: { code: "UNKNOWN_ANSWER" } }]);
  expect(asked(1)).toBeGreaterThan(asked(0));
  loop.stop();
  await running;
});

it("reports a partition whose records can't be read", async () => {
  const { clock, loop, incidents } = loopOver(1, () => [{ ...nothingIn(0), bytes: 7 } as Fetched]);
  const running = loop.run();
  await clock.advance(60_000);
  expect(incidents).toMatchObject([{ kind: "connection-lost", error: { code: "UNKNOWN_ANSWER" } }]);
  loop.stop();
  await running;
});

/** A loop over so many partitions. The broker takes a tenth of a second to say what `answer` gives of those asked for. */
function loopOver(partitions: number, answer: (partitions: readonly number[]) => readonly Fetched[]) {
  const host = fakeHost();
  const positions: Position[] = [];
  const session: Pick<GroupSession, "leaders" | "fetch"> = {
    leaders: async (of) => [{ leader: { host: "broker", port: 9092 }, partitions: of }],
    async fetch(_, wanted) {
      positions.push(...wanted);
      await pause(host.clock, 100);
      return answer(wanted.map(({ partition }) => partition));
    },
  };
  const incidents: Incident[] = [];
  const works = Array.from({ length: partitions }, (_, partition) => workOn(partition));
  const loop = new FetchLoop({
    session: session as GroupSession,
    driver: {} as KafkaDriver,
    host,
    watch: new ConnectionWatch((incident) => incidents.push(incident)),
    wanted: () => works,
    isOurs: () => true,
    received: () => {},
  });
  const asked = (partition: number) => positions.filter((position) => position.partition === partition).length;
  return { loop, clock: host.clock, asked, incidents };
}

function workOn(partition: number): PartitionWork {
  return new PartitionWork({ topic: "orders", partition, waitMs: null, offset: 0, metadata: "", keys: null });
}

function nothingButOf(silent: number) {
  return (partition: number) => (partition === silent ? [] : [nothingIn(partition)]);
}

function notLed(partition: number): Fetched {
  return { topic: "orders", partition, kind: "failed", fault: new KafkaFault("NOT_LEADER_OR_FOLLOWER") };
}

function nothingIn(partition: number): Fetched {
  return { topic: "orders", partition, kind: "records", records: { next: () => null }, bytes: 0, nextOffset: 0 };
}

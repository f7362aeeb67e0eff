import { beforeAll, expect, it } from "vitest";
import { OfficeError } from "../../src/domain/errors.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { bodiesOf, countsOf, holdLetters, planned, replayWorld, run, started } from "./world.ts";

const twenty = Array.from({ length: 20 }, (_, n) => `body ${n}`);

onEachDatabase("a replay whose source moves", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  it("goes on at the other address, each letter once and in order", async () => {
    const { parts, sent } = replayWorld(ledger, { protocol: { ramp: [], batch: 8 } });
    const letters = await holdLetters(ledger, twenty, { order: "customer-7" });
    const replay = await planned(parts, letters);
    await started(parts, replay);
    let opened = 0;
    const line = async (...place: Parameters<typeof parts.line>) => {
      opened += 1;
      const now = opened;
      const real = await parts.line(...place);
      const closed = new OfficeError("TRANSPORT_CLOSED", "The RabbitMQ transport is closed.");
      const isClosed = () => now === 1 && sent.length >= 3;
      return {
        ...real,
        note: async (queue: string) => (isClosed() ? Promise.reject(closed) : real.note(queue)),
        send: async (...message: Parameters<typeof real.send>) =>
          isClosed() ? Promise.reject(closed) : real.send(...message),
      };
    };
    await run({ ...parts, line }, replay);
    expect(bodiesOf(sent)).toEqual(twenty);
    expect(opened).toBe(2);
    expect(await countsOf(parts, replay)).toMatchObject({ sent: 20, drifted: 0, inDoubt: 0 });
  });
});

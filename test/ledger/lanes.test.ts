import { expect, it } from "vitest";
import { hexOf } from "../../src/domain/ids.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { laneName, readLanes } from "../../src/ledger/read-candidates.ts";
import { holdLetters } from "../replay/world.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { overheard, readBy } from "./rows-read.ts";

const many = 60;

onEachDatabase("the lane of an ordering key", (tested) => {
  it("is read once, however many letters of it are asked for", async () => {
    const ledger = await openLedger({ database: tested.database });
    const bodies = Array.from({ length: many }, (_, n) => `${n}`);
    const ids = await holdLetters(ledger, bodies, { order: "tenant-7" });
    const { database, heard } = overheard(tested.database);
    const lane = { queue: "orders", orderKey: "tenant-7" };
    const lanes = await readLanes(
      { ...ledger, database },
      ids.map(() => lane),
    );
    expect([...lanes]).toEqual([[laneName(lane), ids.map(hexOf)]]);
    const [statement] = heard;
    if (statement === undefined) throw new Error("Nothing was asked.");
    expect((await readBy(tested.database, statement)).rows).toBeLessThanOrEqual(2 * many);
  });
});

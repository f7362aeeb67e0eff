import { expect, it } from "vitest";
import { findReturns } from "../../src/ledger/find-returns.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { readLetters } from "../../src/office/intake/read-letters.ts";
import { systemClock } from "../../src/system/host.ts";
import { holdLetters, planned, replayWorld, run, started } from "../replay/world.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { deadLetter, testRoom } from "./letters.ts";
import { overheard, readBy } from "./rows-read.ts";

const many = 60;
const manyTimes = <Each>(each: (ordinal: number) => Each) =>
  Array.from({ length: many }, (_, ordinal) => each(ordinal));

onEachDatabase("letters that say nothing of a replay and have the body of many that it sent", (tested) => {
  it("are looked for among those sends together, and not each for itself", async () => {
    const ledger = await openLedger({ database: tested.database });
    const { parts } = replayWorld(ledger, { protocol: { ramp: [], batch: many } });
    const replay = await planned(
      parts,
      await holdLetters(
        ledger,
        manyTimes(() => "{}"),
      ),
    );
    await started(parts, replay);
    expect(await run(parts, replay)).toBe("finished");
    const letters = await readLetters(
      testRoom(),
      manyTimes((ordinal) => ({
        letter: deadLetter({ body: "{}", headers: { queue: "orders", class: "Error" } }),
        source: "rabbit",
        found: { kind: "delivery", session: new Uint8Array(16), ordinal, redelivered: false } as const,
      })),
      systemClock,
    );
    // As a database does by itself in time: a plan made without it says nothing of the question.
    for (const table of ["sends", "replay_items", "bodies"])
      await tested.database.query(`analyze ${ledger.at}.${table}`);
    const { database, heard } = overheard(tested.database);
    const { returns, maybes } = await findReturns(ledger, database, letters);
    // None has a name that would tell which of them it is.
    expect([returns.size, maybes.size]).toEqual([0, many]);
    const reads = await Promise.all(heard.map((statement) => readBy(tested.database, statement)));
    expect(Math.max(...reads.map(({ rows }) => rows))).toBeLessThanOrEqual(4 * many);
  });
});

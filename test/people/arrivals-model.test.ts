import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pgliteDatabase } from "../../src/databases/pglite.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { startPglite } from "../servers/pglite.ts";
import { databaseWorld } from "./database-world.ts";
import { MemoryWorld } from "./memory-world.ts";
import { playArrivals } from "./play-arrivals.ts";
import { storyOf } from "./story-of.ts";

const decided = 10_000;
/** Each takes a tenth of a second: DLO_ARRIVAL_SEEDS=10000 plays as many as are decided. */
const stored = Number(process.env.DLO_ARRIVAL_SEEDS ?? 150);

/** Configured, named and invited people with names that collide, in any order. */
describe("whoever arrives in whatever order never gains a role that was not given to them", () => {
  let pglite: PGlite;
  beforeAll(async () => {
    pglite = await startPglite();
  });
  afterAll(() => pglite.close());

  it("by what is decided", async () => {
    for (let seed = 1; seed <= decided; seed += 1)
      expect(await playArrivals(new MemoryWorld(), storyOf(seed)), `seed ${seed}`).toEqual([]);
  });

  it("by what the database has then", { timeout: 3_600_000 }, async () => {
    const ledger = await openLedger({ database: pgliteDatabase(pglite) });
    for (let seed = 1; seed <= stored; seed += 1)
      expect(await playArrivals(await databaseWorld(ledger), storyOf(seed)), `seed ${seed}`).toEqual([]);
  });
});

import { beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/domain/database.ts";
import { insertReleases } from "../../src/ledger/key-releases.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { carryOutReleases } from "../../src/office/keys/carry-out-releases.ts";
import type { BlockedKeysAdmin } from "../../src/stores/blocked-keys.ts";
import { postgresBlockedKeys } from "../../src/stores/postgres-blocked-keys.ts";
import { systemClock } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { counted } from "./counted.ts";

onEachDatabase("releases of many keys", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  /** So many keys, each blocked by a dead message, whose releases are noted. */
  async function noted(n: number) {
    const queue = `orders-${crypto.randomUUID()}`;
    const store = postgresBlockedKeys({ database: tested.database, schema: "shop" });
    const places = await Promise.all(
      Array.from({ length: n }, async (_, index) => {
        const lane = { queue, key: new TextEncoder().encode(`account-${index}`) };
        const number = await store.enter(lane, { mark: lane.key, turn: "one" });
        await store.confirm(lane, number, "one", "dead");
        return { ...lane, number, source: "rabbit", letter: null };
      }),
    );
    await insertReleases(ledger, ledger.database, places, "expired");
    const left = async () => (await store.summarize()).find((sum) => sum.queue === queue)?.keys ?? 0;
    return { queue, left };
  }

  const partsWith = (store: BlockedKeysAdmin) => ({
    ...{ ledger, clock: systemClock, sendRelease: async () => {}, blockedKeysOf: async () => store },
  });

  const storeOn = (database: Database) => postgresBlockedKeys({ database, schema: "shop" });

  it("cost their store a few statements for each fifty", async () => {
    const { left } = await noted(1_000);
    const { database, asked, begun } = counted(tested.database);
    await carryOutReleases(partsWith(storeOn(database)));
    expect(await left()).toBe(0);
    expect({ statements: asked(), transactions: begun() }).toEqual({ statements: 62, transactions: 20 });
  });

  it("are taken back as a whole, hundred by hundred, where their store fails half-way", async () => {
    const { left, queue } = await noted(230);
    let begun = 0;
    const failing: Database = {
      ...tested.database,
      query: (...of) => tested.database.query(...of),
      transaction: (run) =>
        tested.database.transaction(async (transaction) => {
          const came = await run(transaction);
          begun += 1;
          if (begun === 2) throw new Error("the connection was cut");
          return came;
        }),
    };
    const store = storeOn(failing);
    const places = await store.list(queue, { limit: 230 });
    await expect(store.release(places)).rejects.toThrow("the connection was cut");
    expect(await left()).toBe(130);
    const again = await store.release(places);
    expect([again.indexOf("released"), again.filter((each) => each === "released").length]).toEqual([100, 130]);
  });

  it("are all carried out, and each written down as released, where their store fails after some of them", async () => {
    const { left, queue } = await noted(230);
    const store = storeOn(tested.database);
    let asked = 0;
    const failing: BlockedKeysAdmin = {
      ...store,
      async release(places) {
        asked += 1;
        if (asked % 2 === 0) return store.release(places);
        await store.release(places.slice(0, 20));
        throw new Error("the connection was cut");
      },
    };
    const standing = async () => {
      const { rows } = await tested.database.query<{ state: string; n: number }>(
        `select state, count(*)::integer as n from ${ledger.at}.key_releases where queue = $1 group by 1`,
        [queue],
      );
      return rows;
    };
    await eventually(async () => {
      await tested.database.query(
        `update ${ledger.at}.key_releases set due_at = ${ledger.at}.clock() where state = 'pending'`,
        [],
      );
      await carryOutReleases(partsWith(failing));
      expect(await standing()).toEqual([{ state: "released", n: 230 }]);
    });
    expect(await left()).toBe(0);
  });
});

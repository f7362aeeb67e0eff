import { beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { insertReleases } from "../../src/ledger/key-releases.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { carryOutReleases, type ReleaseParts } from "../../src/office/keys/carry-out-releases.ts";
import { standingReleases } from "../../src/office/keys/standing-releases.ts";
import type { BlockedKeysAdmin, LaneRelease } from "../../src/stores/blocked-keys.ts";
import { memoryBlockedKeys } from "../../src/stores/memory-blocked-keys.ts";
import { systemClock } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { counted } from "./counted.ts";

/** A store that answers a release like this. */
function storeThat(answer: () => Promise<LaneRelease>): BlockedKeysAdmin {
  const { list, find, summarize } = memoryBlockedKeys();
  const release: BlockedKeysAdmin["release"] = async (places) => {
    const said = await answer();
    return places.map(() => said);
  };
  return { list, find, summarize, release };
}

describeServer("releases of a source whose store does not answer", noPostgres, () => {
  const postgres = usePostgres();
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: postgres.database });
  });

  beforeEach(async () => void (await ledger.database.query(`delete from ${ledger.at}.key_releases`)));

  async function note(source: string, n: number, queue = "orders"): Promise<void> {
    const places = Array.from({ length: n }, (_, number) => ({
      ...{ source, queue, key: new TextEncoder().encode(`${number}`), number: number + 1, letter: null },
    }));
    await insertReleases(ledger, ledger.database, places, "expired");
  }

  async function standing(source: string) {
    const { rows } = await ledger.database.query<{ state: string; is_due: boolean; is_troubled: boolean; n: number }>(
      `select state, due_at <= ${ledger.at}.clock() as is_due, trouble is not null as is_troubled, count(*)::integer as n
       from ${ledger.at}.key_releases where source = $1 group by 1, 2, 3 order by 1, 2, 3`,
      [source],
    );
    return rows.map(({ state, is_due, is_troubled, n }) => [n, state, is_due, is_troubled]);
  }

  const partsWith = (of: Readonly<Record<string, BlockedKeysAdmin>>, more: Partial<ReleaseParts> = {}) => ({
    ...{
      ledger,
      clock: systemClock,
      sendRelease: async () => {},
      blockedKeysOf: async (name: string) => of[name] ?? null,
    },
    ...more,
  });

  it("are put off together, and those of others go on meanwhile", async () => {
    let asked = 0;
    let giveUp = (_error: Error) => {};
    const silence = new Promise<LaneRelease>((_, reject) => {
      giveUp = reject;
    });
    const silent = storeThat(() => {
      asked += 1;
      return silence;
    });
    await note("silent", 170);
    const work = standingReleases(partsWith({ silent, well: storeThat(async () => "released") }));
    onTestFinished(() => work.close());
    onTestFinished(() => giveUp(new Error("over")));
    await eventually(() => expect(asked).toBe(1));
    await note("well", 60);
    await eventually(async () => expect(await standing("well")).toEqual([[60, "released", expect.anything(), false]]));
    giveUp(new Error("connect ETIMEDOUT"));
    await eventually(async () => {
      const left = await standing("silent");
      expect(left.filter(([, , isDue]) => isDue)).toEqual([]);
      expect(left.every(([, state]) => state === "pending")).toBe(true);
    });
    expect(asked).toBe(1);
  });

  it("are waited for so long and no longer", async () => {
    await note("mute", 3);
    const clock = fakeClock();
    const carrying = carryOutReleases(
      partsWith({ mute: storeThat(() => new Promise<LaneRelease>(() => {})) }, { clock }),
    );
    let isDone = false;
    void carrying.then(() => {
      isDone = true;
    });
    await eventually(async () => {
      await clock.advance(5_000);
      expect(isDone).toBe(true);
    });
    expect(await standing("mute")).toEqual([[3, "pending", false, true]]);
  });

  it.each([
    ["released", async (): Promise<LaneRelease> => "released"],
    ["failed", (): Promise<LaneRelease> => Promise.reject(new Error("no"))],
  ])("are written down together where they %s", async (name, release) => {
    await note(name, 50);
    const { database, asked } = counted(ledger.database);
    const store = storeThat(release);
    await carryOutReleases(partsWith({ [name]: store }, { ledger: { ...ledger, database } }));
    expect(asked()).toBeLessThan(15);
    const [[n]] = (await standing(name)) as [[number]];
    expect(n).toBe(50);
  });
});

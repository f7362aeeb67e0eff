import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type OpenedOffice, openOffice } from "../../compose.ts";
import type { Host } from "../../domain/clock.ts";
import { lockFolder } from "../../system/folder-lock.ts";
import { perform, setRules } from "./cast.ts";
import { fillLedger } from "./fill-ledger.ts";
import { Shop } from "./shop.ts";

export interface DemoOptions {
  /** Where its ledger is made; whatever was there before is a demonstration's, and is gone. */
  readonly folder: string;
  readonly version: string;
  readonly seed: number;
  readonly host: Host;
  readonly say: (text: string) => void;
}

export interface OpenedDemo {
  readonly office: OpenedOffice;
  close(): Promise<void>;
}

/** An office at work in a made-up shop: real runtime, ledger and replays, on brokers that exist in this process alone. */
export async function openDemo({ folder, version, seed, host, say }: DemoOptions): Promise<OpenedDemo> {
  await forget(folder);
  const stop = new AbortController();
  let shop: Shop | undefined;
  const office = await openOffice({
    ...{ databaseUrl: null, dataFolder: folder, configFile: null, env: {}, version },
    simulation: {
      host,
      async open(ledger, room) {
        await fillLedger(ledger, room, { host, seed });
        shop = new Shop({ seed, host, say, database: ledger.database });
        return shop.sources;
      },
    },
  });
  await setRules(office.call);
  await office.startWork();
  shop?.open();
  const performing = perform({ call: office.call, clock: host.clock, signal: stop.signal }).catch((error: unknown) =>
    say(`Nobody plays the others any more: ${String(error)}`),
  );
  return {
    office,
    async close() {
      stop.abort();
      await performing;
      await shop?.close();
      await office.close();
    },
  };
}

/** What an earlier demonstration left. Refuses while another process shows one there. */
async function forget(folder: string): Promise<void> {
  const lock = await lockFolder(folder);
  for (const name of ["ledger", "bodies"]) await rm(join(folder, name), { recursive: true, force: true });
  await lock.release();
}

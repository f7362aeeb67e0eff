import { openOffice } from "../../src/office.ts";

/** A server that runs replays and releases keys, and is killed at any line. */
export interface OrderedServerTask {
  readonly databaseUrl: string;
  readonly configFile: string;
  readonly dataFolder: string;
}

const task = JSON.parse(process.argv[2] ?? "{}") as OrderedServerTask;
const office = await openOffice({ ...task, env: {}, version: "0.0.0" });
await office.startWork(["replay"]);

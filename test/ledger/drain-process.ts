import pg from "pg";
import { openOffice } from "../../src/office.ts";
import { dyingAt } from "../chaos/failpoint.ts";
import { tester } from "./letters.ts";

/** What this process drains, and where it dies: at that step, the time after so many. */
export interface DrainTask {
  readonly databaseUrl: string;
  readonly configFile: string;
  readonly dataFolder: string;
  readonly source: string;
  readonly queue: string;
  readonly step: DrainStep | null;
  readonly after: number;
}

/** The last counts turns of the event loop since letters were committed, in which they are acknowledged; the others commits. */
export type DrainStep = "before commit" | "while committing" | "after commit" | "while acknowledging";

const task = JSON.parse(process.argv[2] ?? "{}") as DrainTask;
const pass = dyingAt<DrainStep>(task);

/** In front of the client library, since an office makes its own connections. Only what copied letters in is a step. */
function dieInCommits(client: { query(...given: unknown[]): unknown }): void {
  const { query } = client;
  const holding = new WeakSet<object>();
  client.query = function (this: object, ...given) {
    const [statement] = given;
    if (typeof statement === "object" && statement !== null && "handleCopyInResponse" in statement) holding.add(this);
    if (statement !== "commit" || !holding.delete(this)) return query.apply(this, given);
    pass("before commit");
    const answer = query.apply(this, given) as Promise<unknown>;
    // Whether the server hears of it is for chance to decide.
    if (task.step === "while committing") setImmediate(() => pass("while committing"));
    return answer.then((result) => {
      pass("after commit");
      if (task.step === "while acknowledging") eachTurn(() => pass("while acknowledging"));
      return result;
    });
  };
}

function eachTurn(run: () => void): void {
  setImmediate(() => {
    run();
    eachTurn(run);
  });
}

dieInCommits(pg.Client.prototype);
const { databaseUrl, configFile, dataFolder, source, queue } = task;
const office = await openOffice({ databaseUrl, configFile, dataFolder, env: {}, version: "0.0.0" });
await office.drain({
  ...{ source, queue, actor: tester, signal: new AbortController().signal },
  // One that is to die must not end before it for want of something to do.
  tuning: { batch: 10, lingerMs: 2, leaseMs: 1_500, idleMs: task.step === null ? 2_000 : null },
});
await office.close();

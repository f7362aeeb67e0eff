import pg from "pg";
import { pgDatabase } from "../../src/databases/pg.ts";
import type { Database } from "../../src/domain/database.ts";
import { readId } from "../../src/domain/ids.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import type { ReplayParts } from "../../src/office/replay/replay-parts.ts";
import type { SendLine } from "../../src/sources/send-line.ts";
import { dyingAt } from "../chaos/failpoint.ts";
import { openBroker, type UsedBroker } from "./brokers.ts";
import { killed, replayWorld, run } from "./world.ts";

/** Which replay this process runs, and where it dies: at that step, the time after so many. */
export interface ReplayTask {
  readonly database: string;
  readonly broker: UsedBroker;
  readonly queue: string;
  /** `rpl_…` */
  readonly replay: string;
  readonly step: ReplayStep | null;
  readonly after: number;
}

export type ReplayStep =
  | "before the intent"
  | "after the intent"
  | "while sending"
  | "before the commit"
  | "before the note"
  | "after the note";

const task = JSON.parse(process.argv[2] ?? "{}") as ReplayTask;
const pass = dyingAt<ReplayStep>(task);

function dyingDatabase(inner: Database): Database {
  return {
    ...inner,
    async query(sql: string, parameters?: readonly unknown[]) {
      const [intends, notes] = [sql.includes("intend_items("), sql.includes("note_sent(")];
      if (intends) pass("before the intent");
      if (notes) pass("before the note");
      const answer = await inner.query(sql, parameters);
      if (intends) pass("after the intent");
      if (notes) pass("after the note");
      return answer as never;
    },
  };
}

function dyingLine(line: SendLine): SendLine {
  return {
    ...line,
    async send(queue, message, intended) {
      const sending = line.send(queue, message, intended);
      // Whether the broker hears of it is for chance to decide.
      if (task.step === "while sending") setImmediate(() => pass("while sending"));
      await sending;
    },
    async commit() {
      pass("before the commit");
      await line.commit();
    },
  };
}

const pool = new pg.Pool({ connectionString: task.database, max: 4 });
const { line, close } = await openBroker(task.broker, task.database);
const ledger = await openLedger({ database: dyingDatabase(pgDatabase(pool)) });
const { parts } = replayWorld(ledger, { wasConsumed: false, protocol: killed.protocol });
const dyingParts: ReplayParts = { ...parts, line: async (_source, replay) => dyingLine(line(replay)) };
const again = () => run(dyingParts, readId("replay", task.replay), undefined, killed.tuning);
// Until the lease of the one that was killed before is over.
while ((await again()) === "led elsewhere") await new Promise((resolve) => setTimeout(resolve, 100));
await close();
await pool.end();

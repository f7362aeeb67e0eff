import pg from "pg";
import { pgDatabase } from "../../src/databases/pg.ts";
import type { Database } from "../../src/domain/database.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { drain } from "../../src/office/intake/drain.ts";
import { systemHost } from "../../src/system/host.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { dyingAt } from "../chaos/failpoint.ts";
import { tester, testRoom } from "./letters.ts";

/** What this process drains, and where it dies: at that step, the time after so many. */
export interface DrainTask {
  readonly database: string;
  readonly rabbitmq: string;
  readonly queue: string;
  readonly step: DrainStep | null;
  readonly after: number;
}

export type DrainStep = "before commit" | "while committing" | "after commit" | "while acknowledging";

const task = JSON.parse(process.argv[2] ?? "{}") as DrainTask;
const pass = dyingAt<DrainStep>(task);

function dyingDatabase(inner: Database): Database {
  return {
    ...inner,
    async transaction(run) {
      const result = await inner.transaction(async (transaction) => {
        const given = await run(transaction);
        pass("before commit");
        // Whether the server hears of it is for chance to decide.
        if (task.step === "while committing") setImmediate(() => pass("while committing"));
        return given;
      });
      pass("after commit");
      return result;
    },
  };
}

function dyingTransport(inner: Transport): Transport {
  return {
    broker: inner.broker,
    capabilities: inner.capabilities,
    send: (to, message, options) => inner.send(to, message, options),
    consume: (from, handle, options) =>
      inner.consume(
        from,
        async (delivery) => {
          const verdict = await handle(delivery);
          if (task.step === "while acknowledging") setImmediate(() => pass("while acknowledging"));
          return verdict;
        },
        options,
      ),
    close: () => inner.close(),
  };
}

const pool = new pg.Pool({ connectionString: task.database });
const ledger = await openLedger({ database: dyingDatabase(pgDatabase(pool, { listener: false })) });
const transport = dyingTransport(rabbitmqTransport({ url: task.rabbitmq, topology: "leave" }));
await drain(
  {
    ledger,
    transport,
    from: { name: task.queue },
    source: "rabbit",
    room: testRoom(),
    actor: tester,
    host: systemHost,
    signal: new AbortController().signal,
  },
  // One that is to die must not end before it for want of something to do.
  { batch: 20, lingerMs: 2, leaseMs: 1_500, idleMs: task.step === null ? 500 : null },
);
await transport.close();
await pool.end();

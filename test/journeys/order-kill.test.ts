import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { migrate, postgresBlockedKeys, postgresTransport } from "../../src/postgres.ts";
import { rabbitmqTransport } from "../../src/rabbitmq.ts";
import { eventually } from "../../src/testing/eventually.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { type Failpoint, failpointsOf } from "../chaos/failpoint.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import type { OrderTask, Step } from "./order-process.ts";

const script = fileURLToPath(import.meta.resolve("./order-process.ts"));

/** Every step of parking and releasing, at the moments that make a difference. */
const failpoints = failpointsOf({
  arrive: ["after"],
  enter: ["after"],
  send: ["before", "during", "after"],
  confirm: ["during", "after"],
  leave: ["during", "after"],
  weigh: ["after"],
  released: ["before", "after"],
});

/** New keys for each kill, so that every step comes up: some messages fail at first, one of each key dies. */
function stepsOf(round: number): readonly Step[] {
  return Array.from({ length: 5 }, (_, index) => index + 1).flatMap((n) =>
    ["a", "b", "c"].map((name, place) => ({
      key: `${name}${round}`,
      n,
      fails: (n + place) % 3 === 0 ? 1 : 0,
      dies: n === 1 + place,
    })),
  );
}

describeServer("order whose consumers are killed", noPostgres ?? noRabbitmq, () => {
  const postgres = usePostgres();
  const rabbitmq = useRabbitmq();
  const children = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  beforeAll(async () => {
    await migrate({ database: postgres.database });
    await postgres.pool.query(
      "create table effects (id serial, key text, n int); create table failures (key text, n int, failed int, primary key (key, n))",
    );
  });

  describe.each(["PostgreSQL", "RabbitMQ"] as const)("on %s", (broker) => {
    const isRabbitmq = broker === "RabbitMQ";
    const connect = (): Transport =>
      isRabbitmq
        ? rabbitmqTransport({ url: rabbitmq.url, orderedQueues: "all" })
        : postgresTransport({ database: postgres.database });

    function start(queue: string, failpoint: Failpoint | null, after: number): ChildProcess {
      const rabbitmqUrl = isRabbitmq ? rabbitmq.url : null;
      const task: OrderTask = { postgresUrl: postgres.url, rabbitmqUrl, queue, failpoint, after };
      const child = spawn(process.execPath, [script, JSON.stringify(task)], { stdio: ["ignore", "ignore", "inherit"] });
      children.add(child);
      child.once("exit", () => children.delete(child));
      return child;
    }

    it("lets no message of a key first succeed before the one ahead of it, and leaves no key stuck", async () => {
      const queue = `order-kill-${broker.toLowerCase()}`;
      await postgres.pool.query("truncate effects; truncate failures");
      const transport = connect();
      const store = postgresBlockedKeys({ database: postgres.database });
      const release = async () => {
        for (const { key, state } of await store.list(queue)) if (state === "dead") await store.releaseKey(queue, key);
      };
      const sent: Step[] = [];
      for (const [round, failpoint] of failpoints.entries()) {
        for (const step of stepsOf(round)) {
          await transport.send({ name: queue }, makeMessage({ body: JSON.stringify(step), key: step.key }));
          sent.push(step);
        }
        const child = start(queue, failpoint, round % 3);
        const isOver = async () => {
          await release();
          expect(child.signalCode).toBe("SIGKILL");
        };
        await eventually(isOver, { withinMs: 120_000 });
      }
      const last = start(queue, null, 0);
      const wanted = sent.filter(({ dies }) => !dies).length;
      const isSettled = async () => {
        await release();
        expect([await store.list(queue), (await firstSuccesses()).length]).toEqual([[], wanted]);
      };
      await eventually(isSettled, { withinMs: 120_000 });
      last.kill("SIGKILL");
      for (const key of new Set(sent.map((step) => step.key))) {
        const numbers = (await firstSuccesses()).filter((row) => row.key === key).map(({ n }) => n);
        expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
      }
      await transport.close();
    }, 600_000);

    async function firstSuccesses(): Promise<{ readonly key: string; readonly n: number }[]> {
      const sql = "select key, n from effects group by key, n order by min(id)";
      return (await postgres.pool.query<{ key: string; n: number }>(sql)).rows;
    }
  });
});

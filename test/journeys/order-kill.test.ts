import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Address, makeMessage, queueName } from "../../src/domain/message.ts";
import { kafkaTransport } from "../../src/kafka.ts";
import { migrate, postgresBlockedKeys, postgresTransport } from "../../src/postgres.ts";
import { rabbitmqTransport } from "../../src/rabbitmq.ts";
import { eventually } from "../../src/testing/eventually.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { type Failpoint, failpointsOf } from "../chaos/failpoint.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noKafka } from "../servers/kafka.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import type { OrderBroker, OrderTask, Step } from "./order-process.ts";

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

/** New keys for each batch, so that every step comes up: some messages fail at first, one of each key dies. */
function stepsOf(batch: number): readonly Step[] {
  return Array.from({ length: 5 }, (_, index) => index + 1).flatMap((n) =>
    ["a", "b", "c"].map((name, place) => ({
      key: `${name}${batch}`,
      n,
      fails: (n + place) % 3 === 0 ? 1 : 0,
      dies: n === 1 + place,
    })),
  );
}

/** A process that has not died with so many, and ten seconds for each, never will. */
const mostBatches = 18;

describeServer("order whose consumers are killed", noPostgres ?? noRabbitmq ?? noKafka, () => {
  const postgres = usePostgres();
  const rabbitmq = useRabbitmq();
  const kafka = useKafka();
  const children = new Set<ChildProcess>();
  /** By the last of them. */
  let said: string[] = [];
  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  beforeAll(async () => {
    await migrate({ database: postgres.database });
    await postgres.pool.query(
      "create table effects (id serial, key text, n int); create table failures (key text, n int, failed int, primary key (key, n))",
    );
  });

  /** Asked when there are servers. */
  const brokers: Readonly<Record<OrderBroker["kind"], () => OrderBroker>> = {
    PostgreSQL: () => ({ kind: "PostgreSQL" }),
    RabbitMQ: () => ({ kind: "RabbitMQ", url: rabbitmq.url }),
    Kafka: () => {
      const { brokers: addresses, sessionTimeoutMs } = kafka;
      return { kind: "Kafka", options: { brokers: addresses, sessionTimeoutMs } };
    },
  };

  function connect(broker: OrderBroker): Transport {
    if (broker.kind === "RabbitMQ") return rabbitmqTransport({ url: broker.url, orderedQueues: "all" });
    if (broker.kind === "Kafka") return kafkaTransport({ ...broker.options, partitions: 2 });
    return postgresTransport({ database: postgres.database });
  }

  describe.each(["PostgreSQL", "RabbitMQ", "Kafka"] as const)("on %s", (kind) => {
    function start(queue: Address, failpoint: Failpoint | null, after: number): ChildProcess {
      const task: OrderTask = { postgresUrl: postgres.url, broker: brokers[kind](), queue, failpoint, after };
      const child = spawn(process.execPath, [script, JSON.stringify(task)], { stdio: ["ignore", "pipe", "inherit"] });
      children.add(child);
      said = [];
      createInterface(child.stdout).on("line", (line) => said.push(line));
      child.once("exit", () => children.delete(child));
      return child;
    }

    it("lets no message of a key first succeed before the one ahead of it, and leaves no key stuck", async () => {
      const address = { name: `order-kill-${kind.toLowerCase()}`, ...(kind === "Kafka" && { group: "shop" }) };
      const queue = queueName(address);
      await postgres.pool.query("truncate effects; truncate failures");
      const transport = connect(brokers[kind]());
      const store = postgresBlockedKeys({ database: postgres.database });
      const release = async () => {
        for (const { key, state, number } of await store.list(queue))
          if (state === "dead") await store.release([{ queue, key, number }]);
      };
      const sent: Step[] = [];
      const send = async (steps: readonly Step[]) => {
        for (const step of steps) {
          await transport.send(address, makeMessage({ body: JSON.stringify(step), key: step.key }));
          sent.push(step);
        }
      };
      let batches = 0;
      for (const [round, failpoint] of failpoints.entries()) {
        const child = start(address, failpoint, round % 3);
        const isOver = async () => {
          await release();
          return child.signalCode === "SIGKILL";
        };
        // A key that is released before anything was parked behind it needs fewer steps: so there is work until it dies.
        for (let more = 1; child.signalCode === null && more <= mostBatches; more++) {
          await send(stepsOf(batches++));
          await eventually(isOver, { withinMs: 10_000 }).catch(async () => {
            if (more === mostBatches) throw new Error(await account(child, failpoint, queue));
          });
        }
      }
      const last = start(address, null, 0);
      const wanted = sent.filter(({ dies }) => !dies).length;
      const isSettled = async () => {
        await release();
        expect([await store.list(queue), (await firstSuccesses()).length]).toEqual([[], wanted]);
      };
      await eventually(isSettled, { withinMs: 240_000 });
      last.kill("SIGKILL");
      for (const key of new Set(sent.map((step) => step.key))) {
        const numbers = (await firstSuccesses()).filter((row) => row.key === key).map(({ n }) => n);
        expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
      }
      await transport.close();
    }, 600_000);

    /** For whoever has to find out why it did not die. */
    async function account({ exitCode }: ChildProcess, { moment, step }: Failpoint, queue: string): Promise<string> {
      const blocked = JSON.stringify(await postgresBlockedKeys({ database: postgres.database }).list(queue));
      const last = said.slice(-40).join("\n");
      return `It should die ${moment} ${step}, and ended with ${exitCode}. Blocked are ${blocked}. It said:\n${last}`;
    }

    async function firstSuccesses(): Promise<{ readonly key: string; readonly n: number }[]> {
      const sql = "select key, n from effects group by key, n order by min(id)";
      return (await postgres.pool.query<{ key: string; n: number }>(sql)).rows;
    }
  });
});

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { kafkaTransport } from "../../src/transports/kafka/transport.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noKafka } from "../servers/kafka.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import type { DrainStep, DrainTask } from "./drain-process.ts";

const script = fileURLToPath(import.meta.resolve("./drain-process.ts"));
const steps: readonly DrainStep[] = ["before commit", "while committing", "after commit", "while acknowledging"];

/** A broker whose queue is drained. Its servers run while tests do. */
interface DrainedBroker {
  readonly url: () => string;
  readonly sender: () => Transport;
  /** Lets what a dead process had in hand be given out again. @default it is by itself, soon */
  readonly lapse?: () => Promise<unknown>;
}

interface KilledDrain {
  readonly broker: string;
  /** Why it cannot be tested here. */
  readonly missing: string | undefined;
  /** Ten of all brokers together in the usual run; DLO_DRAIN_KILLS=100 for the long one, of each. */
  readonly kills: number;
  /** Which of the steps it is killed at first, so that those with few kills have others than the first. */
  readonly first: number;
  readonly use: () => DrainedBroker;
}

describeKilled({
  ...{ broker: "rabbitmq", missing: noRabbitmq, kills: 4, first: 0 },
  use() {
    const rabbitmq = useRabbitmq();
    return { url: () => rabbitmq.url, sender: () => rabbitmqTransport({ url: rabbitmq.url }) };
  },
});

describeKilled({
  // The place of a dead member is free after 15 s, so few: where the letters are held and the broker does not know it.
  ...{ broker: "kafka", missing: noKafka, kills: 2, first: 2 },
  use() {
    const kafka = useKafka();
    const url = () => `kafka://${kafka.brokers.join(",")}`;
    return { url, sender: () => kafkaTransport({ brokers: kafka.brokers }) };
  },
});

describeKilled({
  ...{ broker: "postgres", missing: undefined, kills: 4, first: 1 },
  use() {
    const queues = usePostgres();
    return {
      url: () => queues.url,
      sender: () => postgresTransport({ database: queues.database }),
      // As if the minute of its lease were over.
      lapse: () => queues.pool.query("update dlo.messages set leased_until = dlo.clock() where fence is not null"),
    };
  },
});

function describeKilled({ broker, missing, kills: usual, first, use }: KilledDrain): void {
  const kills = Number(process.env.DLO_DRAIN_KILLS ?? usual);
  describeServer(`a drain of ${broker} that is killed`, noPostgres ?? missing, () => {
    const postgres = usePostgres();
    const drained = use();
    const folder = mkdtempSync(join(tmpdir(), "dlo-drain-kill-"));
    const configFile = join(folder, "dlo.config.yaml");
    const children = new Set<ChildProcess>();
    const queue = `drained-${crypto.randomUUID()}.dlq`;

    beforeAll(async () => {
      await openLedger({ database: postgres.database });
      writeFileSync(configFile, `version: 1\nsources: [{ name: ours, broker: ${broker}, url: "${drained.url()}" }]\n`);
    });
    afterAll(() => {
      for (const child of children) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    });

    /** Resolves to the signal that ended it, or null when it ended by itself. */
    function run(how: Pick<DrainTask, "step" | "after">): Promise<string | null> {
      const where = { databaseUrl: postgres.url, configFile, dataFolder: folder, source: "ours", queue };
      const task: DrainTask = { ...where, ...how };
      const child = spawn(process.execPath, [script, JSON.stringify(task)], { stdio: ["ignore", "ignore", "inherit"] });
      children.add(child);
      return new Promise((resolve) =>
        child.once("exit", (_code, signal) => {
          children.delete(child);
          resolve(signal);
        }),
      );
    }

    async function held(): Promise<readonly string[]> {
      const { rows } = await postgres.pool.query<{ body: Buffer }>("select body from dlo.bodies");
      return rows.map(({ body }) => body.toString());
    }

    it(`loses nothing and doubles nothing, ${kills} times`, { timeout: 120_000 + kills * 40_000 }, async () => {
      const sent = Array.from({ length: kills * 60 }, (_, n) => `letter ${n}`);
      const sender = drained.sender();
      for (const body of sent) await sender.send({ name: queue }, makeMessage({ body }));
      await sender.close();
      for (let round = 0; round < kills; round++) {
        const step = steps[(first + round) % steps.length] ?? null;
        expect(await run({ step, after: round % 3 })).toBe("SIGKILL");
        await drained.lapse?.();
      }
      // A broker that takes long to let it in may let the first one end with nothing.
      for (let tries = 0; tries === 0 || (tries < 5 && new Set(await held()).size < sent.length); tries++) {
        // What a killed one had asked for may have been given to it after its death.
        await drained.lapse?.();
        expect(await run({ step: null, after: 0 })).toBe(null);
      }
      expect((await held()).toSorted()).toEqual(sent.toSorted());
    });
  });
}

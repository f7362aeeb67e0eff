import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, expect, it } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import type { DrainStep, DrainTask } from "./drain-process.ts";

const script = fileURLToPath(import.meta.resolve("./drain-process.ts"));
/** Ten in the usual run; DLO_DRAIN_KILLS=100 for the long one. */
const kills = Number(process.env.DLO_DRAIN_KILLS ?? 10);
const steps: readonly DrainStep[] = ["before commit", "while committing", "after commit", "while acknowledging"];

describeServer("a drain that is killed", noPostgres ?? noRabbitmq, () => {
  const postgres = usePostgres();
  const rabbitmq = useRabbitmq();
  const children = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  beforeAll(() => openLedger({ database: postgres.database }));

  /** Resolves to the signal that ended it, or null when it ended by itself. */
  function run(task: Omit<DrainTask, "database" | "rabbitmq">): Promise<string | null> {
    const given: DrainTask = { ...task, database: postgres.url, rabbitmq: rabbitmq.url };
    const child = spawn(process.execPath, [script, JSON.stringify(given)], { stdio: ["ignore", "ignore", "inherit"] });
    children.add(child);
    return new Promise((resolve) =>
      child.once("exit", (_code, signal) => {
        children.delete(child);
        resolve(signal);
      }),
    );
  }

  it(`loses nothing and doubles nothing, ${kills} times`, { timeout: 60_000 + kills * 20_000 }, async () => {
    const queue = `drained-${crypto.randomUUID()}.dlq`;
    const transport = rabbitmqTransport({ url: rabbitmq.url });
    const count = kills * 60;
    for (let n = 0; n < count; n++) await transport.send({ name: queue }, makeMessage({ body: `letter ${n}` }));
    await transport.close();
    for (let round = 0; round < kills; round++) {
      const step = steps[round % steps.length] ?? null;
      const after = step === "while acknowledging" ? 7 * (1 + (round % 5)) : round % 3;
      expect(await run({ queue, step, after })).toBe("SIGKILL");
    }
    expect(await run({ queue, step: null, after: 0 })).toBe(null);
    const { rows } = await postgres.pool.query<{ body: Buffer }>(
      "select b.body from dlo.bodies b join dlo.letters l on l.id = b.letter_id where l.drained_from = $1",
      [queue],
    );
    const bodies = rows.map(({ body }) => body.toString());
    expect(new Set(bodies).size).toBe(count);
    expect(bodies.length).toBe(count);
  });
});

import { beforeAll, expect, it, onTestFinished } from "vitest";
import { readDeadLetter } from "../../src/dialects/read-dead-letter.ts";
import { readId, showId } from "../../src/domain/ids.ts";
import type { Message } from "../../src/domain/message.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { createConsumer } from "../../src/index.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { findLetters } from "../../src/ledger/search/find-letters.ts";
import type { ReplayParts } from "../../src/office/replay/replay-parts.ts";
import { plainLine } from "../../src/sources/send-line.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { dloHere } from "../cli/terminal.ts";
import { countsOf, planned, replayWorld, run, started } from "../replay/world.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import { drainAll } from "./drain-all.ts";

/** What the handler meets: a payment service that is down, later one that refuses what it is sent. */
const failures: Readonly<Record<"down" | "newSchema", () => Error>> = {
  down: () => Object.assign(new Error("connect ECONNREFUSED 10.0.0.7:443"), { code: "ECONNREFUSED" }),
  newSchema: () =>
    Object.assign(new Error("missing required property 'currency' at /amount"), { name: "SchemaValidationError" }),
};

describeServer("a letter that is sent back and dies again", noPostgres ?? noRabbitmq, () => {
  const postgres = usePostgres();
  const rabbitmq = useRabbitmq();
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: postgres.database });
  });

  it("is the same letter in the ledger: originally transient, became schema_mismatch", async () => {
    const queue = `returning-${crypto.randomUUID()}`;
    const transport = rabbitmqTransport({ url: rabbitmq.url });
    let failure = failures.down;
    const dead = new Set<string>();
    const consumer = createConsumer<{ readonly id: string }>({
      transport,
      queue,
      handler: async () => {
        throw failure();
      },
      // Few failures: more would open its breaker.
      retry: { maxAttempts: 1 },
      observers: [{ event: (event) => event.type === "dead-lettered" && dead.add(JSON.stringify(event)) }],
    });
    void consumer.start();
    onTestFinished(async () => {
      await consumer.stop();
      await transport.close();
    });
    const bodies = ["a", "b"].map((id) => JSON.stringify({ id }));
    for (const body of bodies) await transport.send({ name: queue }, makeMessage({ body }));
    await eventually(() => dead.size === 2, { withinMs: 120_000 });

    const drainAgain = () => drainAll(ledger, transport, { name: `${queue}.dlq` });
    expect(await drainAgain()).toMatchObject({ held: 2, returned: 0 });
    const lookFor = (q: string) =>
      findLetters(ledger, { q, sort: "arrived", limit: 10, after: null, now: Date.now(), retentionMs: 1e10 });
    const { items } = await lookFor(`queue:${queue}`);
    expect(items.map(({ category }) => category)).toEqual(["transient", "transient"]);

    failure = failures.newSchema;
    const sent: Message[] = [];
    const { parts } = replayWorld(ledger);
    const line: ReplayParts["line"] = async () =>
      plainLine(async (name, message) => {
        sent.push(message);
        await transport.send({ name }, message);
      });
    const real = { ...parts, read: readDeadLetter, line };
    const replay = await planned(
      real,
      items.map(({ id }) => readId("letter", id)),
    );
    await started(real, replay);
    await run(real, replay);
    expect(sent.map(({ body }) => Buffer.from(body).toString())).toEqual(bodies);
    await eventually(() => dead.size === 4, { withinMs: 120_000 });

    expect(await drainAgain()).toMatchObject({ held: 0, returned: 2 });
    const back = await lookFor(`queue:${queue} is:returned was:transient outcome:schema_mismatch`);
    expect(back.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    expect(back.items[0]).toMatchObject({ errorClass: "SchemaValidationError", replays: 1 });
    expect(await countsOf(parts, replay)).toMatchObject({ sent: 2, returned: 2 });
    const shown = await dloHere(["replay", "show", showId("replay", replay)], {
      DATABASE_URL: postgres.url,
      USER: "ops-1",
    });
    expect(shown.stdout).toContain("2: originally transient, became schema_mismatch");
  });
});

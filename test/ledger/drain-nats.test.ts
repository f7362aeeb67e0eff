import { jetstream } from "@nats-io/jetstream";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { openNats } from "../../src/sources/nats-source.ts";
import type { OpenParts } from "../../src/sources/opened-source.ts";
import { systemHost } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noNats } from "../servers/nats.ts";
import { noPostgres } from "../servers/postgres.ts";
import { useNats } from "../servers/use-nats.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { openStranger, openTransport, type Stranger } from "../transports/nats/workbench.ts";
import { drainAll } from "./drain-all.ts";

describeServer("a drain of NATS", noPostgres ?? noNats, () => {
  const postgres = usePostgres();
  const nats = useNats();
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: postgres.database });
  });

  async function openOffice() {
    const opened = await openNats({ url: nats.url, clock: systemHost.clock } as OpenParts);
    onTestFinished(() => opened.close());
    return opened;
  }

  it("takes dead letters of ours and of a stream of somebody else's, each once", async () => {
    const [office, stranger, name] = [
      await openOffice(),
      await openStranger(nats.url),
      `orders-${crypto.randomUUID()}`,
    ];
    const dead = `dead-${crypto.randomUUID()}`;
    await stranger.manager.streams.add({ name: dead, subjects: [dead] });
    await stranger.publish(dead, "theirs");
    await openTransport(nats.url).send({ name: `${name}.dlq` }, makeMessage({ body: "ours" }));
    for (const queue of [dead, `${name}.dlq`]) {
      expect(await drainAll(ledger, office.transport, { name: queue })).toMatchObject({ held: 1, known: 0 });
      expect(await drainAll(ledger, office.transport, { name: queue })).toMatchObject({ held: 0, known: 0 });
    }
    expect([await office.keepsDrained?.(dead, `${dead}:1`), await stranger.count(dead)]).toEqual([true, 1]);
  });

  it("makes a letter of what NATS gave up, with the message that it is about", async () => {
    const [office, stranger, name] = [
      await openOffice(),
      await openStranger(nats.url),
      `orders-${crypto.randomUUID()}`,
    ];
    await stranger.manager.streams.add({ name, subjects: [`${name}.*`] });
    const limited = { durable_name: "billing", ack_policy: "explicit", max_deliver: 2 } as const;
    await stranger.manager.consumers.add(name, limited);
    const queue = `$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.${name}.billing`;
    // From now on it is heard.
    expect(await drainAll(ledger, office.transport, { name: queue })).toMatchObject({ held: 0 });
    await stranger.publish(`${name}.paid`, '{"order":17}');
    await giveUp(stranger, name);
    await eventually(async () =>
      expect(await drainAll(ledger, office.transport, { name: queue })).toMatchObject({ held: 1 }),
    );
    const { rows } = await postgres.pool.query<{ queue: string; attempts: number; body: Buffer }>(
      `select l.queue, l.attempts, b.body from ${ledger.at}.letters l join ${ledger.at}.bodies b on b.letter_id = l.id
       where l.drained_from = $1`,
      [queue],
    );
    expect(rows.map((row) => ({ ...row, body: String(row.body) }))).toEqual([
      { queue: `${name}.paid`, attempts: 2, body: '{"order":17}' },
    ]);
  });

  it("keeps the advisory itself where its message is gone", async () => {
    const [office, stranger, name] = [
      await openOffice(),
      await openStranger(nats.url),
      `orders-${crypto.randomUUID()}`,
    ];
    const queue = `$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.${name}.billing`;
    await drainAll(ledger, office.transport, { name: queue });
    const advisory = { type: "io.nats.jetstream.advisory.v1.max_deliver", stream: name, stream_seq: 1, deliveries: 5 };
    await stranger.publish(queue, JSON.stringify(advisory));
    expect(await drainAll(ledger, office.transport, { name: queue })).toMatchObject({ held: 1 });
  });
});

/** Refuses it as often as it comes; the server says that it gave it up when it is asked for more. */
async function giveUp({ client }: Stranger, stream: string): Promise<void> {
  const consumer = await jetstream(client).consumers.get(stream, "billing");
  await eventually(async () => {
    const message = await consumer.next({ expires: 1_000 });
    message?.nak();
    expect(message).toBe(null);
  });
}

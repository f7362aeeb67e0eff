import { connect } from "amqplib";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { countsOf, recordFix } from "../replay/world.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import { jobsOffice } from "./jobs-office.ts";
import { describeFramework, openProcessWorkshop } from "./process-workshop.ts";
import { programs } from "./programs.ts";

describeFramework("tasks of Celery that RabbitMQ dead-lettered", programs.celery, noRabbitmq ?? noPostgres, () => {
  const rabbitmq = useRabbitmq();
  const postgres = usePostgres();

  it("are drained, sent back, and run", async () => {
    const { url, managementUrl } = rabbitmq;
    const [queue, dead] = ["celery-charges", "celery-charges.dead"];
    const connection = await connect(url);
    onTestFinished(() => connection.close());
    const channel = await connection.createChannel();
    await channel.assertQueue(dead, { durable: true });
    const waiting = async () => (await channel.checkQueue(dead)).messageCount;
    const shop = openProcessWorkshop({
      ...{ program: programs.celery, broker: "rabbitmq", url, queue },
      failed: async () => [],
    });
    await shop.add("kept");
    await eventually(async () => expect(await waiting()).toBe(1), { withinMs: 180_000 });

    const source = `broker: rabbitmq, url: "${url}", management: "${managementUrl}"`;
    const office = await jobsOffice(postgres, source, "celery_ledger");
    expect(await office.drain(dead)).toMatchObject({ held: 1 });
    const letters = await office.letters();
    // Celery writes nothing of an error into a message: its group gets a category by somebody who knows.
    expect(letters).toMatchObject([{ queue, state: "open", category: "unknown" }]);
    await office.ledger.database.query(`update ${office.ledger.at}.letters set category = 'transient'`);

    shop.mend();
    const ids = letters.map(({ id }) => id);
    await recordFix(office.parts, ids, Date.now() + 3_600_000);
    const replay = await office.replay(ids);
    expect(await countsOf(office.parts, replay)).toMatchObject({ toSend: 1, inDoubt: 0, drifted: 0 });
    await eventually(() => expect(shop.done).toEqual(["kept"]), { withinMs: 180_000 });
    expect(await waiting()).toBe(0);
  });
});

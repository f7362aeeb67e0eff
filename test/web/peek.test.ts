import { expect, it, onTestFinished } from "vitest";
import { OfficeError } from "../../src/domain/errors.ts";
import { peekQueue } from "../../src/office/intake/peek.ts";
import type { OpenedSource, OpenParts } from "../../src/sources/opened-source.ts";
import { openRabbitmq } from "../../src/sources/rabbitmq-source.ts";
import { openRedis } from "../../src/sources/redis-source.ts";
import { openSqs } from "../../src/sources/sqs-source.ts";
import { systemHost } from "../../src/system/host.ts";
import { RedisConnection } from "../../src/transports/redis/connection.ts";
import { testRoom } from "../ledger/letters.ts";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noRedis } from "../servers/redis.ts";
import { useRedis } from "../servers/use-redis.ts";
import { expectToBeSound, hostile, useOfficeInBrowser } from "./office-in-browser.ts";

const { clock } = systemHost;
const nobody = "127.0.0.1:1";

describeServer("a look into a dead-letter queue, in a browser", noChromium ?? noRedis, () => {
  const redis = useRedis();
  /** Where looking is refused, nobody is asked: there need be no broker. */
  const ways: Readonly<Record<string, () => Promise<OpenedSource>>> = {
    streams: () => openRedis({ url: redis.url, clock } as OpenParts),
    rabbit: () => openRabbitmq({ url: `amqp://${nobody}`, clock } as OpenParts),
    sqs: () => openSqs({ url: `sqs://${nobody}`, clock } as OpenParts),
  };
  const open = async (source: string) => {
    const way = ways[source];
    if (way === undefined) throw new OfficeError("SOURCE_NOT_FOUND", `There is no source \`${source}\`.`);
    const opened = await way();
    onTestFinished(() => opened.close());
    return opened;
  };
  const office = useOfficeInBrowser({
    office: { peek: (request) => peekQueue({ open, room: testRoom(), clock }, request) },
  });

  it("shows what lies there, masked, and takes nothing", async () => {
    const way = { url: redis.url, tls: null, name: "test", silenceMs: 10_000, random: systemHost.random };
    const connection = new RedisConnection(way);
    onTestFinished(() => connection.close());
    const stream = `looked-${crypto.randomUUID()}.dlq`;
    const body = JSON.stringify({ text: hostile, card: "4111 1111 1111 1111" });
    for (const each of [body, "second"]) await connection.call("XADD", [stream, "*", "body", each]);
    const facts = async () => JSON.stringify([await connection.call("XINFO", ["STREAM", stream, "FULL"])]);
    const before = await facts();

    const watched = await office().pageOf("ops", ["operator"], "/queues");
    const { page } = watched;
    await page.getByLabel("Source and dead-letter queue").fill(`streams/${stream}`);
    await page.getByText(`dlo queues peek streams/${stream}`).waitFor();
    await page.getByRole("button", { name: "Look into it" }).click();
    await page.getByText(`The first 2 in streams/${stream}, still there: nothing was taken.`).waitFor();
    const shown = await page.getByRole("listitem").allTextContents();
    expect(shown.find((text) => text.includes("onerror"))).toContain("card");
    expect(shown.join("\n")).toContain("second");
    expect(await page.content()).not.toContain("4111");
    expect(await page.locator("html.owned").count()).toBe(0);
    await expectToBeSound(watched, "peek");
    expect(await facts()).toBe(before);
    await page.close();
  });

  it.each([
    [
      "rabbit/orders.dlq",
      "put back it is marked redelivered, and its delivery counts. So `orders.dlq` is not looked into.",
    ],
    ["sqs/orders-dlq", "counts towards `maxReceiveCount`. So `orders-dlq` is not looked into."],
  ])("says why %s is not looked into, and what to do instead", async (named, why) => {
    const { page, complaints } = await office().pageOf("ops", ["operator"], "/queues");
    await page.getByLabel("Source and dead-letter queue").fill(named);
    await page.keyboard.press("Enter");
    const refused = page.getByRole("alert").filter({ hasText: why });
    await refused.waitFor();
    expect(await refused.textContent()).toContain("Drain the queue (`dlo drain`)");
    expect(await page.getByText("still there: nothing was taken").count()).toBe(0);
    // What was typed stays, to be corrected.
    expect(await page.getByLabel("Source and dead-letter queue").inputValue()).toBe(named);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("is not offered to a viewer, who hears why", async () => {
    const { page } = await office().pageOf("eyes", ["viewer"], "/queues");
    await page.getByLabel("Source and dead-letter queue").fill("streams/orders.dlq");
    const look = page.getByRole("button", { name: "Look into it" });
    expect(await look.getAttribute("aria-disabled")).toBe("true");
    expect(await page.locator("form + p.muted").textContent()).toContain(
      "needs a role that eyes (viewer) does not have",
    );
    await page.close();
  });
});

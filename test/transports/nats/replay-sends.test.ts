import { randomBytes } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { makeMessage } from "../../../src/domain/message.ts";
import { natsLine } from "../../../src/sources/nats-line.ts";
import { natsView, placeOf } from "../../../src/sources/nats-source.ts";
import { systemClock } from "../../../src/system/host.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noNats } from "../../servers/nats.ts";
import { useNats } from "../../servers/use-nats.ts";
import { openStranger } from "./workbench.ts";

const windowMs = 120_000;

describeServer("sends of a replay to NATS", noNats, () => {
  const nats = useNats();

  async function open() {
    const queue = `orders-${crypto.randomUUID()}`;
    const stranger = await openStranger(nats.url);
    const config = { name: queue, subjects: [queue], duplicate_window: windowMs * 1e6 };
    await stranger.manager.streams.add(config);
    const view = natsView(nats.url);
    onTestFinished(() => view.connection.close());
    let aheadMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
    const replay = randomBytes(16);
    const line = natsLine(view.connection, { replay, clock, placeOf: (name) => placeOf(view, name) });
    const note = await line.note(queue);
    return {
      line,
      note,
      pass: (ms: number) => {
        aheadMs += ms;
      },
      send: (n: number) => line.send(queue, makeMessage({ body: `${n}` }), { n, intent: 1, note }),
      findOut: async (n: number, known = note) => (await line.findOut([{ n, intent: 1, queue, note: known }])).get(n),
      count: () => stranger.count(queue),
    };
  }

  it("are known as sent, or as unsent for as long as the stream would know them", async () => {
    const { send, findOut, pass } = await open();
    await send(1);
    expect([await findOut(1), await findOut(2)]).toEqual(["sent", "unsent"]);
    pass(windowMs - 20_000);
    expect([await findOut(1), await findOut(2)]).toEqual(["sent", undefined]);
  });

  it("are not made by a sender that stood still until others may have made them and the stream forgot", async () => {
    const { send, pass, count } = await open();
    pass(windowMs - 20_000);
    await expect(send(1)).rejects.toMatchObject({ code: "TRANSPORT_UNAVAILABLE" });
    expect(await count()).toBe(0);
  });

  it("are never called unsent where nobody can say that the server is the same, and then may be made late", async () => {
    const { line, note, findOut, pass, count } = await open();
    const known = JSON.parse(note ?? "") as { readonly stream: string };
    const inCluster = JSON.stringify({ ...known, server: null });
    expect(await findOut(1, inCluster)).toBeUndefined();
    pass(windowMs);
    await line.send(known.stream, makeMessage({ body: "1" }), { n: 1, intent: 1, note: inCluster });
    expect(await count()).toBe(1);
  });
});

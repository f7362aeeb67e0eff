import { expect, it, onTestFinished } from "vitest";
import { done, makeMessage } from "../../../src/domain/message.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { type NatsServer, noNatsServer, startNatsCluster } from "../../servers/nats.ts";
import { consume, openStranger, openTransport, type Stranger } from "./workbench.ts";

const [name, enoughMs] = ["orders", 120_000];

async function startCluster(): Promise<readonly NatsServer[]> {
  const servers = await startNatsCluster();
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))));
  return servers;
}

/** The one that leads the stream. Servers are called node-1, node-2 and so on. */
async function leaderOf({ manager }: Stranger, servers: readonly NatsServer[]): Promise<NatsServer> {
  let leader: NatsServer | undefined;
  await eventually(
    async () => {
      const { cluster } = await manager.streams.info(name);
      leader = servers[Number(cluster?.leader?.split("-")[1]) - 1];
      expect(leader).toBeDefined();
    },
    { withinMs: enoughMs },
  );
  return leader as NatsServer;
}

describeServer("a cluster of NATS servers", noNatsServer, () => {
  it("loses nothing when the leader of a stream is killed, and consumers go on by themselves", async () => {
    const servers = await startCluster();
    const url = servers.map((server) => server.url).join(",");
    const stranger = await openStranger(url);
    const transport = openTransport(url, { replicas: 3, pollMs: 50, ackWaitMs: 2_000 });
    // Until it is known to have arrived, as a careful producer does.
    const insist = (body: string) =>
      eventually(() => transport.send({ name }, makeMessage({ body })), { withinMs: enoughMs });
    const send = async (from: number, to: number) => {
      const bodies = Array.from({ length: to - from }, (_, index) => `${from + index}`);
      await Promise.all(bodies.map(insist));
    };
    await insist("0");
    expect((await stranger.manager.streams.info(name)).config.num_replicas).toBe(3);
    const seen = new Set<string>();
    const consuming = consume(transport, name, async ({ message, deliveryCount }) => {
      const body = Buffer.from(message.body).toString();
      if (deliveryCount === 1 && body.endsWith("7")) return { kind: "retry", delayMs: 50, message };
      seen.add(body);
      return done;
    });
    await send(1, 100);
    await eventually(() => seen.size >= 50, { withinMs: enoughMs });
    const leader = await leaderOf(stranger, servers);
    const sending = send(100, 200);
    await leader.kill();
    await sending;
    await eventually(() => expect(seen.size).toBe(200), { withinMs: enoughMs });
    // With two of three there is a majority, which elects another.
    expect(await leaderOf(stranger, servers)).not.toBe(leader);
    await leader.start();
    await send(200, 220);
    await eventually(() => expect(seen.size).toBe(220), { withinMs: enoughMs });
    await consuming.stop();
  }, 600_000);
});

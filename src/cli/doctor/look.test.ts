import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { addressReference } from "../../config/reference.ts";
import { systemClock } from "../../system/host.ts";
import { Interrupted } from "../failure.ts";
import { lookAt } from "./look.ts";

it("ends with Ctrl-C, and does not take that for a broker that is gone", async () => {
  const pressed = new AbortController();
  const server = createServer(() => pressed.abort());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const source = {
    name: "slow",
    broker: "rabbitmq",
    url: addressReference("amqp://127.0.0.1:2"),
    management: addressReference(`http://127.0.0.1:${port}`),
  } as const;
  const origin = { env: {}, readText: async () => "" };
  const looking = lookAt([source], { origin, clock: systemClock, signal: pressed.signal, limitMs: 60_000 });
  await expect(looking).rejects.toBeInstanceOf(Interrupted);
});

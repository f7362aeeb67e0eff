import { type KafkaTransportOptions, kafkaTransport } from "../../../src/transports/kafka/transport.ts";
import type { Transport } from "../../../src/transports/transport.ts";
import { type FaultProxy, startFaultProxy } from "../../faults/proxy.ts";

/** A way to the brokers that can be cut, as when a process or a network dies. */
export interface Way {
  /** Ends all connections and lets none come up again. */
  cut(): void;
  /** What goes these ways vanishes, and nobody is told: both make connections half open. */
  swallow(...ways: readonly ("requests" | "replies")[]): void;
  mend(): void;
  /** The broker gets the next request and does it; its answer ends with the connection. */
  loseNextAnswer(): void;
  readonly lostAnswers: number;
  close(): Promise<void>;
}

/** A transport all of whose connections lead over a way of its own. */
export async function cuttableTransport(
  options: KafkaTransportOptions,
): Promise<{ readonly transport: Transport; readonly way: Way }> {
  const proxies = new Map<string, FaultProxy>();
  for (const broker of options.brokers) {
    const [host = "", port] = broker.split(":");
    proxies.set(broker, await startFaultProxy({ host, port: Number(port) }));
  }
  const addressOf: KafkaTransportOptions["addressOf"] = ({ host, port }) => ({
    host: "127.0.0.1",
    port: proxies.get(`${host}:${port}`)?.port ?? port,
  });
  return { transport: kafkaTransport({ ...options, addressOf }), way: wayOver([...proxies.values()]) };
}

function wayOver(proxies: readonly FaultProxy[]): Way {
  return {
    cut() {
      for (const proxy of proxies) {
        proxy.break({ accept: "reset" });
        proxy.reset();
      }
    },
    swallow(...swallowed) {
      for (const proxy of proxies) proxy.break({ swallowed });
    },
    mend() {
      for (const proxy of proxies) proxy.heal();
    },
    loseNextAnswer() {
      for (const proxy of proxies) proxy.break({ cut: { way: "replies", afterBytes: 0 } });
    },
    get lostAnswers() {
      return proxies.reduce((sum, proxy) => sum + proxy.endedConnections, 0);
    },
    async close() {
      await Promise.all(proxies.map((proxy) => proxy.close()));
    },
  };
}

import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { Flow, type Way } from "./flow.ts";

/** What is wrong with the network between a client and its server. */
export interface Faults {
  /** Added to everything, each way, in milliseconds. */
  readonly latencyMs: number;
  /** How much passes in a second, each way and for each connection. */
  readonly bytesPerSecond: number;
  /** Bytes of these ways are read and vanish, with no word to whoever sent them: both ways are a black hole. */
  readonly swallowed: readonly Way[];
  /** What becomes of new connections: "silence" accepts them and never says a word, "reset" ends them at once. */
  readonly accept: "forward" | "silence" | "reset";
  /** Ends the connection that carries the byte after so many, of that way and counted from now over all of them. */
  readonly cut: { readonly way: Way; readonly afterBytes: number } | null;
}

const noFaults: Faults = {
  latencyMs: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
  swallowed: [],
  accept: "forward",
  cut: null,
};

/** A network that breaks when it is told to. */
export interface FaultProxy {
  readonly port: number;
  /** The same address through the proxy. */
  through(url: string): string;
  /** Connections open to the client. */
  readonly connections: number;
  /** Bytes that vanished in it so far. */
  readonly lostBytes: number;
  /** From now on, for connections that are open and for those to come; what is not named stays as it is. */
  break(faults: Partial<Faults>): void;
  /** Ends all open connections the hard way, as a router does that forgot them. */
  reset(): void;
  /** No more faults. Connections that lost something are ended: what comes after a gap would be nonsense. */
  heal(): void;
  /** Ends everything. */
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  /** Null for a client that is left alone. */
  readonly server: Socket | null;
  readonly flows: readonly Flow[];
}

/** A proxy on loopback to a server on loopback. */
export async function startFaultProxy(target: { readonly port: number; readonly host?: string }): Promise<FaultProxy> {
  let faults = noFaults;
  const pairs = new Set<Pair>();
  let lostBytes = 0;
  const lose = (bytes: number) => {
    lostBytes += bytes;
  };
  const carried: Record<Way, number> = { requests: 0, replies: 0 };

  /** How many of these bytes pass, and whether the connection ends with them. */
  const admit = (way: Way, bytes: number) => {
    const left = faults.cut?.way === way ? Math.max(0, faults.cut.afterBytes - carried[way]) : bytes;
    const passing = Math.min(bytes, left);
    carried[way] += passing;
    const isCut = passing < bytes;
    if (isCut) faults = { ...faults, cut: null };
    return { passing, isCut };
  };

  const server = createServer((client) => {
    if (faults.accept === "reset") client.resetAndDestroy();
    else open(client);
  });

  function open(client: Socket): void {
    const onward = faults.accept === "forward" ? connect({ host: "127.0.0.1", ...target }) : null;
    const parts = { faults: () => faults, admit, lose, cut };
    const flow = (way: Way, from: Socket, to: Socket) => new Flow({ way, from, to, ...parts });
    const flows = onward ? [flow("requests", client, onward), flow("replies", onward, client)] : [];
    const pair = { client, server: onward, flows };
    function cut(): void {
      for (const socket of [client, onward]) socket?.resetAndDestroy();
    }
    pairs.add(pair);
    // Without a listener an error would end the process; both sides end together.
    for (const socket of [client, onward]) socket?.on("error", cut).once("close", () => socket.destroy());
    client.once("close", () => {
      pairs.delete(pair);
      onward?.destroy();
    });
    if (onward === null) client.on("data", ({ length }) => lose(length));
  }

  const endAll = (which: (pair: Pair) => boolean) => {
    for (const pair of [...pairs].filter(which)) {
      for (const socket of [pair.client, pair.server]) socket?.resetAndDestroy();
    }
  };
  const port = await listening(server);
  return {
    port,
    through(url) {
      const own = new URL(url);
      own.host = `127.0.0.1:${port}`;
      return own.href;
    },
    get connections() {
      return pairs.size;
    },
    get lostBytes() {
      return lostBytes;
    },
    break(changed) {
      if (changed.cut !== undefined) Object.assign(carried, { requests: 0, replies: 0 });
      faults = { ...faults, ...changed };
    },
    reset: () => endAll(() => true),
    heal() {
      faults = noFaults;
      endAll(({ server: onward, flows }) => onward === null || flows.some((flow) => flow.hasLost));
    },
    async close() {
      endAll(() => true);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

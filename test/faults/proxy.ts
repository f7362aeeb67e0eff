import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { type Admission, Flow, type Way } from "./flow.ts";

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
  /** The next request that contains this text gets through; its connection ends before the reply to it is back. */
  readonly loseReplyTo: string | null;
}

const noFaults: Faults = {
  latencyMs: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
  swallowed: [],
  accept: "forward",
  cut: null,
  loseReplyTo: null,
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
  /** Connections that it has ended so far. */
  readonly endedConnections: number;
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
  /** Ends with the next byte of a reply. */
  isReplyLost: boolean;
}

export interface ProxyTarget {
  readonly port: number;
  /** @default "127.0.0.1" */
  readonly host?: string;
}

/** A proxy that listens on loopback. */
export async function startFaultProxy(target: ProxyTarget): Promise<FaultProxy> {
  const proxy = new RunningProxy(target);
  await proxy.listen();
  return proxy;
}

class RunningProxy implements FaultProxy {
  readonly #target: ProxyTarget;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #faults = noFaults;
  #lostBytes = 0;
  #endedConnections = 0;
  /** Since the last word on a cut. */
  #carried: Record<Way, number> = { requests: 0, replies: 0 };

  constructor(target: ProxyTarget) {
    this.#target = target;
    this.#server = createServer({ noDelay: true }, (client) => this.#accept(client));
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  get lostBytes(): number {
    return this.#lostBytes;
  }

  get endedConnections(): number {
    return this.#endedConnections;
  }

  through(url: string): string {
    const own = new URL(url);
    own.host = `127.0.0.1:${this.port}`;
    return own.href;
  }

  break(faults: Partial<Faults>): void {
    if (faults.cut !== undefined) this.#carried = { requests: 0, replies: 0 };
    this.#faults = { ...this.#faults, ...faults };
  }

  reset(): void {
    for (const pair of [...this.#pairs]) this.#end(pair);
  }

  heal(): void {
    this.#faults = noFaults;
    const spoilt = [...this.#pairs].filter(
      ({ server, flows }) => server === null || flows.some((flow) => flow.hasLost),
    );
    for (const pair of spoilt) this.#end(pair);
  }

  async close(): Promise<void> {
    this.reset();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(client: Socket): void {
    const { accept } = this.#faults;
    const server = accept === "forward" ? connect({ host: "127.0.0.1", noDelay: true, ...this.#target }) : null;
    const flow = (way: Way, from: Socket, to: Socket) => new Flow({ way, from, to, ...parts });
    const parts = {
      faults: () => this.#faults,
      admit: (way: Way, chunk: Buffer) => this.#admit(pair, way, chunk),
      lose: (bytes: number) => this.#lose(bytes),
      cut: () => this.#end(pair),
    };
    const flows = server ? [flow("requests", client, server), flow("replies", server, client)] : [];
    const pair: Pair = { client, server, flows, isReplyLost: false };
    this.#watch(pair);
    if (accept === "silence") client.on("data", ({ length }) => this.#lose(length));
    if (accept === "reset") this.#end(pair);
  }

  /** Both sides end together. Without a listener an error would end the process. */
  #watch(pair: Pair): void {
    const { client, server } = pair;
    this.#pairs.add(pair);
    for (const socket of [client, server]) socket?.on("error", () => resetBoth(pair));
    server?.once("close", () => client.destroySoon());
    client.once("close", () => {
      this.#pairs.delete(pair);
      server?.destroy();
    });
  }

  /** How many bytes of it pass, and whether the connection ends with them. */
  #admit(pair: Pair, way: Way, chunk: Buffer): Admission {
    if (way === "requests") this.#noteRequest(pair, chunk);
    else if (pair.isReplyLost) return { passing: 0, isCut: true };
    const { cut } = this.#faults;
    const left = cut?.way === way ? cut.afterBytes - this.#carried[way] : chunk.length;
    const passing = Math.min(chunk.length, left);
    this.#carried[way] += passing;
    const isCut = passing < chunk.length;
    if (isCut) this.#faults = { ...this.#faults, cut: null };
    return { passing, isCut };
  }

  #noteRequest(pair: Pair, chunk: Buffer): void {
    const { loseReplyTo } = this.#faults;
    if (loseReplyTo === null || !chunk.includes(loseReplyTo)) return;
    pair.isReplyLost = true;
    this.#faults = { ...this.#faults, loseReplyTo: null };
  }

  #lose(bytes: number): void {
    this.#lostBytes += bytes;
  }

  #end(pair: Pair): void {
    this.#endedConnections += 1;
    resetBoth(pair);
  }
}

function resetBoth({ client, server }: Pair): void {
  client.resetAndDestroy();
  server?.resetAndDestroy();
}

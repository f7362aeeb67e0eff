import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server on which things can go wrong. */
export interface FaultyProxy {
  readonly port: number;
  /** The next request that contains this text gets through; its connection is cut before the reply comes back. */
  loseReplyTo(text: string): void;
  /** Connections stay open and carry nothing any more, neither way; new ones too, until `mend`. */
  freeze(): void;
  /** All connections end, and new ones end at once, until `mend`. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

interface Faults {
  /** Lost is the reply to what contains this. */
  fatal: string | undefined;
  frozen: boolean;
  cut: boolean;
}

export async function startFaultyProxy(targetPort: number): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  const faults: Faults = { fatal: undefined, frozen: false, cut: false };
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };

  const server = createServer((client) => {
    if (faults.cut) client.destroy();
    else relay(client, connect(targetPort, "127.0.0.1"), sockets, faults);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    loseReplyTo(text) {
      faults.fatal = text;
    },
    freeze() {
      faults.frozen = true;
    },
    cut() {
      faults.cut = true;
      endAll();
    },
    mend() {
      faults.frozen = false;
      faults.cut = false;
      // What was dropped is gone for good: a connection with a hole in it is of no use.
      endAll();
    },
    async close() {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function relay(client: Socket, target: Socket, sockets: Set<Socket>, faults: Faults): void {
  let replies = true;
  for (const socket of [client, target]) {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      client.destroy();
      target.destroy();
    });
  }
  client.on("data", (bytes) => {
    if (faults.frozen) return;
    if (faults.fatal !== undefined && bytes.includes(faults.fatal)) {
      faults.fatal = undefined;
      replies = false;
    }
    target.write(bytes);
  });
  target.on("data", (bytes) => {
    if (!replies) client.destroy();
    else if (!faults.frozen) client.write(bytes);
  });
}

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

export async function startFaultyProxy(targetPort: number): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  let fatal: string | undefined;
  let frozen = false;
  let isCut = false;
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };

  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const target = connect(targetPort, "127.0.0.1");
    let replies = true;
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        target.destroy();
      });
    }
    client.on("data", (bytes) => {
      if (frozen) return;
      if (fatal !== undefined && bytes.includes(fatal)) {
        fatal = undefined;
        replies = false;
      }
      target.write(bytes);
    });
    target.on("data", (bytes) => {
      if (!replies) client.destroy();
      else if (!frozen) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    loseReplyTo(text) {
      fatal = text;
    },
    freeze() {
      frozen = true;
    },
    cut() {
      isCut = true;
      endAll();
    },
    mend() {
      frozen = false;
      isCut = false;
      // What was dropped is gone for good: a connection with a hole in it is of no use.
      endAll();
    },
    async close() {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

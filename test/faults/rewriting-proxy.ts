import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/**
 * The same address through a proxy that rewrites the server's answers, as a proxy does that speaks another version of the
 * protocol. What is rewritten has to come in one piece.
 */
export async function rewritingProxy(url: string, rewrite: (answer: string) => string): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    client.on("data", (bytes) => upstream.write(bytes)).on("close", () => upstream.destroy());
    // Each byte is one character, so lengths and everything else stay.
    upstream.on("data", (bytes) => client.write(Buffer.from(rewrite(bytes.toString("latin1")), "latin1")));
    upstream.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return own.href;
}

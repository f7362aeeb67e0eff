import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Clock } from "../domain/clock.ts";

export interface ClosingLimits {
  /** For requests that have not come whole, in milliseconds: nobody has begun to answer them. @default 1_000 */
  readonly unheardMs?: number;
  /** For answers, in milliseconds, read or not. @default 30_000 */
  readonly answerMs?: number;
}

/**
 * Closes a server within a time: once it takes no connections, Node times nobody out any more, and who sends a byte a minute would
 * keep it from ending. Call it before the server listens; the function it gives closes.
 */
export function closeInTime(app: FastifyInstance, clock: Clock, limits: ClosingLimits = {}): () => Promise<void> {
  const { unheardMs = 1_000, answerMs = 30_000 } = limits;
  const connected = new Set<Socket>();
  const answered = new Map<Socket, number>();
  const count = (socket: Socket, by: number) => {
    const n = (answered.get(socket) ?? 0) + by;
    if (n > 0) answered.set(socket, n);
    else answered.delete(socket);
  };
  app.server.on("connection", (socket) => {
    connected.add(socket);
    socket.once("close", () => {
      connected.delete(socket);
      answered.delete(socket);
    });
  });
  app.addHook("preHandler", async ({ raw: { socket } }) => count(socket, 1));
  let isClosing = false;
  app.addHook("onResponse", async ({ raw: { socket } }) => {
    count(socket, -1);
    // Kept for a next request, it would be waited for.
    if (isClosing && !answered.has(socket)) socket.destroySoon();
  });
  return async () => {
    isClosing = true;
    const cuts = [
      clock.after(unheardMs, () => {
        for (const socket of connected) if (!answered.has(socket)) socket.destroy();
      }),
      clock.after(answerMs, () => app.server.closeAllConnections()),
    ];
    await app.close();
    for (const cancel of cuts) cancel();
  };
}

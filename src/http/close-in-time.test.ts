import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import fastify from "fastify";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../system/host.ts";
import { type ClosingLimits, closeInTime } from "./close-in-time.ts";

const halfRequests = [
  "GET / HTTP/1.1\r\nHost: a\r\nX-",
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"',
];

/** A server on which `/slow` answers when it is told to. */
async function openServer(limits: ClosingLimits) {
  const app = fastify({ forceCloseConnections: "idle" });
  const close = closeInTime(app, systemClock, limits);
  let ask = () => {};
  let answer = (_text: string) => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const answered = new Promise<string>((resolve) => {
    answer = resolve;
  });
  app.get("/slow", () => {
    ask();
    return answered;
  });
  app.post("/", async () => "heard");
  const port = Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
  const send = async (request: string): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    onTestFinished(() => void socket.destroy());
    await new Promise<void>((written) => socket.write(request, () => written()));
    return socket;
  };
  return { close, send, asked, answer };
}

it("waits for an answer under way, and for nobody who has not finished asking", async () => {
  const server = await openServer({ unheardMs: 20 });
  const halves = await Promise.all(halfRequests.map((request) => server.send(request)));
  const slow = await server.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  await server.asked;
  const closing = server.close();
  await Promise.all(halves.map((socket) => new Promise((gone) => socket.resume().once("close", gone))));
  server.answer("here it is");
  expect(await text(slow)).toContain("here it is");
  await closing;
});

it("ends, though an answer never does", async () => {
  const server = await openServer({ unheardMs: 20, answerMs: 40 });
  await server.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  await server.asked;
  await server.close();
});

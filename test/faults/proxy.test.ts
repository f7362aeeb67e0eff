import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { type FaultProxy, startFaultProxy } from "./proxy.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Conversation {
  readonly client: Socket;
  /** Everything the client got back so far. */
  heard(): string;
  /** Everything the server got so far. */
  readonly arrived: () => string;
}

/** A server that says everything back, and a proxy in front of it. */
async function setup(): Promise<{ proxy: FaultProxy; talk(): Promise<Conversation>; arrived(): string }> {
  let arrived = "";
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      arrived += chunk.toString();
      socket.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy = await startFaultProxy({ port: (server.address() as AddressInfo).port });
  closing.push(async () => {
    await proxy.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { proxy, arrived: () => arrived, talk: () => talk(proxy, () => arrived) };
}

async function talk(proxy: FaultProxy, arrived: () => string): Promise<Conversation> {
  let heard = "";
  const client = connect({ port: proxy.port, host: "127.0.0.1" });
  client.on("error", () => {});
  client.on("data", (chunk) => {
    heard += chunk.toString();
  });
  await once(client, "connect");
  closing.push(async () => client.destroy());
  return { client, heard: () => heard, arrived };
}

/** Unlike `once` it does not mind an error on the way. */
function closeOf(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once("close", resolve));
}

it("carries everything both ways where nothing is wrong, and the end of it too", async () => {
  const { talk: open } = await setup();
  const { client, heard } = await open();
  const text = "x".repeat(3_000_000);
  client.write(text);
  await eventually(() => heard().length === text.length);
  client.end();
  await closeOf(client);
  expect(heard()).toBe(text);
});

it("adds latency each way", async () => {
  const { proxy, talk: open } = await setup();
  const { client, heard } = await open();
  proxy.break({ latencyMs: 60 });
  const began = Date.now();
  client.write("ping");
  await eventually(() => heard() === "ping");
  expect(Date.now() - began).toBeGreaterThanOrEqual(118);
});

it("lets only so much pass in a second, in order", async () => {
  const { proxy, talk: open } = await setup();
  const { client, heard } = await open();
  proxy.break({ bytesPerSecond: 10_000 });
  const began = Date.now();
  for (let part = 0; part < 10; part++) client.write(String(part).repeat(200));
  await eventually(() => heard().length === 2_000);
  expect(Date.now() - began).toBeGreaterThanOrEqual(198);
  expect(heard()).toMatch(/^0{200}1{200}.*9{200}$/);
});

it("swallows replies while requests arrive", async () => {
  const { proxy, talk: open } = await setup();
  const { client, heard, arrived } = await open();
  proxy.break({ swallowed: ["replies"] });
  client.write("lost answer");
  await eventually(() => proxy.lostBytes === "lost answer".length);
  expect(arrived()).toBe("lost answer");
  expect(heard()).toBe("");
  expect(client.destroyed).toBe(false);
});

it("is a black hole when both ways vanish, and ends what went through it when it heals", async () => {
  const { proxy, talk: open, arrived } = await setup();
  const { client } = await open();
  proxy.break({ swallowed: ["requests", "replies"] });
  client.write("void");
  client.write("void");
  const closed = closeOf(client);
  await eventually(() => proxy.lostBytes === 8);
  expect(client.destroyed).toBe(false);
  proxy.heal();
  await closed;
  expect(arrived()).toBe("");
  const again = await open();
  again.client.write("back");
  await eventually(() => again.heard() === "back");
});

it("leaves alone what lost nothing when it heals", async () => {
  const { proxy, talk: open } = await setup();
  const { client, heard } = await open();
  proxy.break({ latencyMs: 5 });
  client.write("a");
  await eventually(() => heard() === "a");
  proxy.heal();
  client.write("b");
  await eventually(() => heard() === "ab");
});

it("accepts a connection and says nothing, when it is told to be half open", async () => {
  const { proxy, talk: open, arrived } = await setup();
  proxy.break({ accept: "silence" });
  const { client, heard } = await open();
  client.write("anybody?");
  await eventually(() => proxy.lostBytes === "anybody?".length);
  expect([heard(), arrived(), client.destroyed]).toEqual(["", "", false]);
  const closed = closeOf(client);
  proxy.heal();
  await closed;
});

it("resets connections: those that are open when asked, and new ones while it is told to", async () => {
  const { proxy, talk: open } = await setup();
  const { client } = await open();
  const reset = once(client, "error");
  await eventually(() => proxy.connections === 1);
  proxy.reset();
  expect(await reset).toMatchObject([{ code: "ECONNRESET" }]);
  proxy.break({ accept: "reset" });
  const refused = connect({ port: proxy.port, host: "127.0.0.1" });
  expect(await once(refused, "error")).toMatchObject([{ code: "ECONNRESET" }]);
});

it("cuts a connection after so many bytes, once", async () => {
  const { proxy, talk: open, arrived } = await setup();
  const { client } = await open();
  proxy.break({ cut: { way: "requests", afterBytes: 4 } });
  const closed = closeOf(client);
  client.write("whole");
  await closed;
  await eventually(() => arrived() === "whol");
  const again = await open();
  again.client.write("fine");
  await eventually(() => again.heard() === "fine");
});

it("cuts before the first byte of a reply, which then never comes", async () => {
  const { proxy, talk: open, arrived } = await setup();
  const { client, heard } = await open();
  proxy.break({ cut: { way: "replies", afterBytes: 0 } });
  const closed = closeOf(client);
  client.write("done?");
  await closed;
  expect([arrived(), heard()]).toEqual(["done?", ""]);
});

it("loses the reply to one request by its text, and no other", async () => {
  const { proxy, talk: open, arrived } = await setup();
  const { client, heard } = await open();
  const other = await open();
  proxy.break({ loseReplyTo: "commit" });
  client.write("select;");
  await eventually(() => heard() === "select;");
  const closed = closeOf(client);
  client.write("commit;");
  await closed;
  expect([arrived(), heard()]).toEqual(["select;commit;", "select;"]);
  other.client.write("commit;");
  await eventually(() => other.heard() === "commit;");
});

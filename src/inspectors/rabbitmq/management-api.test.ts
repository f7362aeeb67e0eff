import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { matching } from "../../../test/matching.ts";
import { managementApi } from "./management-api.ts";

const patient = new AbortController().signal;

describe("the management API", () => {
  it("is asked for all pages of ten thousand queues, and for no more", async () => {
    const asked: string[] = [];
    const api = managementApi(
      await serve((request, response) => {
        asked.push(request.url ?? "");
        const page = Number(new URL(request.url ?? "", "http://x").searchParams.get("page"));
        const items = Array.from({ length: 500 }, (_, index) => ({ name: `q${(page - 1) * 500 + index}` }));
        response.end(JSON.stringify({ items, page_count: 20 }));
      }),
      patient,
    );
    const queues = await api.list("/queues/%2F", "&columns=name");
    expect(new Set(queues?.map((queue) => JSON.stringify(queue))).size).toBe(10_000);
    expect([asked.length, asked[19]]).toEqual([20, "/api/queues/%2F?page=20&page_size=500&columns=name"]);
  });

  it("is not asked for ever by one that always has another page", async () => {
    const api = managementApi(
      await serve((_request, response) => void response.end('{"items":[1],"page_count":1e9}')),
      patient,
    );
    expect(await api.list("/queues/%2F")).toHaveLength(1_000);
  });

  it("gets name and password as they are meant, and the path in front of it", async () => {
    const seen: unknown[] = [];
    const address = await serve((request, response) => {
      seen.push([request.url, request.headers.authorization]);
      response.end("{}");
    });
    await managementApi(`${address.replace("//", "//u%40x:p%3A%C3%BC@")}/rabbit/`, patient).get("/whoami");
    expect(seen).toEqual([["/rabbit/api/whoami", `Basic ${Buffer.from("u@x:p:ü").toString("base64")}`]]);
  });

  it.each([401, 403, 404])("leaves out what it refuses with %d", async (status) => {
    const api = managementApi(await serve((_request, response) => void response.writeHead(status).end("{}")), patient);
    expect([await api.get("/policies"), await api.list("/queues")]).toEqual([null, null]);
  });

  it("asks for a user where the address has none, and for a tag where it has one", async () => {
    const address = await serve((_request, response) => void response.writeHead(401).end("{}"));
    const refusal = (at: string) => expect(managementApi(at, patient).get("/whoami")).rejects;
    await refusal(address).toThrow(/Put a user and a password into `management`/);
    await refusal(address.replace("//", "//shop:secret@")).toThrow(/set_user_tags/);
  });

  it("does not follow to another place, where the password would go along", async () => {
    const address = await serve((_request, response) => void response.writeHead(302, { location: "/elsewhere" }).end());
    await expect(managementApi(address, patient).get("/whoami")).rejects.toMatchObject({
      code: "TRANSPORT_UNAVAILABLE",
    });
  });

  it("says that something else answers where another protocol is spoken", async () => {
    const server = createTcpServer((socket) => void socket.on("error", () => {}).end("AMQP\0\0\x09\x01")).listen(
      0,
      "127.0.0.1",
    );
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(managementApi(address, patient).get("/whoami")).rejects.toMatchObject({
      message: matching(/cannot be reached: something else answers there/),
    });
  });

  it("is unavailable while it answers with failures", async () => {
    const address = await serve((_request, response) => void response.writeHead(503).end());
    await expect(managementApi(address, patient).get("/whoami")).rejects.toMatchObject({
      message: matching(/status 503/),
    });
  });
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

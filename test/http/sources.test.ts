import { describe, expect, it } from "vitest";
import { listAddedSources } from "../../src/ledger/added-sources.ts";
import { markDemo } from "../../src/ledger/demo-mark.ts";
import { useLedger } from "./open-server.ts";

const ledgers = useLedger();
const url = "amqp://dlo:hunter2@rabbit.example:5672/shop";
const rules = [{ match: "orders.dlq", mode: "drain" }];

describe("a source that is connected while the office runs", () => {
  it("is there at once, changed and let go of by an admin, and each of it is in the log without the address", async () => {
    const server = await ledgers.open();
    const admin = await server.signedIn("ana");
    const post = (path: string, body: object) => server.fromPage(admin, `/api/v1/sources${path}`, body);
    const names = async () => {
      const { items } = (await server.fromPage(admin, "/api/v1/sources")).json<{ items: { name: string }[] }>();
      return items.map(({ name }) => name);
    };
    expect((await post("", { name: "shop", url, queues: rules })).statusCode).toBe(200);
    expect(await names()).toEqual(["rabbit", "shop"]);
    expect(await post("", { name: "shop", url, queues: [] })).toMatchObject({ statusCode: 400 });
    const [kept] = await listAddedSources(server.ledger);
    expect(kept).toMatchObject({ name: "shop", broker: "rabbitmq", shown: "amqp://dlo:***@rabbit.example:5672/shop" });
    expect(Buffer.from(kept?.url ?? []).toString("latin1")).not.toContain("hunter2");
    expect((await post("/shop", { queues: [{ match: "*.dlq", mode: "observe" }] })).statusCode).toBe(200);
    expect((await listAddedSources(server.ledger))[0]).toMatchObject({ queues: [{ match: "*.dlq", mode: "observe" }] });
    const seen = await server.fromPage(admin, "/api/v1/sources");
    expect(seen.body).not.toMatch(/hunter2|rabbit\.example/);
    expect((await post("/shop/remove", {})).statusCode).toBe(200);
    expect(await names()).toEqual(["rabbit"]);
    const { body } = await server.fromPage(admin, "/api/v1/audit?limit=10");
    for (const action of ["sources.added", "sources.changed", "sources.removed"]) expect(body).toContain(action);
    expect(body).not.toContain("hunter2");
  });

  it("keeps what a change does not name, and stays with the broker it is of", async () => {
    const server = await ledgers.open();
    const admin = await server.signedIn("ana");
    const post = (path: string, body: object) => server.fromPage(admin, `/api/v1/sources${path}`, body);
    const kept = async () => (await listAddedSources(server.ledger)).find(({ name }) => name === "books");
    const management = "http://dlo:hunter2@rabbit.example:8080";
    expect(await post("", { name: "books", url, management, queues: rules })).toMatchObject({ statusCode: 200 });
    const before = await kept();
    expect(before?.management).not.toBeNull();
    expect(await post("/books", { url: url.replace("hunter2", "hunter3") })).toMatchObject({ statusCode: 200 });
    const after = await kept();
    expect(after).toMatchObject({ management: before?.management, schema: null, queues: rules });
    expect(after?.url).not.toEqual(before?.url);
    expect(await post("/books", { schema: "letters", management: null })).toMatchObject({ statusCode: 200 });
    expect(await kept()).toMatchObject({ url: after?.url, management: null, schema: "letters" });
    const refused = await post("/books", { url: "kafka://kafka.example:9092" });
    expect(refused).toMatchObject({ statusCode: 400 });
    expect(refused.body).toContain("is rabbitmq, and that is an address of kafka");
    expect(await kept()).toMatchObject({ broker: "rabbitmq", url: after?.url });
    await post("/books/remove", {});
  });

  it("is the configuration's where that has one of the name", async () => {
    const server = await ledgers.open();
    const admin = await server.signedIn("ana");
    for (const [path, body] of [
      ["", { name: "rabbit", url, queues: [] }],
      ["/rabbit", { queues: [] }],
      ["/rabbit/remove", {}],
    ] as const)
      expect(await server.fromPage(admin, `/api/v1/sources${path}`, body), path).toMatchObject({ statusCode: 400 });
  });

  it("is looked at and connected by nobody who is not an admin", async () => {
    const server = await ledgers.open();
    const operator = await server.signedIn("ops", ["operator"]);
    for (const [path, body] of [
      ["/look", { url }],
      ["", { name: "mine", url, queues: [] }],
      ["/rabbit", { queues: [] }],
      ["/rabbit/remove", {}],
    ] as const)
      expect(await server.fromPage(operator, `/api/v1/sources${path}`, body), path).toMatchObject({ statusCode: 403 });
  });

  it("cannot name a variable or a file of this machine", async () => {
    const server = await ledgers.open();
    const admin = await server.signedIn("ana");
    const answer = await server.fromPage(admin, "/api/v1/sources/look", { url: "file:/etc/hostname" });
    expect(answer).toMatchObject({ statusCode: 400 });
    expect(answer.body).toContain("must begin with one of");
  });

  it("is refused what can be neither drained nor sent to", async () => {
    const server = await ledgers.open();
    const admin = await server.signedIn("ana");
    const answer = await server.fromPage(admin, "/api/v1/sources/look", { source: "nowhere" });
    expect(answer).toMatchObject({ statusCode: 404 });
    expect(answer.body).toContain("There is no source");
  });
});

describe("a demonstration", () => {
  const own = useLedger();

  it("neither looks at a real broker nor connects one", async () => {
    const server = await own.open();
    await markDemo(server.ledger);
    const admin = await server.signedIn("ana");
    for (const [path, body] of [
      ["/look", { url }],
      ["", { name: "shop", url, queues: rules }],
    ] as const) {
      const answer = await server.fromPage(admin, `/api/v1/sources${path}`, body);
      expect(answer.json()).toMatchObject({ error: { code: "demo.no_real_source" } });
    }
    expect(await listAddedSources(server.ledger)).toEqual([]);
  });
});

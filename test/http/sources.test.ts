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

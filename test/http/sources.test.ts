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
    expect(await post("/books", { management: null })).toMatchObject({ statusCode: 200 });
    expect(await kept()).toMatchObject({ url: after?.url, management: null });
    const refused = await post("/books", { url: "kafka://kafka.example:9092" });
    expect(refused).toMatchObject({ statusCode: 400 });
    expect(refused.body).toContain("That is an address of Kafka, and RabbitMQ is at one such as amqp://");
    expect(await kept()).toMatchObject({ broker: "rabbitmq", url: after?.url });
    await post("/books/remove", {});
  });

  it("is changed and let go of by another process of the office, which has not heard of it yet", async () => {
    const [first, second] = [await ledgers.open(), await ledgers.open()];
    const admin = await first.signedIn("ana");
    const connected = await first.fromPage(admin, "/api/v1/sources", { name: "new", url, queues: rules });
    expect(connected.statusCode).toBe(200);
    const changed = await second.fromPage(admin, "/api/v1/sources/new", { queues: [] });
    expect(changed.statusCode).toBe(200);
    const third = await ledgers.open();
    expect(await third.fromPage(admin, "/api/v1/sources/new/remove", {})).toMatchObject({ statusCode: 200 });
  });

  it("says where idempotency keys and blocked keys are, by a source or a sealed address of PostgreSQL", async () => {
    const server = await ledgers.open();
    const admin = await server.signedIn("ana");
    const post = (path: string, body: object) => server.fromPage(admin, `/api/v1/sources${path}`, body);
    const kept = async () => (await listAddedSources(server.ledger)).find(({ name }) => name === "keyed");
    const shown = async () => {
      const { items } = (await server.fromPage(admin, "/api/v1/sources")).json<{ items: { name: string }[] }>();
      return items.find(({ name }) => name === "keyed");
    };
    const keyed = { name: "keyed", url, key: { pointer: "/order/id" }, queues: rules };
    for (const [keys, sentence] of [
      [{ source: "rabbit" }, "which the source rabbit is not"],
      [{ source: "nowhere" }, "There is no source `nowhere`"],
      [{ url: "redis://redis.example" }, "which that address is not"],
      [{ source: "rabbit", schema: "dlo" }, "keys"],
    ] as const) {
      const refused = await post("", { ...keyed, keys });
      expect([refused.statusCode === 200, refused.body]).toEqual([false, expect.stringContaining(sentence)]);
    }
    const misread = await post("", { ...keyed, key: { pointer: "order" } });
    expect([misread.statusCode, misread.body]).toEqual([
      400,
      expect.stringContaining("a JSON pointer such as /order/id"),
    ]);

    const store = "postgres://dlo:hunter2@db.example/orders";
    expect(await post("", { ...keyed, keys: { url: store } })).toMatchObject({ statusCode: 200 });
    const before = await kept();
    expect(before).toMatchObject({
      key: { pointer: "/order/id" },
      keys: { shown: "postgres://dlo:***@db.example/orders", schema: "dlo" },
    });
    expect(Buffer.from(before?.keysUrl ?? []).toString("latin1")).not.toContain("hunter2");
    expect(before?.keysUrl?.length).toBeGreaterThan(0);
    expect(await shown()).toMatchObject({ key: { pointer: "/order/id" }, keys: "a database" });

    expect(await post("/keyed", { key: { header: "x-order" } })).toMatchObject({ statusCode: 200 });
    expect(await kept()).toMatchObject({ key: { header: "x-order" }, keys: before?.keys, keysUrl: before?.keysUrl });
    expect(await post("", { name: "books-db", url: store, queues: [] })).toMatchObject({ statusCode: 200 });
    expect(await post("/keyed", { keys: { source: "books-db" }, key: null })).toMatchObject({ statusCode: 200 });
    expect(await kept()).toMatchObject({ key: null, keys: { source: "books-db" }, keysUrl: null });
    expect(await shown()).toMatchObject({ key: null, keys: "books-db" });
    const { body } = await server.fromPage(admin, "/api/v1/audit?limit=20");
    expect(body).not.toContain("hunter2");
    for (const name of ["keyed", "books-db"]) await post(`/${name}/remove`, {});
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

  it("is a job framework by its name, with what its address does not say, and nothing is taken from it", async () => {
    const server = await ledgers.open();
    const admin = await server.signedIn("ana");
    const post = (path: string, body: object) => server.fromPage(admin, `/api/v1/sources${path}`, body);
    const at = "redis://dlo:hunter2@redis.example:6379";
    const read = [{ match: "*", mode: "observe" }];
    const jobs = { name: "jobs", broker: "bullmq", url: at, prefix: "shop", queues: read };
    for (const [wrong, sentence] of [
      [{ url: "postgres://db.example/shop" }, "That is an address of PostgreSQL, with our own queues, and BullMQ"],
      [{ broker: "redis" }, "`prefix` is only for bullmq, sidekiq, dramatiq"],
      [{ transports: { async: "default" } }, "`transports` is only for symfony-messenger"],
      [{ queues: rules }, "`queues.0.mode` must be observe"],
    ] as const) {
      const answer = await post("", { ...jobs, ...wrong });
      expect(answer, sentence).toMatchObject({ statusCode: 400 });
      expect(answer.body).toContain(sentence);
    }
    expect(await post("", jobs)).toMatchObject({ statusCode: 200 });
    const kept = async () => (await listAddedSources(server.ledger)).find(({ name }) => name === "jobs");
    expect(await kept()).toMatchObject({ broker: "bullmq", prefix: "shop", transports: null, queues: read });
    expect(await post("/jobs", { queues: rules })).toMatchObject({ statusCode: 400 });
    expect(await post("/jobs", { prefix: null, url: at.replace("hunter2", "hunter3") })).toMatchObject({
      statusCode: 200,
    });
    expect(await kept()).toMatchObject({ broker: "bullmq", prefix: null, queues: read });
    const { items } = (await server.fromPage(admin, "/api/v1/sources")).json<{ items: { name: string }[] }>();
    expect(items.find(({ name }) => name === "jobs")).toMatchObject({ broker: "bullmq", isReadInPlace: true });
    await post("/jobs/remove", {});
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

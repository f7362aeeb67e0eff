import { describe, expect, it } from "vitest";
import { OfficeError } from "../../src/domain/errors.ts";
import { makeMessage, textHeader } from "../../src/domain/message.ts";
import { defaultMasking } from "../../src/domain/redaction.ts";
import { peekQueue } from "../../src/office/intake/peek.ts";
import type { OpenedSource } from "../../src/sources/opened-source.ts";
import { systemHost } from "../../src/system/host.ts";
import { testRoom } from "../ledger/letters.ts";
import { useLedger } from "./open-server.ts";

const { clock } = systemHost;
const path = "/api/v1/queues/peek";
const card = "4111 1111 1111 1111";
const asked = { source: "kafka", queue: "orders.dlq" };

/** One source, `kafka`, each of whose queues has a letter of orders and one of wages. */
function looking() {
  const looked: string[] = [];
  const lying = ["orders", "wages"].map((queue, index) => {
    const headers = [
      textHeader("queue", queue),
      textHeader("message", `card ${card}`),
      textHeader("authorization", "Bearer s3cret-1"),
    ];
    const body = JSON.stringify({ secretive: `${"x".repeat(3_990)}${queue}`, inner: { pin: "pin-0815" }, card, queue });
    return { position: `${queue}/0/${index}`, message: makeMessage({ body, headers }) };
  });
  const open = async (source: string) => {
    if (source !== "kafka") throw new OfficeError("SOURCE_NOT_FOUND", "There is kafka.");
    const peek = async (queue: string, { most }: { readonly most: number }) => {
      looked.push(queue);
      return lying.slice(0, most);
    };
    return { transport: { broker: "kafka" } as OpenedSource["transport"], peek };
  };
  const masking = { ...defaultMasking, paths: ["body.inner.pin", "body.secretive"] };
  const peek = (request: Parameters<typeof peekQueue>[1]) => peekQueue({ open, room: testRoom(), clock }, request);
  return { looked, office: { peek, masking } };
}

describe("a look into a dead-letter queue over HTTP", () => {
  const ledger = useLedger();

  it("is masked as letters are, before it is cut, and kept nowhere", async () => {
    const server = await ledger.open({ office: looking().office });
    const ops = await server.signedIn("ops", ["operator"]);
    const answer = await server.fromPage(ops, path, asked);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.json()).toMatchObject({
      ...asked,
      items: [{ queue: "orders", position: "orders/0/0", failedAt: null, body: { kind: "text", masked: true } }, {}],
    });
    expect(answer.body).not.toMatch(/4111|s3cret|0815|xxxx/);
    const { rows } = await server.ledger.database.query("select 1 from dlo.letters");
    expect(rows).toEqual([]);
  });

  it("is for operators, and of fifty messages at most", async () => {
    const { looked, office } = looking();
    const server = await ledger.open({ office });
    const eyes = await server.signedIn("eyes", ["viewer"]);
    expect((await server.fromPage(eyes, path, asked)).statusCode).toBe(403);
    const ops = await server.signedIn("ops", ["operator"]);
    for (const wrong of [
      { limit: 51 },
      { limit: 0 },
      { queue: "a\u0000b" },
      { queue: "x".repeat(513) },
      { source: "" },
    ])
      expect((await server.fromPage(ops, path, { ...asked, ...wrong })).statusCode).toBe(400);
    expect(looked).toEqual([]);
    const one = await server.fromPage(ops, path, { ...asked, limit: 1 });
    expect(one.json<{ items: readonly unknown[] }>().items).toHaveLength(1);
  });

  it("shows to somebody of some queues what is theirs, and says of the rest that it is not there", async () => {
    const { looked, office } = looking();
    const roles = [
      { name: "orders-ops", is: "operator", queues: ["*/orders"], reveals: false },
      { name: "orders-eyes", is: "viewer", queues: ["*"], reveals: false },
    ] as const;
    const server = await ledger.open({ office, roles });
    const some = await server.signedIn("some", ["orders-ops", "orders-eyes"]);
    const theirs = await server.fromPage(some, path, asked);
    expect(theirs.json()).toMatchObject({ items: [{ queue: "orders" }] });
    expect(theirs.body).not.toContain("wages");
    looked.length = 0;
    const elsewhere = await server.fromPage(some, path, { ...asked, queue: "wages.dlq" });
    const nowhere = await server.fromPage(some, path, { ...asked, source: "kafk" });
    for (const refused of [elsewhere, nowhere]) {
      expect([refused.statusCode, refused.json()]).toMatchObject([404, { error: { code: "queue.not_found" } }]);
    }
    expect(nowhere.body).not.toContain("There is kafka");
    expect(looked).toEqual([]);
  });
});

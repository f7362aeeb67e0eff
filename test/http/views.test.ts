import { beforeAll, expect, it } from "vitest";
import { readAuditAfter } from "../../src/ledger/read-changes.ts";
import { type TestServer, useLedger } from "./open-server.ts";

const base = useLedger();
let server: TestServer;
const cookies: Record<string, string> = {};
beforeAll(async () => {
  server = await base.open();
  for (const [name, role] of Object.entries({ ana: "operator", eve: "viewer" }))
    cookies[name] = await server.signedIn(name, [role]);
});

type Who = "ana" | "eve";

const change = (who: Who, path: string, body: object) =>
  server.fromPage(cookies[who] ?? "", `/api/v1/views/${path}`, body);

/** Without those there always are. */
async function viewsOf(who: Who): Promise<readonly string[]> {
  const { items } = (await server.fromPage(cookies[who] ?? "", "/api/v1/views")).json<{
    items: { name: string; q: string; kind: string; setBy: string | null }[];
  }>();
  return items
    .filter(({ kind }) => kind !== "built-in")
    .map(({ name, q, setBy, kind }) => `${name} ${q} ${setBy} ${kind}`);
}

it("keeps a search for whoever saved it, and replaces it under the same name", async () => {
  await change("eve", "late-orders", { q: "queue:mails" });
  await change("eve", "late-orders", { q: "queue:orders age:>1h" });
  expect(await viewsOf("eve")).toEqual(["late-orders queue:orders age:>1h eve own"]);
  expect(await viewsOf("ana")).toEqual([]);
  expect((await change("ana", "late-orders/remove", {})).json()).toMatchObject({ error: { code: "view.not_found" } });
  expect((await change("eve", "late-orders/remove", {})).statusCode).toBe(200);
  expect(await viewsOf("eve")).toEqual([]);
});

it("keeps the order and the columns of a list, and refuses those there are not", async () => {
  await change("eve", "old-first", { q: "queue:orders", sort: "arrived", cols: ["age", "error"] });
  const { items } = (await server.fromPage(cookies.eve ?? "", "/api/v1/views")).json<{ items: { name: string }[] }>();
  expect(items.find(({ name }) => name === "old-first")).toMatchObject({ sort: "arrived", cols: ["error", "age"] });
  expect(items.find(({ name }) => name === "came-back")).toMatchObject({ sort: null, cols: [] });
  for (const wrong of [{ sort: "size" }, { cols: ["body"] }])
    expect((await change("eve", "wrong", { q: "queue:orders", ...wrong })).statusCode).toBe(400);
  await change("eve", "old-first/remove", {});
});

it("is everybody's where an operator shares it, beside one's own of that name, and the audit log says so", async () => {
  expect((await change("eve", "team/share", { q: "state:returned" })).statusCode).toBe(403);
  await change("ana", "team/share", { q: "state:returned" });
  await change("eve", "team", { q: "state:open" });
  expect(await viewsOf("eve")).toEqual(["team state:open eve own", "team state:returned ana shared"]);
  expect((await change("eve", "team/unshare", {})).statusCode).toBe(403);
  await change("ana", "team/unshare", {});
  expect(await viewsOf("ana")).toEqual([]);
  const entries = await readAuditAfter(server.ledger, { after: 0, limit: 100 });
  const actions = entries.map(({ text }) => (JSON.parse(text) as { action: string }).action);
  expect(actions.filter((action) => action.startsWith("views."))).toEqual(["views.shared", "views.unshared"]);
});

it("refuses a search that nobody could open, and the name of one that there always is", async () => {
  expect((await change("eve", "wrong", { q: "catgory:poison" })).json()).toMatchObject({
    error: { code: "query.invalid" },
  });
  expect((await change("eve", "came-back", { q: "queue:orders" })).json()).toMatchObject({
    error: { code: "input.invalid_option" },
  });
});

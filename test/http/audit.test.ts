import { expect, it } from "vitest";
import type { Actor } from "../../src/domain/actor.ts";
import { recordAction } from "../../src/ledger/audit.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { type TestServer, useLedger } from "./open-server.ts";

const ledgers = useLedger();

const ana: Actor = { id: "ana", kind: "human", roles: ["operator"] };
const office: Actor = { id: "office", kind: "system", roles: ["operator"] };

async function lived(): Promise<{
  readonly server: TestServer;
  readonly find: (asked: string) => Promise<OutputOf<"audit.list">>;
}> {
  const server = await ledgers.open();
  const { ledger } = server;
  const cookie = await server.signedIn("root");
  const write = (actor: Actor, action: string, details: Readonly<Record<string, string | number>>) =>
    recordAction(ledger, ledger.database, { at: Date.now(), actor, action, details });
  await write(office, "letters.held", { source: "rabbit", drainedFrom: "orders.dlq", held: 3, merged: 0 });
  await write(ana, "replay.approved", { replay: "rpl_1", reason: 'it says "actor":{"id":"office", and is back' });
  await write(ana, "replay.approvedness", { replay: "rpl_2" });
  await write({ ...ana, id: "an" }, "letters.dropped", { reason: "gone", n: 1 });
  return {
    server,
    find: async (asked) => (await server.fromPage(cookie, `/api/v1/audit?${asked}`)).json<OutputOf<"audit.list">>(),
  };
}

const said = ({ items }: OutputOf<"audit.list">) => items.map(({ actor, action }) => `${actor} ${action}`);

it("finds who did what about what, and nobody whose name only looks alike", async () => {
  const { find } = await lived();
  expect(said(await find("by=ana"))).toEqual(["ana replay.approvedness", "ana replay.approved"]);
  expect(said(await find("by=office"))).toEqual(["office letters.held"]);
  expect(said(await find("action=replay"))).toEqual(["ana replay.approvedness", "ana replay.approved"]);
  expect(said(await find("action=replay.approved"))).toEqual(["ana replay.approved"]);
  expect(said(await find("about=rpl_1"))).toEqual(["ana replay.approved"]);
  expect(said(await find("about=orders.dlq"))).toEqual(["office letters.held"]);
  expect(said(await find("withoutOffice=true&limit=3"))).toEqual([
    ...["an letters.dropped", "ana replay.approvedness", "ana replay.approved"],
  ]);
  const [latest] = (await find("limit=1")).items;
  expect(said(await find(`from=${latest?.at}&limit=1`))).toEqual(["an letters.dropped"]);
  expect(said(await find(`by=an&to=${latest?.at}`))).toEqual([]);
  expect(await find("by=nobody")).toEqual({ items: [], next: null });
});

it("says where it has looked to when nothing was found in a long log", async () => {
  const { server, find } = await lived();
  const { ledger } = server;
  const last = (await find("limit=1")).items[0]?.n ?? 0;
  const gap = `insert into ${ledger.at}.audit_log (n, entry, hash) select n + 100_000, entry, hash from ${ledger.at}.audit_log where n = $1`;
  await ledger.database.query(gap, [last]);
  await ledger.database.query(`update ${ledger.at}.audit_head set n = $1`, [last + 100_000]);
  const first = await find("by=ana");
  expect(first).toEqual({ items: [], next: String(last + 1) });
  expect(said(await find(`by=ana&limit=2&before=${first.next}`))).toEqual([
    "ana replay.approvedness",
    "ana replay.approved",
  ]);
});

it("tells what was done in words", async () => {
  const { find } = await lived();
  const { items } = await find("limit=4");
  expect(items.map(({ sentence }) => sentence)).toEqual([
    "dropped 0 letters: gone",
    "replay approvedness",
    'approved rpl_1: it says "actor":{"id":"office", and is back',
    "took in 3 letters from rabbit/orders.dlq",
  ]);
});

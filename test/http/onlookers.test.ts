import { beforeAll, expect, it } from "vitest";
import { auditHead } from "../../src/ledger/read-changes.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { type TestServer, useLedger } from "./open-server.ts";

const base = useLedger();
let server: TestServer;
let cookies: Readonly<Record<Who, string>>;
let letters: readonly { readonly id: string; readonly group: string; readonly queue: string }[];

type Who = "ana" | "ben" | "olga";

const headersOf = (n: number) => ({
  queue: n < 23 ? "orders" : "wages",
  class: n % 2 === 0 ? "TypeError" : "RangeError",
});

beforeAll(async () => {
  const roles = [{ name: "orders-eyes", is: "viewer", queues: ["rabbit/orders"], reveals: false }] as const;
  server = await base.open({ roles });
  const { at, database } = server.ledger;
  await database.query(`create table ${at}.told as select clock_timestamp() as time`);
  await database.query(`create or replace function ${at}.clock() returns timestamptz language sql volatile as $$
    select time from ${at}.told
  $$`);
  cookies = {
    ana: await server.signedIn("ana"),
    ben: await server.signedIn("ben", ["viewer"]),
    olga: await server.signedIn("olga", ["orders-eyes"]),
  };
  await hold(
    server.ledger,
    Array.from({ length: 25 }, (_, n) => ({
      letter: deadLetter({ body: `${n}`, headers: headersOf(n) }),
      found: { kind: "position", position: `${n}` } as const,
    })),
  );
  const listed = await server.fromPage(cookies.ana, "/api/v1/letters?limit=50&sort=arrived");
  letters = listed.json<{ items: typeof letters }>().items;
});

const post = (who: Who, id = "") => server.fromPage(cookies[who], `/api/v1/onlookers/${id}`, {});

/** Who else is there, for somebody who looks at it. */
async function othersFor(who: Who, id = ""): Promise<readonly string[]> {
  const { items } = (await post(who, id)).json<{ items: readonly { id: string; since: string }[] }>();
  return items.map((each) => each.id);
}

/** The ledger's clock stands still otherwise, however slow the machine is. */
async function passSeconds(seconds: number): Promise<void> {
  const { at, database } = server.ledger;
  await database.query(`update ${at}.told set time = time + $1::float8 * interval '1 s'`, [seconds]);
}

async function rowsKept(): Promise<number> {
  const { at, database } = server.ledger;
  return (await database.query(`select from ${at}.onlookers`, [])).count;
}

it("tells of the others who have the same thing open, since when, and not of oneself", async () => {
  const [one, other] = letters;
  expect(await othersFor("ana", one?.id)).toEqual([]);
  expect(await othersFor("ana", one?.id)).toEqual([]);
  const [ana] = (await post("ben", one?.id)).json<{ items: readonly { id: string; since: string }[] }>().items;
  expect(ana?.id).toBe("ana");
  await passSeconds(20);
  await post("ana", one?.id);
  expect((await post("ben", one?.id)).json()).toEqual({ items: [ana], next: null });
  expect(await othersFor("ana", one?.id)).toEqual(["ben"]);
  expect(await othersFor("ben", other?.id)).toEqual([]);
  expect(await othersFor("ana", one?.group)).toEqual([]);
  expect(await othersFor("ben", one?.group)).toEqual(["ana"]);
});

it("forgets who did not say it again, whoever writes next", async () => {
  const [one, other] = letters;
  await post("ana", one?.id);
  await passSeconds(44);
  const before = (await post("ben", one?.id)).json<{ items: readonly { since: string }[] }>().items[0]?.since ?? "";
  expect(before).not.toBe("");
  await passSeconds(2);
  expect(await othersFor("ben", one?.id)).toEqual([]);
  await post("ana", one?.id);
  const [again] = (await post("ben", one?.id)).json<{ items: readonly { since: string }[] }>().items;
  expect(Date.parse(again?.since ?? "")).toBeGreaterThan(Date.parse(before) + 40_000);
  await passSeconds(46);
  await post("ben", other?.id);
  expect(await rowsKept()).toBe(1);
});

it("keeps the last 20 things of one person, and writes nothing to the audit log", async () => {
  await passSeconds(46);
  const head = await auditHead(server.ledger);
  for (const { id } of letters.slice(0, 22)) {
    await post("ana", id);
    await passSeconds(1);
  }
  expect(await rowsKept()).toBe(20);
  expect(await othersFor("ben", letters[1]?.id)).toEqual([]);
  expect(await othersFor("ben", letters[2]?.id)).toEqual(["ana"]);
  expect(await auditHead(server.ledger)).toBe(head);
});

it("finds nothing that cannot be seen, and counts nobody but people who are signed in", async () => {
  const [inside, outside] = [letters[0], letters.find(({ queue }) => queue === "wages")];
  for (const id of [outside?.id, outside?.group]) expect((await post("olga", id)).statusCode).toBe(404);
  expect(await othersFor("ana", outside?.id)).toEqual([]);
  await post("ana", inside?.id);
  expect(await othersFor("olga", inside?.id)).toEqual(["ana"]);
  expect((await post("ana", "no-such-thing")).statusCode).toBe(400);
  const made = await server.fromPage(cookies.ben, "/api/v1/tokens", { name: "script" });
  const authorization = `Bearer ${made.json<{ token: string }>().token}`;
  const url = `/api/v1/onlookers/${inside?.id}`;
  const refused = await server.request({ url, method: "POST", payload: {}, headers: { authorization } });
  expect(refused.statusCode).toBe(403);
  expect(await othersFor("ana", inside?.id)).toEqual(["olga"]);
});

it("lets those meet who look at a group by the name it had before it was merged", async () => {
  const [into, from] = [letters[3]?.group, letters[4]?.group];
  await post("ana", into);
  const merged = await server.fromPage(cookies.ana, `/api/v1/groups/${from}/merge`, { into, reason: "one cause" });
  expect(merged.statusCode).toBe(200);
  expect(await othersFor("ben", from)).toEqual(["ana"]);
});

it("does not keep a session alive that asks for nothing else", async () => {
  await passSeconds(120);
  expect((await server.fromPage(cookies.ben, "/api/v1/letters/count")).statusCode).toBe(200);
  await passSeconds(7_100);
  expect((await post("ben", letters[0]?.id)).statusCode).toBe(200);
  await passSeconds(200);
  expect((await post("ben", letters[0]?.id)).statusCode).toBe(401);
});

import { describe, expect, it } from "vitest";
import { publicAddress } from "../../src/http/public-address.ts";
import { sessionCookieName } from "../../src/http/session-cookie.ts";
import { applyPeople } from "../../src/office/people/apply-people.ts";
import { peopleKeeper } from "../../src/office/people/standing-people.ts";
import { systemHost } from "../../src/system/host.ts";
import { type TestServer, useLedger } from "../http/open-server.ts";
import { signedInThere } from "./signed-in-there.ts";

const issuer = "https://idp.example";
const roles = [{ name: "ops", is: "operator", queues: ["*"], reveals: false }] as const;
const cookieName = sessionCookieName(publicAddress(null, { host: "127.0.0.1", port: 7719 }, "/"));
const boss = { id: "boss", issuer, subject: "sub-boss", roles: ["admin"] };

describe("whose name it is", () => {
  const ledger = useLedger();
  const open = (people = [boss]) => ledger.open({ roles, people, port: 7719 });
  const come = (server: TestServer, subject: string, name: string, groups: readonly string[] = ["ops"]) =>
    server.reception.signInBy(signedInThere({ issuer, subject, name, groups }), "::1");
  const actorOf = async (server: TestServer, session: string) => (await server.reception.bySession(session))?.actor;

  it("gives no name of the configuration, and none that looks like it, to anybody else", async () => {
    const server = await open();
    for (const [n, name] of ["boss", "Boss", "ｂｏｓｓ", " b0ss ", "bo.ss", "system", "Admin"].entries())
      expect((await actorOf(server, await come(server, `squatter-${n}`, name)))?.id).toMatch(/-[0-9a-f]{12}$/);
    const admin = await server.signedIn("dora", ["admin"]);
    for (const id of ["boss", "b0ss", "policy"]) {
      const refused = await server.fromPage(admin, "/api/v1/people", { id, roles: ["viewer"] });
      expect([refused.statusCode, refused.json<Refused>().error.code]).toEqual([400, "input.invalid_option"]);
    }
    expect(await actorOf(server, await come(server, "sub-boss", "boss", []))).toMatchObject({
      id: "boss",
      roles: ["admin"],
    });
  });

  it("refuses whom the configuration names while the name is another's, until an admin frees it", async () => {
    const server = await open([]);
    const chief = { id: "chief", issuer, subject: "sub-chief", roles: ["admin"] };
    const squatter = await come(server, "sub-mallory", "chief");
    const { token } = (
      await server.fromPage(`${cookieName}=${squatter}`, "/api/v1/tokens", { name: "kept", days: 366 })
    ).json<{ token: string }>();
    await applyPeople({ ledger: server.ledger, clock: systemHost.clock }, [boss, chief]);
    await expect(come(server, "sub-chief", "whatever")).rejects.toThrow(
      /chief is another account: sub-mallory at .*dlo people rename chief --to NEW-NAME/,
    );
    expect(await actorOf(server, squatter)).toMatchObject({ id: "chief", roles: ["operator"] });

    const admin = await server.signedIn("dora", ["admin"]);
    const renamed = await server.fromPage(admin, "/api/v1/people/chief/rename", { to: "mallory" });
    expect(renamed.json()).toEqual({ id: "mallory" });
    expect(await actorOf(server, await come(server, "sub-chief", "whatever"))).toMatchObject({
      id: "chief",
      roles: ["admin"],
    });
    expect(await actorOf(server, squatter)).toBeUndefined();
    expect(await server.reception.byToken(token)).toMatchObject({ id: "mallory", roles: ["operator"] });
    expect((await actorOf(server, await come(server, "sub-mallory", "chief")))?.id).toBe("mallory");
    const { items } = (await server.fromPage(admin, "/api/v1/audit?limit=50")).json<{ items: { action: string }[] }>();
    expect(items.map(({ action }) => action)).toContain("people.renamed");
  });

  it("gives a name that somebody had before to no newcomer", async () => {
    const server = await open([]);
    await come(server, "sub-first", "vera");
    const admin = await server.signedIn("dora", ["admin"]);
    expect((await server.fromPage(admin, "/api/v1/people/vera/rename", { to: "walt" })).statusCode).toBe(200);
    expect((await actorOf(server, await come(server, "sub-newcomer", "vera")))?.id).toMatch(/^vera-[0-9a-f]{12}$/);
  });

  it("joins nobody to an account that has its roles by somebody else", async () => {
    const server = await open([]);
    const former = await come(server, "sub-former", "cto");
    const cto = { id: "cto", issuer, subject: "sub-cto", roles: ["admin"] };
    await applyPeople({ ledger: server.ledger, clock: systemHost.clock }, [boss, cto]);
    const admin = await server.signedIn("dora", ["admin"]);
    const joined = await server.fromPage(admin, "/api/v1/people/cto/join", { issuer, subject: "sub-cto" });
    expect([joined.statusCode, joined.json<Refused>().error.code]).toEqual([403, "actor.not_allowed"]);
    await expect(come(server, "sub-cto", "cto")).rejects.toThrow(
      /free the name \(dlo people rename cto --to NEW-NAME\)\.$/,
    );
    expect((await actorOf(server, former))?.roles).toEqual(["operator"]);
  });

  it("gives an account with a password the roles of the configuration once an admin joined them", async () => {
    const eve = { id: "eve", issuer, subject: "sub-eve", roles: ["approver"] };
    const server = await open([]);
    await server.signedIn("eve", ["viewer"]);
    await applyPeople({ ledger: server.ledger, clock: systemHost.clock }, [boss, eve]);
    await expect(come(server, "sub-eve", "eve")).rejects.toThrow(/join you to it if it is you/);
    const admin = await server.signedIn("dora", ["admin"]);
    await server.fromPage(admin, "/api/v1/people/eve/join", { issuer, subject: "sub-eve" });
    expect(await actorOf(server, await come(server, "sub-eve", "eve"))).toMatchObject({
      id: "eve",
      roles: ["approver"],
    });
  });
});

describe("the link of the first run", () => {
  const ledger = useLedger();
  const leads = { name: "leads", is: "admin", queues: ["*"], reveals: false } as const;
  const password = "correct horse battery";

  it.each([
    { who: "the configuration", people: [boss], groups: [] },
    { who: "a group", people: [], groups: ["leads"] },
  ])("makes no admin beside one that $who makes", async ({ people, groups }) => {
    const server = await ledger.open({ roles: [leads], people, port: 7719 });
    const { database, at } = server.ledger;
    for (const table of ["sessions", "invitations", "identities", "people"])
      await database.query(`delete from ${at}.${table}`, []);
    const early = (await server.reception.firstRun()) ?? "";
    expect(early).not.toBe("");
    await server.reception.signInBy(signedInThere({ issuer, subject: "sub-boss", name: "boss", groups }), "::1");
    await expect(server.reception.enrol({ code: early, name: "eve", password })).rejects.toMatchObject({
      code: "SIGN_IN_REFUSED",
    });
    await database.query(`delete from ${at}.invitations`, []);
    expect(await server.reception.firstRun()).toBeNull();
    expect(await server.reception.hasAdmin()).toBe(true);
  });
});

describe("who loses the last role", () => {
  const ledger = useLedger();
  const open = (people = [boss]) => ledger.open({ roles, people, port: 7719 });

  it("loses sessions and tokens with the sign-in that is refused", async () => {
    const server = await open();
    const { session, token } = await withToken(server, { subject: "sub-ana", name: "ana", groups: ["ops"] });
    const refused = server.reception.signInBy(
      signedInThere({ issuer, subject: "sub-ana", name: "ana", groups: [] }),
      "::1",
    );
    await expect(refused).rejects.toThrow("You have no role");
    expect([await server.reception.bySession(session), await server.reception.byToken(token)]).toEqual([null, null]);
    const admin = await server.signedIn("dora", ["admin"]);
    const { items } = (await server.fromPage(admin, "/api/v1/people")).json<{ items: Listed[] }>();
    expect(items.find(({ id }) => id === "ana")?.roles).toEqual([]);
    // A group that comes back lets her in again, and brings no old token back.
    const again = await server.reception.signInBy(
      signedInThere({ issuer, subject: "sub-ana", name: "ana", groups: ["ops"] }),
      "::1",
    );
    expect((await server.reception.bySession(again))?.actor.roles).toEqual(["operator"]);
    expect(await server.reception.byToken(token)).toBeNull();
  });

  it("loses them when the configuration no longer names them, and has other roles when it says so", async () => {
    const server = await open();
    const { session, token } = await withToken(server, { subject: "sub-boss", name: null, groups: [] });
    const apply = (people: (typeof boss)[]) => applyPeople({ ledger: server.ledger, clock: systemHost.clock }, people);
    await apply([{ ...boss, roles: ["viewer"] }]);
    expect((await server.reception.bySession(session))?.actor.roles).toEqual(["viewer"]);
    await apply([]);
    expect(await server.reception.bySession(session)).toBeNull();
    await expect(server.reception.byToken(token)).rejects.toMatchObject({ code: "TOKEN_SUSPENDED" });
    // The wrong file for a minute costs a sign-in, and no token.
    await apply([boss]);
    await expect(server.reception.byToken(token)).rejects.toMatchObject({ code: "TOKEN_SUSPENDED" });
    await server.reception.signInBy(signedInThere({ issuer, subject: "sub-boss", name: null, groups: [] }), "::1");
    expect((await server.reception.byToken(token))?.roles).toEqual(["admin"]);
  });

  it("is told by each process whose configuration names other people", async () => {
    const server = await open();
    const { ledger: own } = server;
    const keeper = (people: (typeof boss)[] | null) =>
      peopleKeeper({ ledger: own, clock: systemHost.clock, read: async () => people });
    const [one, other, silent] = [keeper([boss]), keeper([]), keeper(null)];
    const another = [expect.stringContaining("Another process put another `people:` in force") as string];
    expect(await one.refresh()).toEqual([]);
    expect(await silent.refresh()).toEqual([expect.stringContaining("says nothing of people")]);
    expect([await other.refresh(), await one.refresh(), await silent.refresh()]).toEqual([[], another, []]);
  });
});

async function withToken(
  server: TestServer,
  who: { readonly subject: string; readonly name: string | null; readonly groups: readonly string[] },
) {
  const session = await server.reception.signInBy(signedInThere({ issuer, ...who }), "::1");
  const made = await server.fromPage(`${cookieName}=${session}`, "/api/v1/tokens", { name: "kept", days: 366 });
  const { token } = made.json<{ token: string }>();
  expect(await server.reception.byToken(token)).not.toBeNull();
  return { session, token };
}

interface Refused {
  readonly error: { readonly code: string };
}

interface Listed {
  readonly id: string;
  readonly roles: readonly string[];
}

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IdentityIssuer } from "../../src/domain/identity.ts";
import { type OidcProvider, startOidcProvider } from "../servers/oidc-provider.ts";
import { origin, type TestServer, useLedger } from "./open-server.ts";
import { browserAt, issuerAt, signInThere } from "./sign-in-there.ts";

/** By their subject: two are called the same. */
const accounts = {
  "sub-ana": { name: "ana", groups: ["payments-ops"] },
  "sub-ben": { name: "ana", groups: ["admin"] },
  "sub-cleo": { name: "ana", groups: ["payments-ops"] },
};
const roles = [{ name: "payments-ops", is: "operator", queues: ["*"], reveals: false }] as const;

describe("sign-in by OpenID Connect", () => {
  const ledger = useLedger();
  let issuer: IdentityIssuer;
  let there: OidcProvider;
  beforeAll(async () => {
    there = await startOidcProvider({ redirectUris: [`${origin}/auth/oidc/callback`], people: accounts });
    issuer = issuerAt(there);
  });
  afterAll(() => there.close());
  const open = (people: { id: string; sub: string; roles: string[] }[] = [], takesPasswords = true) =>
    ledger.open({
      issuer,
      roles,
      people: people.map(({ sub, ...one }) => ({ ...one, issuer: there.issuer, subject: sub })),
      takesPasswords,
    });

  const signIn = (server: TestServer, account: string) => browserAt(server).signIn(account);

  it("leads back to the page that was asked for, with the roles that the issuer's groups give", async () => {
    const server = await open();
    const { back, actor } = await signIn(server, "sub-ana");
    expect([back.statusCode, back.headers.location]).toEqual([302, "/letters?q=x"]);
    expect(actor).toMatchObject({ id: "ana", roles: ["operator"] });
    expect((await signIn(server, "sub-ana")).actor?.id).toBe("ana");
  });

  it("takes nobody for somebody who is only called the same", async () => {
    const { actor } = await signIn(await open(), "sub-cleo");
    expect(actor?.id).toMatch(/^ana-[0-9a-f]{12}$/);
  });

  it("gives no role by a group that is only called like one, and lets nobody in without", async () => {
    const { back, actor, refused } = await signIn(await open(), "sub-ben");
    expect([back.headers.location, actor]).toEqual(["/letters?q=x", null]);
    expect(refused).toContain('You have no role in this office. None of your groups gives one: "admin".');
  });

  it("gives whom the configuration names the roles it says, and shuts out whom an admin shut out", async () => {
    const server = await open([{ id: "ben", sub: "sub-ben", roles: ["admin"] }]);
    const { actor, cookie } = await signIn(server, "sub-ben");
    expect(actor).toMatchObject({ id: "ben", roles: ["admin"] });
    const other = await server.signedIn("dora", ["admin"]);
    await server.fromPage(other, "/api/v1/people/ben", { isDisabled: true });
    expect((await server.fromPage(cookie, "/api/v1/inbox")).statusCode).toBe(401);
    expect((await signIn(server, "sub-ben")).refused).toContain("shut you out");
  });

  it("is one person's once an admin joined it to theirs", async () => {
    const server = await open();
    const admin = await server.signedIn("dora", ["admin"]);
    await signIn(server, "sub-cleo");
    const identity = { issuer: there.issuer, subject: "sub-cleo" };
    expect((await server.fromPage(admin, "/api/v1/people/dora/join", identity)).statusCode).toBe(200);
    expect((await signIn(server, "sub-cleo")).actor).toMatchObject({ id: "dora", roles: ["admin"] });
    const { items } = (await server.fromPage(admin, "/api/v1/people")).json<{ items: Listed[] }>();
    expect(items.find(({ id }) => id.startsWith("ana-"))?.disabledAt).not.toBeNull();
  });

  it("ends only in the browser that began it, once", async () => {
    const server = await open();
    const [own, other, none] = [browserAt(server), browserAt(server), browserAt(server)];
    await other.begin();
    const way = await signInThere(await own.begin(), "sub-ana");
    for (const browser of [none, other]) {
      const { back, actor, refused } = await browser.comeBack(way);
      expect([back.headers.location, actor]).toEqual(["/", null]);
      expect(refused).toContain("begun in another browser");
    }
    const kept = new Map(own.jar);
    const { back, actor } = await own.comeBack(way);
    expect([back.headers.location, actor?.id]).toEqual(["/letters?q=x", "ana"]);
    const again = browserAt(server);
    for (const [name, value] of kept) again.jar.set(name, value);
    expect((await again.comeBack(way)).refused).toContain("was used already");
  });

  it.each(["//elsewhere.example/", "https://elsewhere.example/", "/\\elsewhere.example", "x"])(
    "never leads to another place: %s",
    async (to) => {
      const server = await open();
      const browser = browserAt(server);
      const { back } = await browser.comeBack(await signInThere(await browser.begin(to), "sub-ana"));
      expect(back.headers.location).toBe("/");
    },
  );

  it("is the only way in where nobody has a password", async () => {
    const server = await open([], false);
    expect(await server.reception.firstRun()).toBeNull();
    const refused = await server.fromPage("", "/auth/sign-in", { name: "dora", password: "correct horse battery" });
    expect(refused.statusCode).toBe(401);
    expect((await signIn(server, "sub-ana")).actor?.id).toBe("ana");
  });
});

interface Listed {
  readonly id: string;
  readonly disabledAt: string | null;
}

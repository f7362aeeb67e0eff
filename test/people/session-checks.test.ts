import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkSessions } from "../../src/office/people/check-sessions.ts";
import { systemHost } from "../../src/system/host.ts";
import { sealing } from "../../src/system/sealing.ts";
import { origin, type TestServer, useLedger } from "../http/open-server.ts";
import { browserAt, issuerAt } from "../http/sign-in-there.ts";
import { type OidcProvider, startOidcProvider } from "../servers/oidc-provider.ts";

const roles = [
  { name: "ops", is: "operator", queues: ["*"], reveals: false },
  { name: "leads", is: "admin", queues: ["*"], reveals: false },
] as const;

/** A provider that gives refresh tokens, each of which is good once. */
const startProvider = () =>
  startOidcProvider({
    redirectUris: [`${origin}/auth/oidc/callback`],
    client: { grant_types: ["authorization_code", "refresh_token"] },
    settings: { issueRefreshToken: async () => true, rotateRefreshToken: true, scopes: ["openid", "groups"] },
  });

describe("a session whose provider gives refresh tokens", () => {
  const ledger = useLedger();
  let folder: string;
  let there: OidcProvider;
  let server: TestServer;
  let check: () => Promise<void>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "dlo-checks-"));
  });
  afterAll(() => rm(folder, { recursive: true }));
  beforeEach(async () => {
    there = await startProvider();
    const issuer = issuerAt(there);
    // Due at once, each time.
    const checks = { everyMs: 1, sealing: sealing({ key: undefined, folder }) };
    server = await ledger.open({ issuer, roles, checks });
    check = () => checkSessions({ ledger: server.ledger, clock: systemHost.clock, roles, issuer, ...checks });
    return () => there.close();
  });

  async function signedIn(subject: string, groups: readonly string[]) {
    there.people.set(subject, { groups });
    const { cookie, actor } = await browserAt(server).signIn(subject);
    expect(actor?.id).toBe(subject);
    const rolesNow = async () => {
      const session = await server.request({ url: "/auth/session", headers: { cookie } });
      return session.json<{ actor: { roles: string[] } | null }>().actor?.roles ?? null;
    };
    return { cookie, rolesNow };
  }

  const storedTokens = async () => {
    const { database, at } = server.ledger;
    const { rows } = await database.query<{ token: Uint8Array; ended: boolean }>(
      `select refresh_token as token, ended_at is not null as ended from ${at}.sessions where issuer = $1`,
      [there.issuer],
    );
    return rows;
  };

  it("has the roles that its person's groups give by now, again and again", async () => {
    const { rolesNow } = await signedIn("ana", ["ops"]);
    await check();
    expect(await rolesNow()).toEqual(["operator"]);
    there.people.set("ana", { groups: ["leads"] });
    await check();
    expect(await rolesNow()).toEqual(["admin"]);
    there.people.set("ana", { groups: ["ops"] });
    await check();
    expect(await rolesNow()).toEqual(["operator"]);
  });

  it("ends with the last group, and tokens with it", async () => {
    const { cookie, rolesNow } = await signedIn("ben", ["ops"]);
    const made = await server.fromPage(cookie, "/api/v1/tokens", { name: "kept", days: 366 });
    const { token } = made.json<{ token: string }>();
    there.people.set("ben", { groups: [] });
    await check();
    expect([await rolesNow(), await server.reception.byToken(token)]).toEqual([null, null]);
  });

  it("ends when its person is disabled there, or the claim for roles is gone", async () => {
    const [cleo, dan] = [await signedIn("cleo", ["ops"]), await signedIn("dan", ["ops"])];
    there.people.delete("cleo");
    there.people.set("dan", {});
    await check();
    expect([await cleo.rolesNow(), await dan.rolesNow()]).toEqual([null, null]);
    expect((await storedTokens()).map(({ token, ended }) => [token, ended])).toEqual([
      [null, true],
      [null, true],
    ]);
  });

  /** The roles of a terminal that this browser lets in; null once it is out. */
  async function terminalOf(cookie: string) {
    const verifier = "v".repeat(43);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const { code } = (await server.fromPage(cookie, "/auth/terminal/allow", { challenge })).json<{ code: string }>();
    const redeemed = await server.fromPage("", "/auth/terminal/session", { code, verifier });
    const { session } = redeemed.json<{ session: string }>();
    return async () => (await server.reception.bySession(session))?.actor.roles ?? null;
  }

  it("ends in a terminal when its browser signs out", async () => {
    const { cookie } = await signedIn("gus", ["ops"]);
    const terminalRoles = await terminalOf(cookie);
    expect(await terminalRoles()).toEqual(["operator"]);
    await server.fromPage(cookie, "/auth/sign-out", {});
    expect(await terminalRoles()).toBeNull();
  });

  it("is checked for as long as a terminal uses it, also where its browser was closed", async () => {
    const { cookie } = await signedIn("hal", ["ops"]);
    const terminalRoles = await terminalOf(cookie);
    const { database, at } = server.ledger;
    const letLapse = (which: string) =>
      database.query(
        `update ${at}.sessions set seen_at = seen_at - interval '3 hours' where issuer = $1 and ended_at is null and ${which}`,
        [there.issuer],
      );
    await letLapse("refresh_token is not null");
    await check();
    expect(await terminalRoles()).toEqual(["operator"]);
    there.people.set("hal", { groups: ["leads"] });
    await check();
    expect(await terminalRoles()).toEqual(["admin"]);
    there.people.set("hal", { groups: [] });
    await check();
    expect(await terminalRoles()).toBeNull();
  });

  it("needs no token any more once no browser and no terminal uses it", async () => {
    const { cookie } = await signedIn("ida", ["ops"]);
    await terminalOf(cookie);
    await server.ledger.database.query(
      `update ${server.ledger.at}.sessions set seen_at = seen_at - interval '3 hours' where issuer = $1`,
      [there.issuer],
    );
    await check();
    expect((await storedTokens()).map(({ token }) => token)).toEqual([null, null]);
  });

  it("goes on while the provider is away, which is said", async () => {
    const { rolesNow } = await signedIn("eve", ["ops"]);
    await there.close();
    await expect(check()).rejects.toThrow(/can't be reached/);
    expect(await rolesNow()).toEqual(["operator"]);
  });

  it("is checked whatever others can't be, also by a process with another key, and ends unchecked after an hour", async () => {
    const subjects = Array.from({ length: 10 }, (_, n) => `gil-${n}`);
    const sessions: Awaited<ReturnType<typeof signedIn>>[] = [];
    for (const subject of subjects) sessions.push(await signedIn(subject, ["ops"]));
    for (const subject of subjects.slice(1)) there.people.delete(subject);
    const { database, at } = server.ledger;
    await database.query(
      `update ${at}.sessions set refresh_token = '\\x00', check_at = 'epoch' where issuer = $1 and subject = 'gil-0'`,
      [there.issuer],
    );
    await expect(check()).rejects.toThrow("sealed with another key");
    const left = await Promise.all(sessions.map(({ rolesNow }) => rolesNow()));
    expect(left).toEqual([["operator"], ...subjects.slice(1).map(() => null)]);
    await database.query(
      `update ${at}.sessions set checked_at = ${at}.clock() - interval '61 minutes' where issuer = $1`,
      [there.issuer],
    );
    await expect(check()).rejects.toThrow("sealed with another key");
    expect(await sessions[0]?.rolesNow()).toBeNull();
  });

  it("keeps its refresh token sealed, for itself alone", async () => {
    await signedIn("fay", ["ops"]);
    const [stored] = await storedTokens();
    expect(stored?.token.byteLength).toBeGreaterThan(28);
    const { open } = sealing({ key: undefined, folder });
    await expect(open(stored?.token ?? new Uint8Array(), "session of another")).rejects.toThrow(
      "sealed with another key",
    );
  });
});

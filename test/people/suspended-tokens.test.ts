import { describe, expect, it } from "vitest";
import { publicAddress } from "../../src/http/public-address.ts";
import { sessionCookieName } from "../../src/http/session-cookie.ts";
import { saySuspensions } from "../../src/office/people/suspensions.ts";
import { systemHost } from "../../src/system/host.ts";
import { password, type TestServer, useLedger } from "../http/open-server.ts";
import { signedInThere } from "./signed-in-there.ts";

const issuer = "https://idp.example";
const roles = [{ name: "ops", is: "operator", queues: ["*"], reveals: false }] as const;

const dayMs = 86_400_000;
const cookieName = sessionCookieName(publicAddress(null, { host: "127.0.0.1", port: 7717 }, "/"));

describe("a token of somebody who signs in elsewhere", () => {
  const ledger = useLedger();
  const open = () => ledger.open({ roles });
  const come = (server: TestServer, name: string) =>
    server.reception.signInBy(signedInThere({ issuer, subject: `sub-${name}`, name, groups: ["ops"] }), "::1");

  async function tokenOf(server: TestServer, name: string): Promise<string> {
    const session = await come(server, name);
    const made = await server.fromPage(`${cookieName}=${session}`, "/api/v1/tokens", { name: "ci", days: 366 });
    return made.json<{ token: string }>().token;
  }

  /** As if their provider had last named them so many days ago. */
  async function awayFor(server: TestServer, name: string, days: number): Promise<void> {
    const { database, at } = server.ledger;
    await database.query(
      `update ${at}.identities set seen_at = ${at}.clock() - $2 * interval '1 day' where person = $1 and gives_roles`,
      [name, days],
    );
  }

  const ask = (server: TestServer, token: string) =>
    server.request({ url: "/api/v1/tokens", headers: { authorization: `Bearer ${token}` } });

  const saidOf = async (server: TestServer, name: string) => {
    await saySuspensions({ ledger: server.ledger, clock: systemHost.clock });
    const admin = await server.signedIn("dora", ["admin"]);
    const found = await server.fromPage(admin, `/api/v1/audit?action=tokens.suspending&about=${name}`);
    return found.json<{ items: unknown[] }>().items.length;
  };

  it("is suspended when they have not signed in for 30 days, and works again once they did", async () => {
    const server = await open();
    const token = await tokenOf(server, "ana");
    await awayFor(server, "ana", 29.9);
    const shown = (await ask(server, token)).json<{ items: Listed[] }>();
    expect(Date.parse(shown.items[0]?.suspendsAt ?? "") - Date.now()).toBeLessThan(0.2 * dayMs);
    await awayFor(server, "ana", 30.1);
    const refused = await ask(server, token);
    expect([refused.statusCode, refused.json()]).toEqual([
      401,
      expect.objectContaining({
        error: expect.objectContaining({
          code: "token.suspended",
          message: expect.stringContaining("no one has signed in as ana for 30 days. Sign in as ana once") as string,
        }) as unknown,
      }),
    ]);
    await come(server, "ana");
    expect((await ask(server, token)).statusCode).toBe(200);
  });

  it("is told of a week before, once for each absence", async () => {
    const server = await open();
    await tokenOf(server, "ben");
    await awayFor(server, "ben", 22);
    expect(await saidOf(server, "ben")).toBe(0);
    await awayFor(server, "ben", 24);
    expect([await saidOf(server, "ben"), await saidOf(server, "ben")]).toEqual([1, 1]);
  });

  it("goes on where an admin gave its owner's roles, or it is an agent's", async () => {
    const server = await open();
    const cookie = await server.signedIn("dora", ["admin"]);
    const own = await server.fromPage(cookie, "/api/v1/tokens", { name: "ci" });
    await server.fromPage(cookie, "/api/v1/people", { id: "bot", roles: ["viewer"], kind: "agent" });
    const bot = await server.fromPage(cookie, "/api/v1/tokens", { name: "bot", for: "bot" });
    for (const made of [own, bot]) {
      const { items } = (await ask(server, made.json<{ token: string }>().token)).json<{ items: Listed[] }>();
      expect(items.map(({ suspendsAt }) => suspendsAt).at(0)).toBeNull();
    }
  });

  it("is suspended whatever other way in its owner has, and that way in is closed too", async () => {
    const server = await open();
    await come(server, "bert");
    const admin = await server.signedIn("dora", ["admin"]);
    const { code } = (await server.fromPage(admin, "/api/v1/people/bert", { invite: true })).json<{ code: string }>();
    await server.reception.enrol({ code, name: null, password });
    const token = await tokenOf(server, "bert");
    const bySecondWay = signedInThere({ issuer, subject: "sub-second", name: null, groups: [] });
    await server.fromPage(admin, "/api/v1/people/bert/join", { issuer, subject: "sub-second" });
    await awayFor(server, "bert", 31);
    await server.reception.signInBy(bySecondWay, "::1").catch(() => null);
    expect((await ask(server, token)).statusCode).toBe(401);
    const gone = /come from an identity provider, where bert has not signed in for 30 days/;
    await expect(server.reception.signIn({ name: "bert", password, address: "::1" })).rejects.toThrow(gone);
    await expect(server.reception.signInBy(bySecondWay, "::1")).rejects.toThrow(gone);
    await come(server, "bert");
    expect((await ask(server, token)).statusCode).toBe(200);
  });

  const applied = async (server: TestServer, text: string) => {
    const admin = await server.signedIn("dora", ["admin"]);
    expect((await server.fromPage(admin, "/api/v1/policy/versions", { text, reason: "shorter" })).statusCode).toBe(200);
  };

  it("is suspended by the time that the policy sets", async () => {
    const server = await open();
    const token = await tokenOf(server, "cleo");
    await applied(server, "version: 1\ntokens: { suspendAfter: 3d }\n");
    await awayFor(server, "cleo", 4);
    expect((await ask(await open(), token)).statusCode).toBe(401);
    await applied(server, "version: 1\ntokens: { suspendAfter: never }\n");
    expect((await ask(await open(), token)).statusCode).toBe(200);
  });
});

interface Listed {
  readonly suspendsAt: string | null;
}

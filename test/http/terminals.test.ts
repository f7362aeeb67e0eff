import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { codeOf, origin, type TestServer, useLedger } from "./open-server.ts";

const ledger = useLedger();

const verifier = "v".repeat(43);
const challengeOf = (text: string) => createHash("sha256").update(text).digest("base64url");

async function allowTerminal(server: TestServer, cookie: string): Promise<{ readonly code: string }> {
  const allowed = await server.fromPage(cookie, "/auth/terminal/allow", { challenge: challengeOf(verifier) });
  return allowed.json<{ code: string }>();
}

const redeemTerminal = (server: TestServer, code: string) =>
  server.fromPage("", "/auth/terminal/session", { code, verifier });

describe("a session of a terminal", () => {
  it("lasts no longer than that of the browser that let it in", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    await server.ledger.database.query("update dlo.sessions set expires_at = dlo.clock() + interval '1 hour'", []);
    const { code } = await allowTerminal(server, cookie);
    await redeemTerminal(server, code);
    const { rows } = await server.ledger.database.query<{ n: number }>(
      "select count(*)::integer as n from dlo.sessions where expires_at > dlo.clock() + interval '1 hour'",
      [],
    );
    expect(rows).toEqual([{ n: 0 }]);
    const { items } = (await server.fromPage(cookie, "/api/v1/audit?limit=1")).json<OutputOf<"audit.list">>();
    expect(items[0]).toMatchObject({ action: "session.begun", at: expect.stringMatching(/^\d{4}-/) as string });
  });

  it("ends when its browser signs out, before a code was traded too", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    const { code } = await allowTerminal(server, cookie);
    const session = await redeemTerminal(server, (await allowTerminal(server, cookie)).code);
    const asTerminal = () =>
      server.request({
        url: "/api/v1/letters",
        headers: { authorization: `Bearer ${session.json<{ session: string }>().session}` },
      });
    expect((await asTerminal()).statusCode).toBe(200);
    await server.fromPage(cookie, "/auth/sign-out", {});
    expect((await asTerminal()).statusCode).toBe(401);
    const late = await redeemTerminal(server, code);
    expect([late.statusCode, codeOf(late)]).toEqual([401, "sign_in.refused"]);
    const { rows } = await server.ledger.database.query("select from dlo.terminal_codes", []);
    expect(rows).toEqual([]);
  });

  it("lets no other terminal in", async () => {
    const server = await ledger.open();
    const { code } = await allowTerminal(server, await server.signedIn("ana"));
    const { session } = (await redeemTerminal(server, code)).json<{ session: string }>();
    const [cookieName] = (await server.signedIn("ana")).split("=");
    const headers = { origin, "x-dlo-csrf": "1" };
    for (const own of [{ authorization: `Bearer ${session}` }, { cookie: `${cookieName}=${session}` }]) {
      const payload = { challenge: challengeOf(verifier) };
      const asked = { method: "POST", url: "/auth/terminal/allow", payload } as const;
      const refused = await server.request({ ...asked, headers: { ...headers, ...own } });
      expect([refused.statusCode, codeOf(refused)]).toEqual([403, "actor.not_allowed"]);
    }
  });
});

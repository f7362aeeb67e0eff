import { describe, expect, it } from "vitest";
import { endpointTable } from "../../src/http/endpoints.ts";
import { publicAddress } from "../../src/http/public-address.ts";
import { serve } from "../../src/http/serve.ts";
import { reception } from "../../src/office/people/reception.ts";
import { systemHost } from "../../src/system/host.ts";
import { newSecret } from "../../src/system/secrets.ts";
import { codeOf, cookieOf, origin, password, type TestServer, useLedger } from "./open-server.ts";

async function tokenOf(server: TestServer, cookie: string, wanted: object = {}): Promise<string> {
  const made = await server.fromPage(cookie, "/api/v1/tokens", { name: "script", ...wanted });
  return made.json<{ token: string }>().token;
}

const withToken = (server: TestServer, token: string, url: string, payload?: object) =>
  server.request({
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload === undefined ? {} : { method: "POST", payload }),
  });

describe("the first run", () => {
  const ledger = useLedger();

  it("makes one code however many start, for one admin, once", async () => {
    const server = await ledger.open();
    const codes = await Promise.all([1, 2, 3].map(() => server.reception.firstRun()));
    const [code = ""] = codes.filter((each) => each !== null);
    expect(codes.filter((each) => each !== null)).toHaveLength(1);
    expect(Buffer.from(code, "base64url")).toHaveLength(32);
    const stored = await server.ledger.database.query<{ text: string }>(
      "select invitations::text as text from dlo.invitations",
    );
    expect(stored.rows[0]?.text).not.toContain(code);

    const wrong = await server.fromPage("", "/auth/setup", { code: "x", name: "ana", password });
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([401, "sign_in.refused"]);
    const short = await server.fromPage("", "/auth/setup", { code, name: "ana", password: "short" });
    expect(short.statusCode).toBe(400);
    const right = await server.fromPage("", "/auth/setup", { code, name: "ana", password });
    expect(right.statusCode).toBe(200);
    const session = await server.fromPage(cookieOf(right), "/auth/session");
    expect(session.json()).toMatchObject({ actor: { id: "ana", roles: ["admin"] } });

    const again = await server.fromPage("", "/auth/setup", { code, name: "eve", password });
    expect(again.statusCode).toBe(401);
    expect(await server.reception.firstRun()).toBeNull();
  });

  it("computes no password for who has no code: many could keep everybody from signing in", async () => {
    const { ledger: own } = await ledger.open();
    const { clock } = systemHost;
    // A cost that cannot be: whatever computes a password with it fails.
    const desk = reception({ ledger: own, clock, newSecret, passwordCost: { N: 3, r: 1, p: 1 } });
    await expect(desk.enrol({ code: "x", name: "eve", password })).rejects.toMatchObject({ code: "SIGN_IN_REFUSED" });
  });

  it("has its code for an hour", async () => {
    const other = await ledger.open();
    await other.ledger.database.query("update dlo.people set disabled_at = now()");
    const code = (await other.reception.firstRun()) ?? "";
    await other.ledger.database.query("update dlo.invitations set expires_at = expires_at - interval '1 hour'");
    const late = await other.fromPage("", "/auth/setup", { code, name: "eve", password });
    expect(late.statusCode).toBe(401);
    expect(await other.reception.firstRun()).not.toBeNull();
  });
});

describe("being reached from elsewhere", () => {
  const ledger = useLedger();

  it("is refused without an admin, and without a name to be reached by", async () => {
    const server = await ledger.open();
    const parts = { ...systemHost, demo: null, reception: server.reception, basePath: "/" } as never as Parameters<
      typeof serve
    >[0];
    const listen = { host: "0.0.0.0", port: 7717 };
    await expect(serve({ ...parts, listen, publicUrl: "https://dlo.example" })).rejects.toThrow("no admin yet");
    expect(() => publicAddress(null, listen)).toThrow("office.publicUrl");
  });
});

const ledger = useLedger();

describe("sign-in", () => {
  it("says the same of a wrong password and of nobody", async () => {
    const server = await ledger.open();
    await server.signedIn("ana");
    const answers = await Promise.all(
      ["ana", "nobody"].map((name) => server.fromPage("", "/auth/sign-in", { name, password: "wrong wrong wrong" })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401]);
    const [known, unknown] = answers.map((answer) => answer.json<{ error: { message: string } }>().error.message);
    expect(known).toBe(unknown);
  });

  it("is refused after ten wrong passwords, the right one too", async () => {
    const server = await ledger.open();
    await server.signedIn("bea");
    for (let n = 0; n < 10; n++) {
      await server.ledger.database.query(
        "insert into dlo.sign_in_tries (account, address) values ('bea', '192.0.2.1')",
      );
    }
    const refused = await server.fromPage("", "/auth/sign-in", { name: "bea", password });
    expect([refused.statusCode, codeOf(refused)]).toEqual([429, "sign_in.too_many_tries"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.headers["set-cookie"]).toBeUndefined();
    await server.ledger.database.query("update dlo.sign_in_tries set at = at - interval '16 minutes'");
    expect((await server.fromPage("", "/auth/sign-in", { name: "bea", password })).statusCode).toBe(200);
  });

  it("is limited by address too, whichever accounts are tried", async () => {
    const server = await ledger.open();
    await server.signedIn("cyd");
    await server.ledger.database.query(
      "insert into dlo.sign_in_tries (account, address) select 'a' || n, '127.0.0.1' from generate_series(1, 30) n",
    );
    const refused = await server.fromPage("", "/auth/sign-in", { name: "cyd", password });
    expect(refused.statusCode).toBe(429);
    await server.ledger.database.query("delete from dlo.sign_in_tries");
  });

  it("takes somebody's word for where they come from only if it is a proxy's that is trusted", async () => {
    const addressOf = async (trustedProxies: readonly string[]) => {
      const server = await ledger.open({ trustedProxies });
      await server.ledger.database.query("delete from dlo.sign_in_tries");
      await server.request({
        ...{ method: "POST", url: "/auth/sign-in", payload: { name: "nobody", password } },
        headers: { origin, "x-dlo-csrf": "1", "x-forwarded-for": "203.0.113.9" },
      });
      const { rows } = await server.ledger.database.query<{ address: string }>("select address from dlo.sign_in_tries");
      await server.ledger.database.query("delete from dlo.sign_in_tries");
      return rows.map(({ address }) => address);
    };
    expect(await addressOf([])).toEqual(["127.0.0.1"]);
    expect(await addressOf(["10.0.0.0/8"])).toEqual(["127.0.0.1"]);
    expect(await addressOf(["127.0.0.1"])).toEqual(["203.0.113.9"]);
  });

  it("keeps passwords as scrypt's, and sessions as hashes", async () => {
    const server = await ledger.open({ hardPasswords: true });
    const cookie = await server.signedIn("ida");
    const { rows } = await server.ledger.database.query<{ text: string }>(
      "select (select string_agg(people::text, '') from dlo.people) || (select string_agg(sessions::text, '') from dlo.sessions) as text",
    );
    expect(rows[0]?.text).toContain("scrypt:131072:8:1:");
    expect(rows[0]?.text).not.toContain(password);
    expect(rows[0]?.text).not.toContain(cookie.split("=")[1]);
  });
});

describe("a session", () => {
  it("has a cookie of its own name, which no script reads, for its own path, Secure where the office is", async () => {
    const plain = await ledger.open();
    await plain.signedIn("ana");
    const local = await plain.fromPage("", "/auth/sign-in", { name: "ana", password });
    expect(local.headers["set-cookie"]).toMatch(/^dlo_[\da-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const secure = await ledger.open({ publicUrl: "https://dlo.example", basePath: "/dlo" });
    const remote = await secure.fromPage("", "/dlo/auth/sign-in", { name: "ana", password });
    expect(remote.headers["set-cookie"]).toMatch(
      /^__Secure-dlo_[\da-f]{12}=[\w-]{43}; Path=\/dlo; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(remote.headers["strict-transport-security"]).toBeDefined();
    const whole = await ledger.open({ publicUrl: "https://dlo.example" });
    const bound = await whole.fromPage("", "/auth/sign-in", { name: "ana", password });
    expect(bound.headers["set-cookie"]).toMatch(
      /^__Host-dlo_[\da-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it("has a new id at each sign-in, and none after signing out", async () => {
    const server = await ledger.open();
    const [first, second] = [await server.signedIn("ana"), await server.signedIn("ana")];
    expect(first).not.toBe(second);
    await server.fromPage(first, "/auth/sign-out", {});
    expect((await server.fromPage(first, "/api/v1/inbox")).statusCode).toBe(401);
    expect((await server.fromPage(second, "/api/v1/inbox")).statusCode).toBe(200);
  });

  it.each([
    ["twelve hours after sign-in", "expires_at = expires_at - interval '12 hours'"],
    ["two hours after the last request", "seen_at = seen_at - interval '2 hours'"],
  ])("is over %s", async (_when, change) => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    await server.ledger.database.query(`update dlo.sessions set ${change}`);
    const refused = await server.fromPage(cookie, "/api/v1/inbox");
    expect([refused.statusCode, codeOf(refused)]).toEqual([401, "actor.not_signed_in"]);
  });

  it("ends when its person chooses another password, and tokens with it", async () => {
    const server = await ledger.open();
    const [ana, before] = [await server.signedIn("ana"), await server.signedIn("pia", ["viewer"])];
    const token = await tokenOf(server, before);
    const { code } = (await server.fromPage(ana, "/api/v1/people/pia", { invite: true })).json<{ code: string }>();
    expect((await server.fromPage(before, "/api/v1/letters")).statusCode).toBe(200);
    const chosen = await server.fromPage("", "/auth/setup", { code, name: null, password: "another horse battery" });
    expect((await server.fromPage(before, "/api/v1/letters")).statusCode).toBe(401);
    expect((await server.fromPage(cookieOf(chosen), "/api/v1/letters")).statusCode).toBe(200);
    expect((await withToken(server, token, "/api/v1/letters")).statusCode).toBe(401);
  });

  it.each([{ isDisabled: true }, { roles: [] }])("stays over after %j, with tokens and invitations", async (change) => {
    const server = await ledger.open();
    const admin = await server.signedIn("ana");
    const name = "isDisabled" in change ? "quin" : "rae";
    const cookie = await server.signedIn(name, ["viewer"]);
    const token = await tokenOf(server, cookie);
    const url = `/api/v1/people/${name}`;
    const { code } = (await server.fromPage(admin, url, { invite: true })).json<{ code: string }>();
    await server.fromPage(admin, url, change);
    await server.fromPage(admin, url, { isDisabled: false, roles: ["viewer"] });
    const enrolled = await server.fromPage("", "/auth/setup", { code, name: null, password: "of who found the code" });
    expect(enrolled.statusCode).toBe(401);
    expect((await server.fromPage(cookie, "/api/v1/letters")).statusCode).toBe(401);
    expect((await withToken(server, token, "/api/v1/letters")).statusCode).toBe(401);
  });

  it("has the roles its person has now, and ends with them", async () => {
    const server = await ledger.open();
    const admin = await server.signedIn("ana");
    const cookie = await server.signedIn("ben", ["admin"]);
    await server.fromPage(admin, "/api/v1/people/ben", { roles: ["viewer"] });
    expect((await server.fromPage(cookie, "/api/v1/people")).statusCode).toBe(403);
    await server.fromPage(admin, "/api/v1/people/ben", { isDisabled: true });
    expect((await server.fromPage(cookie, "/api/v1/inbox")).statusCode).toBe(401);
  });

  it("changes nothing for another page, or without saying which page it is", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    const post = (headers: Record<string, string>) =>
      server.request({
        method: "POST",
        url: "/api/v1/tokens",
        payload: { name: "x" },
        headers: { cookie, ...headers },
      });
    const refusals = [
      await post({ "x-dlo-csrf": "1" }),
      await post({ origin: "https://evil.example", "x-dlo-csrf": "1" }),
      await post({ origin: "null", "x-dlo-csrf": "1" }),
      await post({ origin }),
    ];
    expect(refusals.map((each) => [each.statusCode, codeOf(each)])).toEqual(
      refusals.map(() => [403, "request.refused"]),
    );
    expect((await post({ origin, "x-dlo-csrf": "1" })).statusCode).toBe(200);
  });
});

describe("a token", () => {
  it("is shown once and kept as a hash", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    const token = await tokenOf(server, cookie);
    expect(token).toMatch(/^dlo_[\da-f]{12}_[\w-]{43}$/);
    expect((await server.fromPage(cookie, "/api/v1/tokens")).body).not.toContain(token.slice(-43));
    const { rows } = await server.ledger.database.query<{ text: string }>(
      "select tokens::text as text from dlo.tokens",
    );
    expect(JSON.stringify(rows)).not.toContain(token.slice(-43));
    expect((await withToken(server, token, "/api/v1/inbox")).statusCode).toBe(200);
    const forged = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
    expect((await withToken(server, forged, "/api/v1/inbox")).statusCode).toBe(401);
  });

  it("has no more rights than its owner has at each use", async () => {
    const server = await ledger.open();
    const admin = await server.signedIn("ana");
    const token = await tokenOf(server, await server.signedIn("bob", ["admin"]));
    expect((await withToken(server, token, "/api/v1/people")).statusCode).toBe(200);
    await server.fromPage(admin, "/api/v1/people/bob", { roles: ["viewer"] });
    expect((await withToken(server, token, "/api/v1/people")).statusCode).toBe(403);
    await server.fromPage(admin, "/api/v1/people/bob", { isDisabled: true });
    expect((await withToken(server, token, "/api/v1/inbox")).statusCode).toBe(401);
  });

  it("can be for some operations only", async () => {
    const server = await ledger.open();
    const token = await tokenOf(server, await server.signedIn("ana"), { operations: ["inbox.list"] });
    expect((await withToken(server, token, "/api/v1/inbox")).statusCode).toBe(200);
    expect((await withToken(server, token, "/api/v1/letters")).statusCode).toBe(403);
  });

  it("does nothing that is for a person who is signed in", async () => {
    const server = await ledger.open();
    const token = await tokenOf(server, await server.signedIn("ana"));
    const refused = await withToken(server, token, "/api/v1/tokens", { name: "another" });
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, "actor.not_allowed"]);
  });

  it("ends when it is revoked, and when its time is over", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    const [revoked, old] = [await tokenOf(server, cookie), await tokenOf(server, cookie)];
    await server.fromPage(cookie, `/api/v1/tokens/${revoked.split("_")[1]}/revoke`, {});
    expect((await withToken(server, revoked, "/api/v1/inbox")).statusCode).toBe(401);
    await server.ledger.database.query("update dlo.tokens set expires_at = now()");
    expect((await withToken(server, old, "/api/v1/inbox")).statusCode).toBe(401);
  });

  it("belongs to its owner: others cannot see or end it", async () => {
    const server = await ledger.open();
    const token = await tokenOf(server, await server.signedIn("ana"));
    const other = await server.signedIn("dee", ["viewer"]);
    expect((await server.fromPage(other, "/api/v1/tokens")).json()).toMatchObject({ items: [] });
    const refused = await server.fromPage(other, `/api/v1/tokens/${token.split("_")[1]}/revoke`, {});
    expect([refused.statusCode, codeOf(refused)]).toEqual([404, "token.not_found"]);
  });

  it("is named in the audit log beside its owner", async () => {
    const server = await ledger.open();
    const token = await tokenOf(server, await server.signedIn("ana"));
    const id = token.split("_")[1] ?? "";
    await withToken(server, token, `/api/v1/tokens/${id}/revoke`, {});
    const { rows } = await server.ledger.database.query<{ entry: Uint8Array }>(
      "select entry from dlo.audit_log order by n desc limit 1",
    );
    expect(JSON.parse(Buffer.from(rows[0]?.entry ?? []).toString())).toMatchObject({
      action: "tokens.revoked",
      actor: { id: "ana", kind: "human", token: id },
    });
  });
});

describe("an agent", () => {
  it("reads, by tokens that an admin makes, and does nothing that is for people", async () => {
    const server = await ledger.open();
    const admin = await server.signedIn("ana");
    await server.fromPage(admin, "/api/v1/people", { id: "helper", kind: "agent", roles: ["admin"] });
    const token = await tokenOf(server, admin, { for: "helper" });
    expect((await withToken(server, token, "/api/v1/inbox")).statusCode).toBe(200);
    expect((await withToken(server, token, "/api/v1/people", { id: "x", roles: [] })).statusCode).toBe(403);
    for (const { name, method, path, operation } of endpointTable()) {
      if (method === "GET" || operation.role === "viewer" || operation.forAgents) continue;
      const refused = await withToken(server, token, `/api/v1${path.replaceAll(/\{\w+\}/g, "x")}`, {});
      expect([name, refused.statusCode]).toEqual([name, 403]);
    }
    const viewer = await server.signedIn("bill", ["viewer"]);
    expect((await server.fromPage(viewer, "/api/v1/tokens", { name: "x", for: "helper" })).statusCode).toBe(403);
    expect((await server.fromPage(admin, "/api/v1/tokens", { name: "x", for: "bill" })).statusCode).toBe(403);
  });
});

describe("roles", () => {
  it("are asked for by every operation, of everybody", async () => {
    const server = await ledger.open();
    const nobody = await server.signedIn("roleless", []);
    for (const { method, path, name } of endpointTable()) {
      const url = `/api/v1${path.replaceAll(/\{\w+\}/g, "x")}`;
      const body = method === "POST" ? {} : undefined;
      expect([name, (await server.fromPage("", url, body)).statusCode]).toEqual([name, 401]);
      expect([name, (await server.fromPage(nobody, url, body)).statusCode]).toEqual([name, 403]);
    }
  });

  it("leave at least one admin", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("root");
    await server.ledger.database.query("update dlo.people set roles = '{viewer}' where id <> 'root'");
    const refused = await server.fromPage(cookie, "/api/v1/people/root", { roles: ["viewer"] });
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, "actor.not_allowed"]);
    expect((await server.fromPage(cookie, "/api/v1/people")).statusCode).toBe(200);
  });
});

describe("what is open to everybody", () => {
  it("is refused under any other name, as a page has that was pointed here", async () => {
    const server = await ledger.open();
    for (const host of ["evil.example", "127.0.0.1:80", "evil.example:7717", ""]) {
      const refused = await server.request({ url: "/auth/session", headers: { host } });
      expect([host, refused.statusCode]).toEqual([host, 403]);
    }
    for (const host of ["localhost:7717", "[::1]:7717", "LOCALHOST:7717"]) {
      expect((await server.request({ url: "/auth/session", headers: { host } })).statusCode).toBe(200);
    }
    const named = await ledger.open({ publicUrl: "https://dlo.example" });
    expect((await named.request({ url: "/auth/session", headers: { host: "127.0.0.1:7717" } })).statusCode).toBe(403);
  });

  it("allows no other origin, no frame, no sniffing and nothing inline, on every answer", async () => {
    const server = await ledger.open();
    for (const url of ["/reference", "/api/v1/inbox", "/nothing", "/healthz"]) {
      const { headers } = await server.request({ url, headers: { origin: "https://evil.example" } });
      expect(headers["content-security-policy"]).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
      );
      expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
      expect(headers).not.toHaveProperty("access-control-allow-origin");
    }
  });
});

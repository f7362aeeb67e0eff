import { generateKeyPairSync, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { IdentityIssuer, OidcOptions } from "../../src/domain/identity.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noKeycloak } from "../servers/keycloak.ts";
import { keycloakPassword } from "../servers/keycloak-realm.ts";
import { startOidcProvider } from "../servers/oidc-provider.ts";
import { type ScriptedProvider, startScriptedProvider } from "../servers/scripted-provider.ts";
import { freePort } from "../servers/server-process.ts";
import { useKeycloak } from "../servers/use-keycloak.ts";
import { origin, type TestServer, useLedger } from "./open-server.ts";
import { browserAt, issuerAt, signInThere } from "./sign-in-there.ts";

const roles = [
  { name: "payments-ops", is: "operator", queues: ["*"], reveals: false, groups: ["/payments-ops"] },
] as const;
const redirectUris = [`${origin}/auth/oidc/callback`];
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";
const people = { ana: { groups: ["/payments-ops"] } };

const signOut = async (server: TestServer, cookie: string) =>
  (await server.fromPage(cookie, "/auth/sign-out", {})).json<{ elsewhere: string | null }>().elsewhere;

describe("signing out", () => {
  const ledger = useLedger();

  async function signedIn(more: Partial<OidcOptions> = {}) {
    const there = await startOidcProvider({ redirectUris, people });
    onTestFinished(() => there.close());
    const server = await ledger.open({ issuer: issuerAt(there, more), roles });
    const browser = browserAt(server);
    const { cookie, actor } = await browser.signIn("ana");
    expect(actor?.roles).toEqual(["operator"]);
    return { there, server, browser, cookie };
  }

  it("goes to the provider's page for it, with the ID token of this session, which is kept no longer", async () => {
    const { there, server, browser, cookie } = await signedIn();
    const url = new URL((await signOut(server, cookie)) ?? "");
    expect(`${url.origin}${url.pathname}`).toBe(`${there.issuer}/session/end`);
    expect((await fetch(url)).status).toBe(200);
    expect(url.searchParams.has("post_logout_redirect_uri")).toBe(false);
    expect((await browser.session()).actor).toBeNull();
    const { database, at } = server.ledger;
    const { rows } = await database.query(
      `select 1 from ${at}.sessions where ended_at is not null and id_token is not null`,
      [],
    );
    expect(rows).toEqual([]);
  });

  it("comes back where the configuration says so, and stays here where it says that", async () => {
    const back = await signedIn({ signOut: "return" });
    const url = new URL((await signOut(back.server, back.cookie)) ?? "");
    expect(url.searchParams.get("post_logout_redirect_uri")).toBe(`${origin}/`);
    const stay = await signedIn({ signOut: "here" });
    expect(await signOut(stay.server, stay.cookie)).toBeNull();
  });

  it("ends the session here though the provider is away", async () => {
    const { there, server, browser, cookie } = await signedIn();
    const gone = issuerAt({ ...there, issuer: `http://127.0.0.1:${await freePort()}` });
    const other = await ledger.open({ issuer: gone, roles });
    expect(await signOut(other, cookie)).toBeNull();
    expect(other.failures[0]?.path).toBe("/auth/sign-out");
    expect((await browser.session()).actor).toBeNull();
    expect(server.failures).toEqual([]);
  });

  it("lets who was refused choose another account, or sign in again where there is no choice", async () => {
    const there = await startOidcProvider({ redirectUris, people: { ...people, ben: { groups: [] } } });
    onTestFinished(() => there.close());
    const browser = browserAt(await ledger.open({ issuer: issuerAt(there), roles }));
    expect((await browser.signIn("ben")).refused).toContain("You have no role");
    const way = await browser.begin("/letters?q=x", { anotherAccount: true });
    expect(new URL(way).searchParams.get("prompt")).toBe("select_account");
    // This provider knows no such prompt, and says so at once.
    const answered = (await fetch(way, { redirect: "manual" })).headers.get("location") ?? "";
    const again = (await browser.comeBack(answered)).back.headers.location;
    expect(new URL(String(again)).searchParams.get("prompt")).toBe("login");
    const { back, actor } = await browser.comeBack(await signInThere(String(again), "ana"));
    expect([back.headers.location, actor?.roles]).toEqual(["/letters?q=x", ["operator"]]);
  });
});

describe("a logout token", () => {
  const ledger = useLedger();
  let there: ScriptedProvider;
  let subject = "";
  beforeAll(async () => {
    there = await startScriptedProvider();
  });
  afterAll(() => there.close());

  const ofPayments = [{ ...roles[0], groups: ["payments-ops"] }];

  /** Two browsers of one person, and what a provider sends to end their sessions. */
  async function signedInTwice() {
    onTestFinished(() => there.reset());
    // Another person and other sessions for each test: who signs in within the second of a logout has to do it again.
    subject = randomUUID();
    const server = await ledger.open({ issuer: issuerAt(there), roles: ofPayments });
    const browsers = [browserAt(server), browserAt(server)];
    for (const [n, browser] of browsers.entries()) {
      there.claims = { sid: `${subject}-${n + 1}`, sub: subject };
      await browser.comeBack(await signInThere(await browser.begin(), "ana"));
    }
    const live = () => Promise.all(browsers.map(async (browser) => (await browser.session()).actor !== null));
    expect(await live()).toEqual([true, true]);
    const send = (token: string) =>
      server.request({
        ...{
          method: "POST",
          url: "/auth/oidc/back-channel",
          payload: new URLSearchParams({ logout_token: token }).toString(),
        },
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    return { server, live, send };
  }

  const good = () => {
    const now = Math.floor(Date.now() / 1_000);
    const own = { iss: there.issuer, aud: there.client.id, iat: now, exp: now + 120, jti: randomUUID() };
    return { ...own, events: { [logoutEvent]: {} }, sub: subject };
  };

  it("ends the session that it names, once", async () => {
    const { live, send } = await signedInTwice();
    const token = await there.sign({ ...good(), sid: `${subject}-1` }, { type: "logout+jwt" });
    const answer = await send(token);
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(await live()).toEqual([false, true]);
    const again = await send(token);
    expect([again.statusCode, again.json<{ error: string }>().error]).toEqual([400, "invalid_request"]);
  });

  it("ends all sessions of a person where it names none, and says so in the audit log", async () => {
    const { server, live, send } = await signedInTwice();
    expect((await send(await there.sign(good()))).statusCode).toBe(200);
    expect(await live()).toEqual([false, false]);
    const { database, at } = server.ledger;
    const { rows } = await database.query<{ text: string }>(
      `select convert_from(entry, 'UTF8') as text from ${at}.audit_log order by n desc limit 1`,
      [],
    );
    expect(rows[0]?.text).toContain('"session.ended"');
  });

  it("ends the session though its own end is after the end of time", async () => {
    const { live, send } = await signedInTwice();
    expect((await send(await there.sign({ ...good(), exp: 1e14 }))).statusCode).toBe(200);
    expect(await live()).toEqual([false, false]);
  });

  it("keeps out who was still on the way when the provider ended it, and lets in who comes after", async () => {
    const { server, send } = await signedInTwice();
    there.claims = { sid: `${subject}-3`, sub: subject, iat: good().iat - 5 };
    const browser = browserAt(server);
    const way = await signInThere(await browser.begin(), "ana");
    const issuer = issuerAt(there);
    const other = await ledger.open({
      issuer: { ...issuer, finish: endingMeanwhile(issuer.finish) },
      roles: ofPayments,
    });
    const late = browserAt(other);
    for (const [name, value] of browser.jar) late.jar.set(name, value);
    const { actor, refused } = await late.comeBack(way);
    expect([actor, refused]).toEqual([null, expect.stringContaining("You signed out at the provider meanwhile")]);
    there.claims = { sid: `${subject}-4`, sub: subject, iat: good().iat + 5 };
    expect((await late.comeBack(await signInThere(await late.begin(), "ana"))).actor?.roles).toEqual(["operator"]);

    function endingMeanwhile(finish: IdentityIssuer["finish"]): IdentityIssuer["finish"] {
      return async (...back) => {
        const came = await finish(...back);
        if (came.session.sid !== `${subject}-3`) return came;
        expect((await send(await there.sign({ ...good(), sid: `${subject}-3` }))).statusCode).toBe(200);
        return came;
      };
    }
  });

  it("is to be sent again while the provider's keys can't be read", async () => {
    const { live, send } = await signedInTwice();
    const token = await there.sign(good());
    const away = issuerAt({ ...there, issuer: `http://127.0.0.1:${await freePort()}` });
    const other = await ledger.open({ issuer: away, roles: ofPayments });
    const answer = await other.request({
      ...{ method: "POST", url: "/auth/oidc/back-channel", payload: `logout_token=${token}` },
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "30"]);
    expect((await send(token)).statusCode).toBe(200);
    expect(await live()).toEqual([false, false]);
  });

  const stranger = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;
  it.each<[what: string, change: () => object, options?: Parameters<ScriptedProvider["sign"]>[1]]>([
    ["a key of someone else", () => ({}), { key: stranger }],
    ["another issuer", () => ({ iss: "https://id.example" })],
    ["another client", () => ({ aud: "another" })],
    ["an age of an hour", () => ({ iat: good().iat - 3_600 })],
    ["an end that is past", () => ({ exp: good().iat - 300 })],
    ["no end", () => ({ exp: undefined })],
    ["no event", () => ({ events: undefined })],
    ["another event", () => ({ events: { "https://id.example/event": {} } })],
    ["an event that is no object", () => ({ events: { [logoutEvent]: true } })],
    ["a nonce", () => ({ nonce: "n" })],
    ["no id", () => ({ jti: undefined })],
    ["no one whose session ends", () => ({ sub: undefined })],
    ["the type of an access token", () => ({}), { type: "at+jwt" }],
  ])("with %s ends nothing", async (_what, change, options) => {
    const { server, live, send } = await signedInTwice();
    const answer = await send(await there.sign({ ...good(), ...change() }, options));
    const { error_description: told } = answer.json<{ error_description: string }>();
    expect([answer.statusCode, told]).toEqual([400, expect.stringContaining("The logout token is refused")]);
    expect(server.failures.some(({ id }) => told.includes(id))).toBe(true);
    expect(await live()).toEqual([true, true]);
  });

  it("without a signature ends nothing", async () => {
    const { live, send } = await signedInTwice();
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    expect((await send(`${part({ alg: "none", typ: "logout+jwt" })}.${part(good())}.`)).statusCode).toBe(400);
    expect(await live()).toEqual([true, true]);
  });
});

describeServer("back-channel logout by Keycloak", noKeycloak, () => {
  const ledger = useLedger();
  const keycloak = useKeycloak();

  it("ends the sessions of who is signed out there", async () => {
    const port = await freePort();
    const own = `http://127.0.0.1:${port}`;
    const attributes = {
      "backchannel.logout.url": `${own}/auth/oidc/back-channel`,
      "backchannel.logout.session.required": "true",
    };
    const there = await keycloak.makeRealm({
      redirectUris: [`${own}/auth/oidc/callback`],
      groups: ["/payments-ops"],
      users: [{ username: "ana", groups: ["/payments-ops"] }],
      client: { attributes },
    });
    const server = await ledger.open({ issuer: issuerAt(there), roles, port });
    onTestFinished(await server.listen());
    const browser = browserAt(server, own);
    expect((await browser.signIn("ana", { password: keycloakPassword })).actor?.roles).toEqual(["operator"]);
    await there.signOut("ana");
    await eventually(async () => expect((await browser.session()).actor).toBeNull());
  });
});

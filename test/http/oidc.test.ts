import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LightMyRequestResponse } from "fastify";
import Provider from "oidc-provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IdentityIssuer } from "../../src/domain/identity.ts";
import { oidcIssuer } from "../../src/outbound/oidc-issuer.ts";
import { origin, type TestServer, useLedger } from "./open-server.ts";

const groupsOf: Readonly<Record<string, readonly string[]>> = {
  "sub-ana": ["payments-ops"],
  "sub-ben": ["admin"],
  "sub-cleo": ["payments-ops"],
};
const roles = [{ name: "payments-ops", is: "operator", queues: ["*"], reveals: false }] as const;
const client = { id: "dlo", secret: "s".repeat(40) };

/** A real issuer, whose pages let in whoever says so in `login_hint`. */
async function startIssuer() {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${origin}/auth/oidc/callback`],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    claims: { openid: ["sub", "groups"], profile: ["preferred_username"] },
    conformIdTokenClaims: false,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, groups: groupsOf[id] ?? [], preferred_username: "ana" }),
    }),
    cookies: { keys: ["a secret of the test"] },
  });
  const handle = provider.callback();
  server.on("request", (request, response) => void handle(request, response));
  return { url, close: () => new Promise((closed) => server.close(closed)) };
}

/** Goes to the issuer as a browser does, signs in there as somebody, and gives the way back. */
async function signInThere(start: string, subject: string): Promise<string> {
  const jar = new Map<string, string>();
  let at = start;
  let form: URLSearchParams | null = null;
  for (let step = 0; step < 12 && !at.startsWith(origin); step++) {
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
    const how = form === null ? {} : { method: "POST", body: form };
    const response: Response = await fetch(at, { ...how, redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    const page = await response.text();
    const next = response.headers.get("location") ?? /action="([^"]+)"/.exec(page)?.[1] ?? "";
    form = response.headers.has("location") ? null : answerTo(page, subject);
    at = new URL(next, at).href;
  }
  return at;
}

/** What somebody would type into the issuer's page. */
function answerTo(page: string, subject: string): URLSearchParams {
  const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "";
  return new URLSearchParams(prompt === "login" ? { prompt, login: subject, password: "any" } : { prompt });
}

const cookiesOf = ({ headers }: Pick<LightMyRequestResponse, "headers">) =>
  [headers["set-cookie"] ?? []]
    .flat()
    .map((line) => line.split(";")[0] ?? "")
    .filter((pair) => !pair.endsWith("="));

describe("sign-in by OpenID Connect", () => {
  const ledger = useLedger();
  let issuer: IdentityIssuer;
  let there: Awaited<ReturnType<typeof startIssuer>>;
  beforeAll(async () => {
    there = await startIssuer();
    const clientSecret = async () => client.secret;
    issuer = oidcIssuer({ issuer: there.url, clientId: client.id, clientSecret, rolesClaim: "groups" });
  });
  afterAll(() => there.close());
  const open = (people: { id: string; sub: string; roles: string[] }[] = [], takesPasswords = true) =>
    ledger.open({ issuer, roles, people: people.map((one) => ({ ...one, iss: there.url })), takesPasswords });

  async function begin(server: TestServer, to = "/letters?q=x") {
    const left = await server.request({ url: `/auth/oidc?${new URLSearchParams({ to })}` });
    return { way: String(left.headers.location), pending: cookiesOf(left)[0] ?? "" };
  }

  const comeBack = (server: TestServer, way: string, cookie: string) =>
    server.request({ url: way.slice(origin.length), headers: { cookie } });

  async function signIn(server: TestServer, subject: string) {
    const { way, pending } = await begin(server);
    const back = await comeBack(server, await signInThere(way, subject), pending);
    const cookie = cookiesOf(back).join("; ");
    const session = await server.request({ url: "/auth/session", headers: { cookie } });
    const { actor, refused } = session.json<{ actor: { id: string; roles: string[] } | null; refused?: string }>();
    return { back, cookie, actor, refused };
  }

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
    expect([back.headers.location, actor]).toEqual(["/", null]);
    expect(refused).toContain("You have no role in this office");
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
    const identity = { issuer: there.url, subject: "sub-cleo" };
    expect((await server.fromPage(admin, "/api/v1/people/dora/join", identity)).statusCode).toBe(200);
    expect((await signIn(server, "sub-cleo")).actor).toMatchObject({ id: "dora", roles: ["admin"] });
    const { items } = (await server.fromPage(admin, "/api/v1/people")).json<{ items: Listed[] }>();
    expect(items.find(({ id }) => id.startsWith("ana-"))?.disabledAt).not.toBeNull();
  });

  it("ends only in the browser that began it, once", async () => {
    const server = await open();
    const [own, other] = [await begin(server), await begin(server)];
    const way = await signInThere(own.way, "sub-ana");
    for (const cookie of ["", other.pending, `${own.pending.split("=")[0]}=nonsense`]) {
      const back = await comeBack(server, way, cookie);
      expect([back.headers.location, cookiesOf(back).some((pair) => /^dlo_\d+=/.test(pair))]).toEqual(["/", false]);
    }
    const good = await comeBack(server, way, own.pending);
    expect(good.headers.location).toBe("/letters?q=x");
    expect((await comeBack(server, way, own.pending)).headers.location).toBe("/");
  });

  it.each(["//elsewhere.example/", "https://elsewhere.example/", "/\\elsewhere.example", "x"])(
    "never leads to another place: %s",
    async (to) => {
      const server = await open();
      const { way, pending } = await begin(server, to);
      expect((await comeBack(server, await signInThere(way, "sub-ana"), pending)).headers.location).toBe("/");
    },
  );

  it("is the only way in where nobody has a password", async () => {
    const server = await open([], false);
    expect(await server.reception.firstRun()).toBeNull();
    const refused = await server.fromPage("", "/auth/sign-in", { name: "dora", password: "correct horse battery" });
    expect(refused.statusCode).toBe(401);
    expect((await signIn(server, "sub-ana")).actor?.id).toBe("ana");
  });

  it("says so where the issuer is away", async () => {
    const clientSecret = async () => client.secret;
    const away = oidcIssuer({ issuer: "http://127.0.0.1:1", clientId: "dlo", clientSecret, rolesClaim: "groups" });
    const server = await ledger.open({ issuer: away });
    const left = await server.request({ url: "/auth/oidc" });
    expect(left.headers.location).toBe("/");
    const session = await server.request({ url: "/auth/session", headers: { cookie: cookiesOf(left).join("; ") } });
    expect(session.json<{ refused: string }>().refused).toContain("cannot be asked who you are");
  });
});

interface Listed {
  readonly id: string;
  readonly disabledAt: string | null;
}

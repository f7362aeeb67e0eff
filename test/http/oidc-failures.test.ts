import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { pgDatabase } from "../../src/databases/pg.ts";
import type { OidcOptions } from "../../src/domain/identity.ts";
import type { ServerFailure } from "../../src/http/error-answer.ts";
import { makeCertificate } from "../servers/certificate.ts";
import { type OidcProvider, startOidcProvider } from "../servers/oidc-provider.ts";
import { type ScriptedProvider, startScriptedProvider } from "../servers/scripted-provider.ts";
import { freePort } from "../servers/server-process.ts";
import { origin, type TestServer, testServer, useLedger } from "./open-server.ts";
import { browserAt, issuerAt, signInThere } from "./sign-in-there.ts";

const redirectUris = [`${origin}/auth/oidc/callback`];
const roles = [{ name: "payments-ops", is: "operator", queues: ["*"], reveals: false }] as const;
const people = { ana: { groups: ["payments-ops"] } };
const asked = "/letters?q=x";

/** The last of the log, which has the same id as what the person was told. */
function logged({ failures }: TestServer, told: string): ServerFailure | undefined {
  return failures.find(({ id }) => told.includes(id));
}

describe("a sign-in that fails", () => {
  const ledger = useLedger();
  let scripted: ScriptedProvider;
  beforeAll(async () => {
    scripted = await startScriptedProvider();
  });
  afterAll(() => scripted.close());

  const open = (there: Pick<OidcProvider, "issuer" | "client">, more: Partial<OidcOptions> = {}) =>
    ledger.open({ issuer: issuerAt(there, more), roles });

  /** What a page is told that asks where to sign in. */
  async function refusedAtOnce(server: TestServer): Promise<string> {
    const answer = await server.fromPage("", "/auth/oidc", { to: asked });
    const { error } = answer.json<{ error: { message: string; id: string } }>();
    expect(logged(server, error.id)?.path).toBe("/auth/oidc");
    return error.message;
  }

  it("says that it was cancelled there, keeps the page that was asked for, and has an id in the log", async () => {
    const there = await startOidcProvider({ redirectUris, people });
    onTestFinished(() => there.close());
    const server = await open(there);
    const browser = browserAt(server);
    const { back, actor, refused } = await browser.signIn("ana", { cancels: true });
    expect([back.headers.location, actor]).toEqual([asked, null]);
    expect(refused).toContain(
      "did not let you in: access_denied, “End-User aborted interaction”. Allow the sign-in there",
    );
    expect(logged(server, refused)?.path).toBe("/auth/oidc/callback");
    const again = await browser.signIn("ana");
    expect([again.back.headers.location, again.actor?.roles]).toEqual([asked, ["operator"]]);
  });

  it("says that a certificate is not trusted, and goes on with the authority of the configuration", async () => {
    const certificate = makeCertificate();
    const there = await startOidcProvider({ redirectUris, people, certificate });
    onTestFinished(() => there.close());
    expect(await refusedAtOnce(await open(there))).toMatch(
      /has a certificate that this server does not trust \(\w+\)\. Set `signIn\.oidc\.ca`/,
    );
    const browser = browserAt(await open(there, { ca: async () => certificate.certificate }));
    expect(await browser.begin()).toMatch(/^https:/);
  });

  it("says both names where the issuer calls itself by another", async () => {
    scripted.metadata = { issuer: `${scripted.issuer}/realms/shop` };
    onTestFinished(() => scripted.reset());
    expect(await refusedAtOnce(await open(scripted))).toContain(
      `\`signIn.oidc.issuer\` is ${scripted.issuer}, but the provider there calls itself ${scripted.issuer}/realms/shop.`,
    );
  });

  it("says where there is no metadata", async () => {
    const there = { ...scripted, issuer: `${scripted.issuer}/realms/shop/` };
    expect(await refusedAtOnce(await open(there))).toMatch(
      /answered with status 404.*Check `signIn.oidc.issuer` \(.*\/realms\/shop\/\)/,
    );
  });

  it("says that the provider is away, and goes on when it is back", async () => {
    const there = { ...scripted, issuer: `http://127.0.0.1:${await freePort()}` };
    const server = await open(there);
    expect(await refusedAtOnce(server)).toContain("can't be reached (ECONNREFUSED). Try again in a minute.");
    const link = await server.request({ url: `/auth/oidc?${new URLSearchParams({ to: asked })}` });
    expect([link.statusCode, link.headers.location]).toEqual([302, asked]);
  });

  it("says both times where the clocks differ", async () => {
    const [issuedAt, until] = ["2026-03-01T10:00:00.000Z", "2026-03-01T10:05:00.000Z"];
    scripted.claims = { iat: Date.parse(issuedAt) / 1_000, exp: Date.parse(until) / 1_000 };
    onTestFinished(() => scripted.reset());
    const browser = browserAt(await open(scripted));
    const { refused } = await browser.comeBack(await signInThere(await browser.begin(), "ana"));
    expect(refused).toContain(`is valid until ${until}, issued at ${issuedAt}, and this server's clock says 20`);
  });

  it("says for whom the provider signed, where it is not for this client", async () => {
    scripted.claims = { aud: "another" };
    onTestFinished(() => scripted.reset());
    const browser = browserAt(await open(scripted));
    const { refused } = await browser.comeBack(await signInThere(await browser.begin(), "ana"));
    expect(refused).toContain("its `aud` is another where dlo was expected. Check `signIn.oidc.clientId`");
  });

  it("shows the provider's words shortened, and without what could be more than words", async () => {
    const description = `a\u202e\u0000\n${"b".repeat(5_000)}`;
    scripted.scripts.set("/token", (_request, response) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: "invalid_grant", error_description: description }));
    });
    onTestFinished(() => scripted.reset());
    const browser = browserAt(await open(scripted));
    const { refused } = await browser.comeBack(await signInThere(await browser.begin(), "ana"));
    expect(refused).toContain(`invalid_grant, “a ${"b".repeat(298)}…”`);
  });

  it("says that the database does not answer, and not that nothing was begun", async () => {
    const pool = new Pool({ host: "127.0.0.1", port: await freePort() });
    onTestFinished(() => pool.end());
    const away = { ...(await open(scripted)).ledger, database: pgDatabase(pool) };
    const server = testServer(away, { issuer: issuerAt(scripted), roles });
    const answer = await server.fromPage("", "/auth/oidc", { to: asked });
    expect(answer.statusCode).toBe(503);
    expect(answer.json<{ error: { message: string } }>().error.message).toContain("does not answer");
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SignInReport } from "../../src/domain/sign-in-check.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noKeycloak } from "../servers/keycloak.ts";
import { type OidcProvider, startOidcProvider } from "../servers/oidc-provider.ts";
import { startScriptedProvider } from "../servers/scripted-provider.ts";
import { freePort, makeFolder, removeFolder } from "../servers/server-process.ts";
import { useKeycloak } from "../servers/use-keycloak.ts";
import { dloHere } from "./terminal.ts";

const redirect = "http://127.0.0.1:7717/auth/oidc/callback";

/** What `dlo auth check` finds where the configuration names that provider. */
async function check({ issuer, client }: Pick<OidcProvider, "issuer" | "client">, secret = client.secret) {
  const folder = makeFolder("auth-check", undefined);
  onTestFinished(() => removeFolder(folder));
  const config = join(folder, "dlo.config.yaml");
  writeFileSync(
    config,
    `version: 1\nsignIn: { oidc: { issuer: "${issuer}", clientId: ${client.id}, clientSecret: "\${OIDC_SECRET}" } }\n`,
  );
  const args = ["auth", "check", "--config", config];
  const { code, stdout } = await dloHere([...args, "--json"], { OIDC_SECRET: secret });
  const { checks, addresses } = JSON.parse(stdout) as SignInReport;
  const states = Object.fromEntries(checks.map(({ name, state }) => [name, state]));
  const sentences = checks.map(({ sentence }) => sentence).join("\n");
  return { code, states, sentences, addresses, args };
}

describe("dlo auth check", () => {
  async function start(redirectUris = [redirect]) {
    const there = await startOidcProvider({ redirectUris });
    onTestFinished(() => there.close());
    return there;
  }

  it("finds nothing wrong where all is right, and says what to register", async () => {
    const there = await start();
    const { code, states, addresses, args } = await check(there);
    const good = { discovery: "ok", keys: "ok", clock: "ok", client: "ok", redirect: "ok", claims: "ok" };
    expect([code, states]).toEqual([0, { ...good, "sign-out": "ok" }]);
    expect(addresses.redirect).toBe(redirect);
    const { stdout } = await dloHere(args, { OIDC_SECRET: there.client.secret });
    expect(stdout).toMatch(/^Provider: http.*\ndiscovery\s+ok\s+http/);
    expect(stdout).toContain(`redirect URI         ${redirect}`);
  });

  it("finds a wrong secret, and says how it was sent", async () => {
    const { code, states, sentences } = await check(await start(), "another one");
    expect([code, states.client, states.redirect]).toEqual([1, "problem", "ok"]);
    expect(sentences).toContain("(client_secret_basic): invalid_client");
  });

  it("finds an address that is not registered", async () => {
    const { code, states, sentences } = await check(await start(["http://127.0.0.1:1/auth/oidc/callback"]));
    expect([code, states.client, states.redirect]).toEqual([1, "ok", "problem"]);
    expect(sentences).toContain(
      `refuses to send people back to ${redirect} (status 400). Register that address for dlo`,
    );
  });

  it("finds a clock that is wrong, a missing key and a claim that is not named", async () => {
    const there = await startScriptedProvider();
    onTestFinished(() => there.close());
    there.metadata = { claims_supported: ["sub", "email"] };
    there.scripts.set("/jwks", (_request, response) => {
      response.writeHead(200, { "content-type": "application/json", date: "Sun, 01 Mar 2026 10:00:00 GMT" });
      response.end('{"keys":[]}');
    });
    const { states, sentences } = await check(there);
    expect(states).toMatchObject({ discovery: "ok", keys: "problem", clock: "problem", claims: "unsure" });
    expect(sentences).toContain("The clocks differ: 2026-03-01T10:00:00.000Z there, 20");
  });

  it("says that the provider is away", async () => {
    const issuer = `http://127.0.0.1:${await freePort()}`;
    const { code, states, sentences } = await check({ issuer, client: { id: "dlo", secret: "s" } });
    expect([code, states]).toEqual([1, { discovery: "problem" }]);
    expect(sentences).toContain("can't be reached (ECONNREFUSED)");
  });

  it("says so where the configuration names no provider", async () => {
    const folder = makeFolder("auth-check", undefined);
    onTestFinished(() => removeFolder(folder));
    const config = join(folder, "dlo.config.yaml");
    writeFileSync(config, "version: 1\n");
    const { code, stderr } = await dloHere(["auth", "check", "--config", config]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("names no identity provider")]);
  });
});

describeServer("dlo auth check with Keycloak", noKeycloak, () => {
  const keycloak = useKeycloak();

  it("finds nothing wrong where all is right, and a wrong secret or address where not", async () => {
    const there = await keycloak.makeRealm({ redirectUris: [redirect] });
    const { states } = await check(there);
    // Its answers have no date.
    expect(states).toMatchObject({ discovery: "ok", keys: "ok", clock: "unsure", client: "ok", redirect: "ok" });
    expect((await check(there, "another one")).states).toMatchObject({ client: "problem", redirect: "ok" });
    await there.changeClient({ redirectUris: ["http://127.0.0.1:1/"] });
    expect((await check(there)).states).toMatchObject({ client: "ok", redirect: "problem" });
  });
});

import { generateKeyPairSync } from "node:crypto";
import type { Configuration } from "oidc-provider";
import { describe, expect, it, onTestFinished } from "vitest";
import type { OidcOptions } from "../../src/domain/identity.ts";
import { type OidcProvider, type OidcProviderOptions, startOidcProvider } from "../servers/oidc-provider.ts";
import { origin, useLedger } from "./open-server.ts";
import { browserAt, issuerAt } from "./sign-in-there.ts";

const roles = [{ name: "payments-ops", is: "operator", queues: ["*"], reveals: false }] as const;
const people = { ana: { groups: ["payments-ops"] } };

describe("DLO proves who it is", () => {
  const ledger = useLedger();

  async function start(options: Partial<OidcProviderOptions> = {}): Promise<OidcProvider> {
    const there = await startOidcProvider({ redirectUris: [`${origin}/auth/oidc/callback`], people, ...options });
    onTestFinished(() => there.close());
    return there;
  }

  async function signIn(there: OidcProvider, more: Partial<OidcOptions> = {}) {
    return browserAt(await ledger.open({ issuer: issuerAt(there, more), roles })).signIn("ana");
  }

  it("by client_secret_post where the metadata names nothing else", async () => {
    const method = "client_secret_post";
    const there = await start({
      client: { token_endpoint_auth_method: method },
      settings: { clientAuthMethods: [method] },
    });
    expect((await signIn(there)).actor?.roles).toEqual(["operator"]);
  });

  it("as the configuration says, and says what was wrong and how it tried", async () => {
    const there = await start();
    const clientSecret = async () => "another one";
    const { refused } = await signIn(there, { clientSecret });
    expect(refused).toContain("did not accept who DLO says it is (client_secret_basic): invalid_client");
    expect(refused).toContain("`clientAuth`");
    const byForm = await signIn(there, { clientSecret, clientAuth: "client_secret_post" });
    expect(byForm.refused).toContain("(client_secret_post): invalid_client");
    expect((await signIn(there, { clientAuth: "client_secret_post" })).actor?.roles).toEqual(["operator"]);
  });

  it.each([
    { kind: "RSA", make: () => generateKeyPairSync("rsa", { modulusLength: 2_048 }), alg: "RS256" },
    {
      kind: "RSA, where only PSS is taken",
      make: () => generateKeyPairSync("rsa", { modulusLength: 2_048 }),
      alg: "PS256",
    },
    { kind: "P-256", make: () => generateKeyPairSync("ec", { namedCurve: "P-256" }), alg: "ES256" },
  ] as const)("by a key of $kind", async ({ make, alg }) => {
    const { privateKey, publicKey } = make();
    const jwks = { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "dlo-1", alg, use: "sig" }] };
    const client = {
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_signing_alg: alg,
      jwks,
    } as const;
    const settings: Configuration = { enabledJWA: { clientAuthSigningAlgValues: [alg] } };
    const there = await start({ client: { ...client, client_secret: undefined }, settings });
    const pem = String(privateKey.export({ format: "pem", type: "pkcs8" }));
    const more = { clientSecret: null, privateKey: async () => pem, keyId: "dlo-1" };
    expect((await signIn(there, more)).actor?.roles).toEqual(["operator"]);
  });

  it("with the secret as it is now, without a restart", async () => {
    const there = await start();
    let secret = there.client.secret;
    const browser = browserAt(
      await ledger.open({ issuer: issuerAt(there, { clientSecret: async () => secret }), roles }),
    );
    expect((await browser.signIn("ana")).actor?.roles).toEqual(["operator"]);
    const changed = there.changeSecret();
    browser.jar.clear();
    expect((await browser.signIn("ana")).refused).toContain("invalid_client");
    secret = changed;
    expect((await browser.signIn("ana")).actor?.roles).toEqual(["operator"]);
  });

  it("never with what is not a key, whose content is not shown", async () => {
    const there = await start();
    const { refused } = await signIn(there, { clientSecret: null, privateKey: async () => "not a key: hunter2" });
    expect(refused).toContain("`signIn.oidc.privateKey` is not a private key in PEM");
    expect(refused).not.toContain("hunter2");
  });
});

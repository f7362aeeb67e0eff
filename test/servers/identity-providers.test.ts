import * as oidc from "openid-client";
import { afterAll, describe, expect, it } from "vitest";
import { describeServer } from "./describe-server.ts";
import { noKeycloak } from "./keycloak.ts";
import { groupsMapper, keycloakPassword, realmRolesMapper } from "./keycloak-realm.ts";
import { type OidcProvider, startOidcProvider } from "./oidc-provider.ts";
import { signInAt } from "./sign-in-at.ts";
import { useKeycloak } from "./use-keycloak.ts";

/** The providers that tests start do what tests ask of them: seen by the client that most programs use, not by ours. */
const origin = "http://127.0.0.1:7717";
const redirectUri = `${origin}/auth/oidc/callback`;

interface There {
  readonly issuer: string;
  readonly client: { readonly id: string; readonly secret: string };
}

/** What someone is to a client that does as the standard says. */
async function claimsAt({ issuer, client }: There, username: string, password: string, scope: string) {
  const config = await oidc.discovery(new URL(issuer), client.id, undefined, oidc.ClientSecretBasic(client.secret), {
    // oxlint-disable-next-line typescript/no-deprecated -- It is on this machine.
    execute: [oidc.allowInsecureRequests],
  });
  // oxlint-disable-next-line typescript/no-deprecated -- It checks what a token is signed with, which is what rotation is about.
  oidc.enableNonRepudiationChecks(config);
  const verifier = oidc.randomPKCECodeVerifier();
  const challenge = await oidc.calculatePKCECodeChallenge(verifier);
  const asked = { redirect_uri: redirectUri, scope, code_challenge: challenge, code_challenge_method: "S256" };
  const start = oidc.buildAuthorizationUrl(config, asked);
  const back = await signInAt(start.href, { username, password }, origin);
  const tokens = await oidc.authorizationCodeGrant(config, new URL(back), { pkceCodeVerifier: verifier });
  const claims = tokens.claims();
  const userinfo = await oidc.fetchUserInfo(config, tokens.access_token, claims?.sub ?? "");
  return { claims, userinfo };
}

describeServer("Keycloak", noKeycloak, () => {
  const keycloak = useKeycloak();
  const made = () =>
    keycloak.makeRealm({
      redirectUris: [redirectUri],
      groups: ["/payments-ops", "/payments-ops/night"],
      users: [{ username: "ana", groups: ["/payments-ops/night"], realmRoles: ["replayer"] }],
      realm: { roles: { realm: [{ name: "replayer" }] } },
      mappers: [groupsMapper(), realmRolesMapper()],
    });
  const claimsOf = async (there: There, username = "ana") =>
    (await claimsAt(there, username, keycloakPassword, "openid profile")).claims;

  it("gives groups by their path and roles at a path in the ID token, as they change", async () => {
    const realm = await made();
    const claims = await claimsOf(realm);
    expect(claims).toMatchObject({ sub: await realm.subjectOf("ana"), preferred_username: "ana" });
    expect(claims).toMatchObject({ groups: ["/payments-ops/night"], realm_access: { roles: ["replayer"] } });
    await realm.addToGroup("ana", "/payments-ops");
    await realm.removeFromGroup("ana", "/payments-ops/night");
    await realm.rename("ana", "anna");
    expect(await claimsOf(realm, "anna")).toMatchObject({ sub: claims?.sub, groups: ["/payments-ops"] });
    await realm.renameGroup("/payments-ops", "Payments Ops");
    expect(await claimsOf(realm, "anna")).toMatchObject({ groups: ["/Payments Ops"] });
  });

  it("lets in no one who is disabled or removed, and takes a new person of the same name for someone else", async () => {
    const realm = await made();
    const before = await realm.subjectOf("ana");
    await realm.disable("ana");
    await expect(claimsOf(realm)).rejects.toThrow("never led back");
    await realm.enable("ana");
    expect((await claimsOf(realm))?.sub).toBe(before);
    await realm.removeUser("ana");
    await realm.addUser({ username: "ana", groups: ["/payments-ops"] });
    expect((await claimsOf(realm))?.sub).not.toBe(before);
  });

  it("signs with another key after a rotation, and refuses the secret that was changed", async () => {
    const realm = await made();
    const keyOf = async () => (await fetch(`${realm.issuer}/protocol/openid-connect/certs`)).text();
    const before = await keyOf();
    await realm.rotateKeys();
    expect(await keyOf()).not.toBe(before);
    expect(await claimsOf(realm)).toMatchObject({ preferred_username: "ana" });
    const secret = await realm.changeSecret();
    await expect(claimsOf(realm)).rejects.toMatchObject({ error: "unauthorized_client" });
    expect(await claimsOf({ ...realm, client: { id: "dlo", secret } })).toMatchObject({ preferred_username: "ana" });
  });
});

describe("oidc-provider with its own defaults", () => {
  const started: OidcProvider[] = [];
  afterAll(() => Promise.all(started.map((provider) => provider.close())));
  const start = async () => {
    const people = { "sub-ana": { name: "ana", groups: ["payments-ops"] } };
    const provider = await startOidcProvider({ redirectUris: [redirectUri], people });
    started.push(provider);
    return provider;
  };
  const at = (there: There) => claimsAt(there, "sub-ana", "any", "openid profile groups");

  it("says who someone is in the ID token, and what else there is at its userinfo endpoint alone", async () => {
    const provider = await start();
    const { claims, userinfo } = await at(provider);
    expect(claims).toMatchObject({ sub: "sub-ana" });
    expect(claims).not.toHaveProperty("groups");
    expect(userinfo).toMatchObject({ sub: "sub-ana", preferred_username: "ana", groups: ["payments-ops"] });
    provider.people.set("sub-ana", { name: "anna" });
    const changed = (await at(provider)).userinfo;
    expect(changed).toMatchObject({ preferred_username: "anna" });
    expect(changed).not.toHaveProperty("groups");
  });

  it("signs with another key after a rotation, and refuses the secret that was changed", async () => {
    const provider = await start();
    const keys = async () => (await fetch(`${provider.issuer}/jwks`)).text();
    const before = await keys();
    provider.rotateKeys();
    expect(await keys()).not.toBe(before);
    const old = { issuer: provider.issuer, client: { ...provider.client } };
    provider.changeSecret();
    // In the header alone: clients that read bodies find nothing.
    const refused = [{ scheme: "basic", parameters: { error: "invalid_client" } }];
    await expect(at(old)).rejects.toMatchObject({ status: 401, cause: refused });
    expect((await at(provider)).claims).toMatchObject({ sub: "sub-ana" });
  });
});

import { describe, expect, it, onTestFinished } from "vitest";
import type { OidcOptions } from "../../src/domain/identity.ts";
import type { RoleOfGroups } from "../../src/office/people/by-identity.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noKeycloak } from "../servers/keycloak.ts";
import { groupsMapper, keycloakPassword, type RealmOptions, realmRolesMapper } from "../servers/keycloak-realm.ts";
import { type OidcProviderOptions, startOidcProvider } from "../servers/oidc-provider.ts";
import { useKeycloak } from "../servers/use-keycloak.ts";
import { origin, useLedger } from "./open-server.ts";
import { browserAt, issuerAt } from "./sign-in-there.ts";

const redirectUris = [`${origin}/auth/oidc/callback`];
const ofPayments: RoleOfGroups = { name: "payments", is: "operator", queues: ["*"], reveals: false };

describe("claims of oidc-provider", () => {
  const ledger = useLedger();

  async function open(options: Partial<OidcProviderOptions>, more: Partial<OidcOptions> = {}, roles = [ofPayments]) {
    const there = await startOidcProvider({ redirectUris, ...options });
    onTestFinished(() => there.close());
    return browserAt(await ledger.open({ issuer: issuerAt(there, more), roles }));
  }

  const scopeOf = (url: string) => new URL(url).searchParams.get("scope");

  it("asks for groups where the provider names that scope", async () => {
    expect(scopeOf(await (await open({})).begin())).toBe("openid profile groups");
    const claims = { openid: ["sub"], profile: ["preferred_username"] };
    expect(scopeOf(await (await open({ settings: { claims } })).begin())).toBe("openid profile");
  });

  it("asks for the scopes of the configuration, and always for openid", async () => {
    expect(scopeOf(await (await open({}, { scopes: ["profile", "email"] })).begin())).toBe("openid profile email");
  });

  it("gives a role by groups of any name, and not by one that is only called as the role", async () => {
    const people = { ana: { groups: ["/payments-ops"] }, ben: { groups: ["payments"] } };
    const roles = [{ ...ofPayments, groups: ["Payments Ops", "/payments-ops"] }];
    const browser = await open({ people }, {}, roles);
    expect((await browser.signIn("ben")).refused).toContain('None of your groups gives one: "payments".');
    expect((await browser.signIn("ana")).actor?.roles).toEqual(["operator"]);
  });

  it("tells a claim that is missing from one that is empty", async () => {
    const people = { ana: {}, ben: { groups: [] } };
    const browser = await open({ people });
    const missing = await browser.signIn("ana");
    expect(missing.refused).toContain("The provider sent no claim `groups`; it sent preferred_username, name.");
    expect(missing.refused).toContain("`signIn.oidc.rolesClaim`");
    expect((await browser.signIn("ben")).refused).toContain("The provider says that you are in no group.");
  });
});

describeServer("claims of Keycloak", noKeycloak, () => {
  const ledger = useLedger();
  const keycloak = useKeycloak();

  async function open(realm: Partial<RealmOptions>, more: Partial<OidcOptions>, role: RoleOfGroups) {
    const users = [{ username: "ana", groups: ["/payments-ops"], realmRoles: ["dlo-operators"] }];
    const roles = { roles: { realm: [{ name: "dlo-operators" }] } };
    const there = await keycloak.makeRealm({ redirectUris, groups: ["/payments-ops"], users, realm: roles, ...realm });
    const browser = browserAt(await ledger.open({ issuer: issuerAt(there, more), roles: [role] }));
    return browser.signIn("ana", { password: keycloakPassword });
  }

  it("gives a role by the path of a group, as its mapper has it", async () => {
    const { actor, back } = await open({}, {}, { ...ofPayments, groups: ["/payments-ops"] });
    expect([back.headers.location, actor?.id, actor?.roles]).toEqual(["/letters?q=x", "ana", ["operator"]]);
  });

  it("finds roles of the realm by their path in the claims", async () => {
    const rolesClaim = "realm_access.roles";
    const { actor } = await open(
      { mappers: [realmRolesMapper()] },
      { rolesClaim },
      { ...ofPayments, groups: ["dlo-operators"] },
    );
    expect(actor?.roles).toEqual(["operator"]);
  });

  it("finds a claim whose name holds dots and slashes", async () => {
    const rolesClaim = "https://shop.example/groups";
    const claim = "https://shop\\.example/groups";
    const mappers = [groupsMapper({ claim })];
    const { actor } = await open({ mappers }, { rolesClaim }, { ...ofPayments, groups: ["/payments-ops"] });
    expect(actor?.roles).toEqual(["operator"]);
  });
});

import type { Page } from "playwright-core";
import { makeCertificate } from "../../servers/certificate.ts";
import { type DexPerson, dexMail, dexPassword, noDex, startDex } from "../../servers/dex.ts";
import { noKeycloak, startKeycloak } from "../../servers/keycloak.ts";
import { keycloakPassword, makeRealm } from "../../servers/keycloak-realm.ts";
import { type ProviderPerson, startOidcProvider } from "../../servers/oidc-provider.ts";

/** Where a provider may send browsers to. */
export interface Addresses {
  readonly redirectUri: string;
  readonly afterSignOut: string;
}

/** A real provider, over https with a certificate of its own authority, changed as its administrator would. */
export interface RealProvider {
  /** Of docs/guides/sign-in.md, whose settings it is tried with. */
  readonly guideSection: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string;
  /** The certificate of its authority, in PEM. */
  readonly authority: string;
  addPerson(name: string, groups: readonly string[]): Promise<void>;
  setGroups(name: string, groups: readonly string[]): Promise<void>;
  rename(name: string, to: string): Promise<void>;
  /** Its page takes what never changes, not a name. */
  readonly signsInBySubject: boolean;
  rotateKeys(): Promise<void>;
  changeSecret(): Promise<string>;
  /** On its own pages, as that person. */
  signIn(page: Page, name: string): Promise<void>;
  /** Waits for the field for a password on its page. */
  asksForPassword(page: Page): Promise<void>;
  /** On its page, after the sign-out here. */
  confirmSignOut(page: Page): Promise<void>;
  close(): Promise<void>;
}

export interface ProviderKind {
  readonly name: string;
  /** Why it can't be started here. */
  readonly missing: string | undefined;
  start(addresses: Addresses): Promise<RealProvider>;
}

/** Groups as people here write them: Keycloak names them by their path. */
const groupNames = ["payments-ops", "onlookers"] as const;

const byPath = (groups: readonly string[]) => groups.map((group) => `/${group}`);

export const keycloakKind: ProviderKind = {
  name: "Keycloak",
  missing: noKeycloak,
  async start({ redirectUri, afterSignOut }) {
    const certificate = makeCertificate();
    const server = await startKeycloak({ certificate });
    const realm = await makeRealm(server, {
      redirectUris: [redirectUri],
      groups: byPath(groupNames),
      client: { attributes: { "post.logout.redirect.uris": afterSignOut } },
    });
    return {
      guideSection: "Keycloak",
      ...{ issuer: realm.issuer, clientId: realm.client.id, secret: realm.client.secret },
      ...{ authority: certificate.certificate, signsInBySubject: false },
      addPerson: (username, groups) => realm.addUser({ username, groups: byPath(groups) }),
      async setGroups(name, groups) {
        for (const group of groupNames) {
          if (groups.includes(group)) await realm.addToGroup(name, `/${group}`);
          else await realm.removeFromGroup(name, `/${group}`);
        }
      },
      rename: (name, to) => realm.rename(name, to),
      rotateKeys: () => realm.rotateKeys(),
      changeSecret: () => realm.changeSecret(),
      async signIn(page, name) {
        await page.locator("#username").fill(name);
        await page.locator("#password").fill(keycloakPassword);
        await page.locator("#kc-login").click();
      },
      asksForPassword: (page) => page.locator("#password").waitFor(),
      // It has the ID token of the session, and asks nothing more.
      confirmSignOut: (page) => page.getByRole("heading", { name: "You are logged out" }).waitFor(),
      close: () => server.close(),
    };
  },
};

export const dexKind: ProviderKind = {
  name: "Dex",
  missing: noDex,
  async start({ redirectUri }) {
    const certificate = makeCertificate();
    const dex = await startDex({ redirectUris: [redirectUri], people: [], certificate });
    const change = (name: string, changed: Partial<DexPerson>) =>
      dex.change({
        people: dex.settings.people.map((person) => (person.name === name ? { ...person, ...changed } : person)),
      });
    return {
      guideSection: "Dex",
      ...{ issuer: dex.issuer, clientId: dex.clientId, secret: dex.settings.secret },
      ...{ authority: certificate.certificate, signsInBySubject: false },
      addPerson: (name, groups) =>
        dex.change({ people: [...dex.settings.people, { id: `id-of-${name}`, name, groups }] }),
      setGroups: (name, groups) => change(name, { groups }),
      rename: (name, to) => change(name, { name: to }),
      // Its keys are in its memory.
      rotateKeys: () => dex.change({}),
      async changeSecret() {
        await dex.change({ secret: "another secret of the client" });
        return dex.settings.secret;
      },
      async signIn(page, name) {
        await page.locator("#login").fill(dexMail(name));
        await page.locator("#password").fill(dexPassword);
        await page.locator("#submit-login").click();
        await page.getByRole("button", { name: "Grant Access" }).click();
      },
      asksForPassword: (page) => page.locator("#password").waitFor(),
      // It has no page for that, and no session to end: it asks for the password each time.
      confirmSignOut: (page) => page.getByRole("button", { name: /^Sign in with/ }).waitFor(),
      close: () => dex.close(),
    };
  },
};

export const oidcProviderKind: ProviderKind = {
  name: "oidc-provider",
  missing: undefined,
  async start({ redirectUri, afterSignOut }) {
    const certificate = makeCertificate();
    const provider = await startOidcProvider({
      redirectUris: [redirectUri],
      client: { post_logout_redirect_uris: [afterSignOut] },
      certificate,
    });
    const { people } = provider;
    const change = async (id: string, changed: ProviderPerson) =>
      void people.set(id, { ...people.get(id), ...changed });
    return {
      guideSection: "Okta",
      ...{ issuer: provider.issuer, clientId: provider.client.id, secret: provider.client.secret },
      ...{ authority: certificate.certificate, signsInBySubject: true },
      addPerson: (name, groups) => change(name, { name, groups }),
      setGroups: (name, groups) => change(name, { groups }),
      rename: (name, to) => change(name, { name: to }),
      rotateKeys: async () => provider.rotateKeys(),
      changeSecret: async () => provider.changeSecret(),
      async signIn(page, name) {
        await page.locator("input[name=login]").fill(name);
        await page.locator("input[name=password]").fill("any");
        await page.getByRole("button", { name: "Sign-in" }).click();
        await page.getByRole("button", { name: "Continue" }).click();
      },
      asksForPassword: (page) => page.locator("input[name=password]").waitFor(),
      async confirmSignOut(page) {
        await page.getByRole("button", { name: "Yes, sign me out" }).click();
        await page.getByText("Sign-out Success").waitFor();
      },
      close: () => provider.close(),
    };
  },
};

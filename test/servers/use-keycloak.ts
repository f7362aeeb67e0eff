import { afterAll, beforeAll } from "vitest";
import { type KeycloakServer, keycloakServer } from "./keycloak.ts";
import { type KeycloakRealm, makeRealm, type RealmOptions } from "./keycloak-realm.ts";

/** One server for all tests of a file, and realms of their own, which are removed at the end. */
export function useKeycloak(): { makeRealm(options: RealmOptions): Promise<KeycloakRealm> } {
  let server: KeycloakServer | undefined;
  const realms: KeycloakRealm[] = [];
  beforeAll(async () => {
    server = await keycloakServer();
  });
  afterAll(async () => {
    await Promise.all(realms.map((realm) => realm.remove()));
    await server?.close();
  });
  return {
    async makeRealm(options) {
      if (server === undefined) throw new Error("Keycloak is started before the tests, not before their file.");
      const realm = await makeRealm(server, options);
      realms.push(realm);
      return realm;
    },
  };
}

import { randomBytes } from "node:crypto";
import { type KeycloakServer, keycloakAdmin } from "./keycloak.ts";

/** A realm of a Keycloak, made and changed through its admin API as its console does. */
export interface KeycloakRealm {
  readonly issuer: string;
  readonly client: { readonly id: string; readonly secret: string };
  /** Who they are to others: `sub`. */
  subjectOf(username: string): Promise<string>;
  addUser(user: KeycloakUser): Promise<void>;
  addToGroup(username: string, group: string): Promise<void>;
  removeFromGroup(username: string, group: string): Promise<void>;
  renameGroup(group: string, name: string): Promise<void>;
  disable(username: string): Promise<void>;
  enable(username: string): Promise<void>;
  /** Removes the person; one of the same name who is added later is someone else. */
  removeUser(username: string): Promise<void>;
  rename(username: string, to: string): Promise<void>;
  /** Ends their sessions there, which it tells clients with a back-channel logout address. */
  signOut(username: string): Promise<void>;
  /** Signs with a new key. The old one is gone, unless `keepsOld`. */
  rotateKeys(options?: { readonly keepsOld?: boolean }): Promise<void>;
  /** The old one is refused from now on. */
  changeSecret(): Promise<string>;
  /** Sets what the client's page has, as Keycloak names it: `redirectUris`, `attributes`. */
  changeClient(settings: object): Promise<void>;
  remove(): Promise<void>;
}

export interface KeycloakUser {
  readonly username: string;
  /** By path: `/payments-ops`. @default [] */
  readonly groups?: readonly string[];
  /** Of the realm. @default [] */
  readonly realmRoles?: readonly string[];
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
}

export interface RealmOptions {
  /** Where it may send people back to. */
  readonly redirectUris: readonly string[];
  /** By path, parents first: `/payments-ops`, `/payments-ops/night`. @default [] */
  readonly groups?: readonly string[];
  readonly users?: readonly KeycloakUser[];
  /** What is in an ID token beside a new client's own. @default [groupsMapper()] */
  readonly mappers?: readonly ProtocolMapper[];
  /** Further settings of the realm, as Keycloak names them. */
  readonly realm?: object;
  /** Further settings of the client, as Keycloak names them. */
  readonly client?: object;
}

interface ProtocolMapper {
  readonly name: string;
  readonly protocol: "openid-connect";
  readonly protocolMapper: string;
  readonly config: Readonly<Record<string, string>>;
}

/** Everyone's. */
export const keycloakPassword = "correct horse battery";

const inTokens = { "id.token.claim": "true", "access.token.claim": "true", "userinfo.token.claim": "true" } as const;

/** "Group Membership" of its console, with what is preset there: the full path. */
export function groupsMapper({ claim = "groups", fullPath = true } = {}): ProtocolMapper {
  return {
    name: "groups",
    protocol: "openid-connect",
    protocolMapper: "oidc-group-membership-mapper",
    config: { "claim.name": claim, "full.path": String(fullPath), ...inTokens },
  };
}

/** "User Realm Role" of its console: at `realm_access.roles`, in the ID token too. */
export function realmRolesMapper({ claim = "realm_access.roles" } = {}): ProtocolMapper {
  return {
    name: "realm roles",
    protocol: "openid-connect",
    protocolMapper: "oidc-usermodel-realm-role-mapper",
    config: { "claim.name": claim, "jsonType.label": "String", multivalued: "true", ...inTokens },
  };
}

export async function makeRealm(server: KeycloakServer, options: RealmOptions): Promise<KeycloakRealm> {
  const name = `realm-${randomBytes(6).toString("hex")}`;
  const client = { id: "dlo", secret: randomBytes(20).toString("hex") };
  const admin = administrator(server);
  await admin("POST", "", {
    realm: name,
    enabled: true,
    editUsernameAllowed: true,
    // What a password costs is not tested here.
    passwordPolicy: "hashAlgorithm(pbkdf2-sha256) and hashIterations(1)",
    groups: groupTree(options.groups ?? []),
    users: (options.users ?? []).map(userOf),
    clients: [
      {
        clientId: client.id,
        secret: client.secret,
        redirectUris: options.redirectUris,
        standardFlowEnabled: true,
        publicClient: false,
        protocolMappers: options.mappers ?? [groupsMapper()],
        ...options.client,
      },
    ],
    ...options.realm,
  });
  const call: Call = (method, path, body) => admin(method, `/${name}${path}`, body);
  const clientKey = await idOf(call, `/clients?clientId=${client.id}`, "the client");
  return {
    issuer: `${server.url}/realms/${name}`,
    client,
    ...people(call),
    rotateKeys: ({ keepsOld = false } = {}) => rotateKeys(call, keepsOld),
    async changeSecret() {
      const { value } = (await call("POST", `/clients/${clientKey}/client-secret`)) as { value: string };
      return value;
    },
    async changeClient(settings) {
      const before = (await call("GET", `/clients/${clientKey}`)) as object;
      await call("PUT", `/clients/${clientKey}`, { ...before, ...settings });
    },
    async remove() {
      await call("DELETE", "");
    },
  };
}

type Call = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object) => Promise<unknown>;

type OfPeople = Omit<KeycloakRealm, "issuer" | "client" | "rotateKeys" | "changeSecret" | "changeClient" | "remove">;

function people(call: Call): OfPeople {
  const user = async (username: string) =>
    `/users/${await idOf(call, `/users?exact=true&username=${encodeURIComponent(username)}`, username)}`;
  const group = async (path: string) => {
    const { id } = (await call("GET", `/group-by-path${path}`)) as { id: string };
    return id;
  };
  const change = async (username: string, settings: object) => {
    const path = await user(username);
    const before = (await call("GET", path)) as object;
    await call("PUT", path, { ...before, ...settings });
  };
  return {
    subjectOf: async (username) => (await user(username)).slice("/users/".length),
    addUser: async (added) => void (await call("POST", "/users", userOf(added))),
    addToGroup: async (username, path) =>
      void (await call("PUT", `${await user(username)}/groups/${await group(path)}`)),
    removeFromGroup: async (username, path) =>
      void (await call("DELETE", `${await user(username)}/groups/${await group(path)}`)),
    renameGroup: async (path, name) => void (await call("PUT", `/groups/${await group(path)}`, { name })),
    disable: (username) => change(username, { enabled: false }),
    enable: (username) => change(username, { enabled: true }),
    removeUser: async (username) => void (await call("DELETE", await user(username))),
    rename: (username, to) => change(username, { username: to }),
    signOut: async (username) => void (await call("POST", `${await user(username)}/logout`)),
  };
}

interface Group {
  readonly name: string;
  readonly path: string;
  readonly subGroups: readonly Group[];
}

/** The groups below one, as Keycloak has them: each with those in it. */
function groupTree(paths: readonly string[], parent = ""): Group[] {
  return paths
    .filter((path) => path.slice(0, path.lastIndexOf("/")) === parent)
    .map((path) => ({ name: path.slice(parent.length + 1), path, subGroups: groupTree(paths, path) }));
}

/** With a name and an address, or Keycloak asks for them at the first sign-in. */
function userOf({ username, groups = [], realmRoles = [], ...more }: KeycloakUser): object {
  return {
    username,
    enabled: true,
    groups,
    realmRoles,
    ...{ email: `${username}@shop.example`, emailVerified: true, firstName: username, lastName: "of the shop" },
    ...more,
    credentials: [{ type: "password", value: keycloakPassword, temporary: false }],
  };
}

const providers = "org.keycloak.keys.KeyProvider";

async function rotateKeys(call: Call, keepsOld: boolean): Promise<void> {
  const before = (await call("GET", `/components?type=${providers}`)) as { id: string; providerId: string }[];
  const settings = { priority: [String(Date.now())], enabled: ["true"], active: ["true"], algorithm: ["RS256"] };
  await call("POST", "/components", {
    name: `rsa-${randomBytes(4).toString("hex")}`,
    providerId: "rsa-generated",
    providerType: providers,
    config: settings,
  });
  if (keepsOld) return;
  const old = before.filter(({ providerId }) => providerId === "rsa-generated");
  await Promise.all(old.map(({ id }) => call("DELETE", `/components/${id}`)));
}

async function idOf(call: Call, path: string, what: string): Promise<string> {
  const [found] = (await call("GET", path)) as { id: string }[];
  if (found === undefined) throw new Error(`Keycloak knows nothing of ${what}.`);
  return found.id;
}

/** As its administrator, whose token lasts a minute and is slow to make: when it is refused, there is another. */
function administrator({ adminUrl }: KeycloakServer): Call {
  let token: Promise<string> | null = null;
  const ask = async (method: string, path: string, body?: object) => {
    token ??= adminToken(adminUrl);
    return fetch(`${adminUrl}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${await token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  return async (method, path, body) => {
    let response = await ask(method, path, body);
    if (response.status === 401) {
      token = null;
      response = await ask(method, path, body);
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`Keycloak answered ${response.status} to ${method} ${path}: ${text}`);
    const answer: unknown = text === "" ? null : JSON.parse(text);
    return answer;
  };
}

async function adminToken(adminUrl: string): Promise<string> {
  const response = await fetch(`${adminUrl}/realms/master/protocol/openid-connect/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "password", client_id: "admin-cli", ...keycloakAdmin }),
  });
  if (!response.ok) throw new Error(`Keycloak refused its administrator: ${await response.text()}`);
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}

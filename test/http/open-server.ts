import type { PGlite } from "@electric-sql/pglite";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll } from "vitest";
import { pgliteDatabase } from "../../src/databases/pglite.ts";
import type { Environment } from "../../src/domain/environment.ts";
import type { IdentityIssuer } from "../../src/domain/identity.ts";
import { defaultMasking } from "../../src/domain/redaction.ts";
import type { ServerFailure } from "../../src/http/error-answer.ts";
import { type PublicAddress, publicAddress } from "../../src/http/public-address.ts";
import { officeServer, type ServerLimits, serverLimitDefaults } from "../../src/http/server.ts";
import { sessionCookieName } from "../../src/http/session-cookie.ts";
import type { DemoDoor } from "../../src/http/sign-in-routes.ts";
import type { WebFiles } from "../../src/http/web-files.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import type { ConfiguredPerson } from "../../src/ledger/people/configured-people.ts";
import type { NamedRole } from "../../src/ledger/people/roles.ts";
import { keySums } from "../../src/office/keys/key-sums.ts";
import { onceOnly } from "../../src/office/once-only.ts";
import type { Office } from "../../src/office/operations/operation.ts";
import { type Call, callsTo } from "../../src/office/operations/operations.ts";
import { applyPeople } from "../../src/office/people/apply-people.ts";
import type { RoleOfGroups } from "../../src/office/people/by-identity.ts";
import type { PasswordCost } from "../../src/office/people/passwords.ts";
import { type Reception, type ReceptionParts, reception } from "../../src/office/people/reception.ts";
import { signInsElsewhere } from "../../src/office/people/sign-ins-elsewhere.ts";
import { sharedAnswers } from "../../src/office/shared-answers.ts";
import { statusOf } from "../../src/office/standing-work.ts";
import { changeFeed } from "../../src/office/stream/change-feed.ts";
import { systemHost } from "../../src/system/host.ts";
import { newSecret } from "../../src/system/secrets.ts";
import { noSources, testRoom } from "../ledger/letters.ts";
import { replayWorld } from "../replay/world.ts";
import { startPglite } from "../servers/pglite.ts";
import { testSources } from "./test-sources.ts";

export const origin = "http://127.0.0.1:7717";
export const password = "correct horse battery";

/** A password costs next to nothing. */
export const easyPasswords: PasswordCost = { N: 16, r: 1, p: 1 };

export interface TestServerOptions {
  readonly publicUrl?: string;
  readonly basePath?: string;
  /** @default 7717 */
  readonly port?: number;
  readonly web?: WebFiles;
  readonly limits?: ServerLimits;
  /** @default null */
  readonly demo?: DemoDoor | null;
  /** @default null */
  readonly environment?: Environment | null;
  /** @default null */
  readonly issuer?: IdentityIssuer | null;
  /** Of the configuration, applied before the server opens. @default those of before */
  readonly people?: readonly ConfiguredPerson[];
  readonly takesPasswords?: boolean;
  /** How sessions are checked at the provider. @default not at all */
  readonly checks?: ReceptionParts["checks"];
  /** Whose X-Forwarded-For counts. @default [] */
  readonly trustedProxies?: readonly string[];
  /** Passwords cost what they do for users; most tests only want to be somebody. @default false */
  readonly hardPasswords?: boolean;
  /** Of the configuration. */
  readonly roles?: readonly RoleOfGroups[];
  /** In place of parts of the office. */
  readonly office?: Partial<Office>;
  /** In place of the operations' own. */
  readonly call?: (call: Call) => Call;
}

export interface TestServer {
  readonly ledger: Ledger;
  readonly reception: Reception;
  readonly failures: readonly ServerFailure[];
  /** Opens the port; gives what closes it. */
  listen(): Promise<() => Promise<void>>;
  /** A request as a program makes it that knows its address. */
  request(options: InjectOptions & { readonly url: string }): Promise<LightMyRequestResponse>;
  /** A request as the office's own page makes it, with this cookie. */
  fromPage(cookie: string, url: string, body?: object): Promise<LightMyRequestResponse>;
  /** The cookie of somebody who is signed in; made when they are new. */
  signedIn(name: string, roles?: readonly string[]): Promise<string>;
}

/** A ledger on PGlite for the tests of one `describe`; servers over it are made by each test. */
export function useLedger(): { open(options?: TestServerOptions): Promise<TestServer> } {
  let pglite: PGlite;
  let ledger: Ledger;
  beforeAll(async () => {
    pglite = await startPglite();
    ledger = await openLedger({ database: pgliteDatabase(pglite) });
  });
  afterAll(() => pglite.close());
  return {
    async open({ people, ...options } = {}) {
      if (people !== undefined) await applyPeople({ ledger, clock: systemHost.clock }, people);
      return testServer(ledger, options);
    },
  };
}

/** What is no ledger's. */
type OverLedger = Omit<TestServerOptions, "people">;

/** Over any ledger; several of them are several processes of one office. */
export function testServer(
  ledger: Ledger,
  { publicUrl, basePath = "/", port = 7717, web = new Map(), limits, demo = null, call, ...more }: OverLedger,
): TestServer {
  const { clock, newId } = systemHost;
  const { roles = [], issuer = null, takesPasswords = true, checks = null } = more;
  const office = { ...officeOn(ledger, roles), ...more.office };
  const cost = more.hardPasswords === true ? {} : { passwordCost: easyPasswords };
  const desk = reception({ ledger, clock, newSecret, roles, takesPasswords, checks, ...cost });
  const address = publicAddress(publicUrl ?? null, { host: "127.0.0.1", port }, basePath);
  const failures: ServerFailure[] = [];
  const own = callsTo(office);
  const app = officeServer(
    {
      call: call?.(own) ?? own,
      reception: desk,
      once: onceOnly(ledger),
      feed: changeFeed(ledger, clock, { lookEveryMs: 50 }),
      address,
      cookieName: sessionCookieName(address),
      trustedProxies: more.trustedProxies ?? [],
      web,
      demo,
      environment: more.environment ?? null,
      issuer,
      signIns: signInsElsewhere({ ledger, clock, newSecret }),
      version: "1.2.3",
      readiness: async () => "ready",
      clock,
      newId,
      onFailure: (failure) => failures.push(failure),
    },
    { ...serverLimitDefaults, ...limits },
  );
  const { request, fromPage } = requestsTo(app, address);
  const enter = async (name: string): Promise<string> =>
    cookieOf(await fromPage("", `${address.basePath}/auth/sign-in`, { name, password }));
  return {
    ledger,
    reception: desk,
    failures,
    async listen() {
      await app.listen({ host: "127.0.0.1", port });
      return () => app.close();
    },
    request,
    fromPage,
    async signedIn(name, roles = ["admin"]) {
      await enrolled(desk, own, name, roles);
      return enter(name);
    },
  };
}

/** How requests of a program, and of the server's own page, come. */
function requestsTo(
  app: ReturnType<typeof officeServer>,
  address: PublicAddress,
): Pick<TestServer, "request" | "fromPage"> {
  const host = address.hosts[0] ?? "";
  const request: TestServer["request"] = ({ headers, ...options }) =>
    app.inject({ ...options, headers: { host, ...headers } });
  const fromPage: TestServer["fromPage"] = (cookie, url, body) =>
    request({
      url,
      headers: { cookie, ...(body === undefined ? {} : { origin: address.origin, "x-dlo-csrf": "1" }) },
      ...(body === undefined ? {} : { method: "POST", payload: body }),
    });
  return { request, fromPage };
}

/** One that takes alerts, and one that takes none unless it is named. */
const testNotifiers = [
  { name: "oncall", kind: "pagerduty", when: ["alert", "halted"] },
  { name: "chat", kind: "slack", when: ["approval"] },
];

function officeOn(ledger: Ledger, configured: readonly NamedRole[]): Office {
  return {
    ledger,
    bodies: null,
    masking: defaultMasking,
    retentionMs: 90 * 86_400_000,
    clock: systemHost.clock,
    newId: systemHost.newId,
    newSecret,
    self: {
      ...{ version: "1.2.3", place: "a test", isEmbedded: true },
      ...{ id: () => null, freeBytes: async () => null, work: () => statusOf(null), databaseWaits: () => 0 },
    },
    tell: async () => {},
    notifiers: testNotifiers,
    replay: { ...replayWorld(ledger).parts, roles: configured },
    room: testRoom(),
    sources: testSources(ledger),
    share: sharedAnswers(),
    keySums: keySums(systemHost.clock),
    sharedBy: async () => null,
    blockedKeysOf: async () => null,
    sendRelease: noSources,
    sourceNames: () => [],
    drain: noSources,
    peek: noSources,
    checkSignIn: async () => null,
    roles: configured,
  };
}

/** Made with the roles, by the first admin; the first admin by the code of the first run. */
async function enrolled(desk: Reception, call: Call, name: string, roles: readonly string[]): Promise<void> {
  const firstRun = await desk.firstRun();
  if (firstRun !== null) await desk.enrol({ code: firstRun, name: "root", password });
  const root = { id: "root", kind: "human", roles: ["admin"] } as const;
  const { items } = await call("people.list", root, {});
  if (items.some(({ id }) => id === name)) return;
  const { code } = await call("people.add", root, { id: name, roles: roles as never });
  await desk.enrol({ code: code ?? "", name: null, password });
}

/** Of a refusal. */
export function codeOf(response: LightMyRequestResponse): string {
  return response.json<{ error: { code: string } }>().error.code;
}

export function cookieOf(response: LightMyRequestResponse): string {
  return String(response.headers["set-cookie"]).split(";")[0] ?? "";
}

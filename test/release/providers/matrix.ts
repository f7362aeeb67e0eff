import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { buildWeb } from "../../../scripts/build-web.mjs";
import { minuteMs, useOffices } from "../../http/up-process.ts";
import { type AlternatingProxy, startAlternatingProxy } from "../../servers/alternating-proxy.ts";
import { noChromium, startChromium } from "../../servers/chromium.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noPostgres } from "../../servers/postgres.ts";
import { freePort } from "../../servers/server-process.ts";
import { usePostgres } from "../../servers/use-postgres.ts";
import type { ProviderKind, RealProvider } from "./provider-kinds.ts";

/** Two processes of one server behind a proxy, below a path; and a browser. */
interface World {
  readonly provider: RealProvider;
  readonly proxy: AlternatingProxy;
  /** Where its pages are. */
  readonly home: string;
  /** Opens a page in a browser of its own, signs in at the provider as someone it knows, and gives the page. */
  enter(name: string): Promise<Page>;
  /** What the page says to someone who is refused. */
  isRefused(name: string, words: RegExp): Promise<void>;
  /** A page of a process that does not trust the provider's authority. */
  pageWithoutAuthority(): Promise<Page>;
  writeSecret(secret: string): void;
}

interface Session {
  readonly id: string;
  readonly roles: readonly string[];
}

/** Who the page's browser is signed in as; null for no one. */
const sessionIn = (page: Page): Promise<Session | null> =>
  page.evaluate<Session | null>(
    `fetch("/dlo/auth/session").then((answer) => answer.json()).then(({ actor }) => actor)`,
  );

/** What has to work with each provider. Each has people of its own, so that none hangs on another. */
const cells: Readonly<Record<string, (world: World) => Promise<void>>> = {
  async "sign-in leads to the page that was asked for"({ provider, enter, home }) {
    await provider.addPerson("ana", ["payments-ops"]);
    const page = await enter("ana");
    expect(page.url()).toBe(`${home}alerts`);
    expect((await sessionIn(page))?.id).toBe("ana");
  },
  async "groups give roles, and no group gives none"({ provider, enter, isRefused }) {
    await provider.addPerson("ben", ["payments-ops"]);
    await provider.addPerson("ben-without", []);
    expect((await sessionIn(await enter("ben")))?.roles).toEqual(["operator"]);
    await isRefused("ben-without", /You have no role/);
  },
  async "role change counts at the next sign-in"({ provider, enter }) {
    await provider.addPerson("cleo", ["payments-ops"]);
    expect((await sessionIn(await enter("cleo")))?.roles).toEqual(["operator"]);
    await provider.setGroups("cleo", ["onlookers"]);
    expect((await sessionIn(await enter("cleo")))?.roles).toEqual(["viewer"]);
  },
  async "last role that is lost ends the sessions that are there"({ provider, enter, isRefused }) {
    await provider.addPerson("dora", ["payments-ops"]);
    const before = await enter("dora");
    await provider.setGroups("dora", []);
    await isRefused("dora", /You have no role/);
    expect(await sessionIn(before)).toBeNull();
  },
  async "rename leaves people who they are"({ provider, enter }) {
    await provider.addPerson("emil", ["payments-ops"]);
    expect((await sessionIn(await enter("emil")))?.id).toBe("emil");
    await provider.rename("emil", "emilia");
    // Where the name is typed, it is the new one; npm's provider is told the subject, which stays.
    const typed = provider.signsInBySubject ? "emil" : "emilia";
    expect((await sessionIn(await enter(typed)))?.id).toBe("emil");
  },
  async "sign-out holds at the provider too"({ provider, enter, home }) {
    await provider.addPerson("finn", ["payments-ops"]);
    const page = await enter("finn");
    await page.getByRole("button", { name: "Sign out" }).click();
    await provider.confirmSignOut(page);
    await page.goto(`${home}alerts`);
    expect(await sessionIn(page)).toBeNull();
    await page.getByRole("button", { name: /^Sign in with/ }).click();
    await provider.asksForPassword(page);
  },
  async "key rotation goes unnoticed"({ provider, enter }) {
    await provider.addPerson("gus", ["payments-ops"]);
    expect((await sessionIn(await enter("gus")))?.id).toBe("gus");
    await provider.rotateKeys();
    expect((await sessionIn(await enter("gus")))?.id).toBe("gus");
  },
  async "two processes know one session"({ provider, enter, proxy }) {
    await provider.addPerson("hana", ["payments-ops"]);
    const page = await enter("hana");
    const before = proxy.answered.length;
    for (let asked = 0; asked < 4; asked++) expect((await sessionIn(page))?.id).toBe("hana");
    expect(new Set(proxy.answered.slice(before))).toEqual(new Set([0, 1]));
  },
  async "path holds pages and cookies"({ provider, enter, home }) {
    await provider.addPerson("ivo", ["payments-ops"]);
    const page = await enter("ivo");
    expect(page.url().startsWith(home)).toBe(true);
    const cookies = (await page.context().cookies(home)).filter(({ name }) => name.startsWith("dlo_"));
    expect(cookies.map(({ path }) => path)).toEqual(["/dlo"]);
  },
  async "own CA is asked for by its setting where it is missing"({ pageWithoutAuthority }) {
    const page = await pageWithoutAuthority();
    await page.getByRole("button", { name: /^Sign in with/ }).click();
    await page.getByText(/certificate that this server does not trust.*signIn\.oidc\.ca/).waitFor();
  },
  async "secret change needs no restart"({ provider, enter, isRefused, writeSecret }) {
    await provider.addPerson("kim", ["payments-ops"]);
    const secret = await provider.changeSecret();
    await isRefused("kim", /did not accept who DLO says it is/);
    writeSecret(secret);
    expect((await sessionIn(await enter("kim")))?.id).toBe("kim");
  },
};

/** All of them with one provider. */
export function describeProvider(kind: ProviderKind): void {
  describeServer(kind.name, kind.missing ?? noChromium ?? noPostgres, () => {
    const postgres = usePostgres();
    const offices = useOffices({ until: "the end" });
    let browser: Browser;
    let world: World & { close(): Promise<void> };
    beforeAll(async () => {
      buildWeb(process.execPath);
      browser = await startChromium();
      world = await openWorld(kind, { browser, offices, databaseUrl: postgres.url });
    }, 8 * minuteMs);
    afterAll(async () => {
      await world?.close();
      await browser?.close();
    });
    it.each(Object.entries(cells))("%s", { timeout: 4 * minuteMs }, (_name, cell) => cell(world));
  });
}

interface Setting {
  readonly publicUrl: string;
  readonly basePath: string;
  readonly secretFile: string;
  /** Null: it trusts no authority but those of Node. */
  readonly authorityFile: string | null;
}

/** What the guide tells people to write for it, with the addresses of this test; npm's provider, which has no section, is as Okta's. */
function configurationFor(
  { guideSection, issuer, clientId }: RealProvider,
  { publicUrl, basePath, secretFile, authorityFile }: Setting,
): string {
  const guide = readFileSync(new URL("../../../docs/guides/sign-in.md", import.meta.url), "utf8");
  const section = guide.split(/^## /m).find((part) => part.startsWith(`${guideSection}\n`)) ?? "";
  const written = /```yaml\n(signIn:[\s\S]*?)```/.exec(section)?.[1] ?? "";
  const { signIn, roles } = parse(written) as GuideSettings;
  const ca = authorityFile === null ? {} : { ca: `file:${authorityFile}` };
  const prefix = roles[0]?.groups[0]?.startsWith("/") === true ? "/" : "";
  return JSON.stringify({
    version: 1,
    office: { publicUrl, basePath },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: The configuration reads it.
    ledger: { url: "${DATABASE_URL}" },
    signIn: { passwords: false, oidc: { ...signIn.oidc, issuer, clientId, clientSecret: `file:${secretFile}`, ...ca } },
    roles: [...roles, { name: "onlookers", is: "viewer", queues: ["*"], groups: [`${prefix}onlookers`] }],
    people: [{ id: "chief", oidc: { iss: issuer, sub: "chief" }, roles: ["admin"] }],
  });
}

interface GuideSettings {
  readonly signIn: { readonly oidc: object };
  readonly roles: readonly { readonly name: string; readonly groups: readonly string[] }[];
}

interface Parts {
  readonly browser: Browser;
  readonly offices: ReturnType<typeof useOffices>;
  readonly databaseUrl: string;
}

async function openWorld(kind: ProviderKind, { browser, offices: { folder, up }, databaseUrl }: Parts) {
  const proxy = await startAlternatingProxy(null);
  const home = `${proxy.url}/dlo/`;
  const provider = await kind.start({ redirectUri: `${home}auth/oidc/callback`, afterSignOut: home });
  const files = { secret: join(folder, "client-secret"), authority: join(folder, "authority.pem") };
  const writeSecret = (secret: string) => writeFileSync(files.secret, secret);
  writeSecret(provider.secret);
  writeFileSync(files.authority, provider.authority);
  const env = { DLO_DATA: join(folder, "data"), DATABASE_URL: databaseUrl };
  const trusting = configurationFor(provider, {
    publicUrl: proxy.url,
    basePath: "/dlo/",
    secretFile: files.secret,
    authorityFile: files.authority,
  });
  const processes = [await up(env, trusting, { basePath: "/dlo" }), await up(env, trusting, { basePath: "/dlo" })];
  proxy.lead(processes.map(({ url }) => Number(new URL(url).port)));

  const leave = async (name: string): Promise<Page> => {
    const page = await openPage(browser, `${home}alerts`);
    await page.getByRole("button", { name: /^Sign in with/ }).click();
    await provider.signIn(page, name);
    return page;
  };
  const world: World & { close(): Promise<void> } = {
    ...{ provider, proxy, home, writeSecret },
    async enter(name) {
      const page = await leave(name);
      await page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor();
      return page;
    },
    async isRefused(name, words) {
      const page = await leave(name);
      await page.getByText(words).waitFor();
      expect(await sessionIn(page)).toBeNull();
    },
    async pageWithoutAuthority() {
      const port = await freePort();
      const address = `http://127.0.0.1:${port}`;
      await up(
        env,
        configurationFor(provider, {
          publicUrl: address,
          basePath: "/",
          secretFile: files.secret,
          authorityFile: null,
        }),
        { port },
      );
      return openPage(browser, `${address}/alerts`);
    },
    async close() {
      await provider.close();
      await proxy.close();
    },
  };
  return world;
}

/** In a browser that has been nowhere before. */
async function openPage(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  page.setDefaultTimeout(minuteMs);
  await page.goto(address);
  return page;
}

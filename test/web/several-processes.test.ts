import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Provider from "oidc-provider";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { buildWeb } from "../../scripts/build-web.mjs";
import { eventually } from "../../src/testing/eventually.ts";
import { useLedger } from "../http/open-server.ts";
import { minuteMs, useOffices } from "../http/up-process.ts";
import { startAlternatingProxy } from "../servers/alternating-proxy.ts";
import { makeCertificate } from "../servers/certificate.ts";
import { noChromium, startChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { freePort } from "../servers/server-process.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { builtWeb } from "./build-web.ts";

const password = "correct horse battery";
const client = { id: "dlo", secret: "s".repeat(40) };

/** A real identity provider, which lets in whoever types a name. */
async function startProvider(redirectUri: string) {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, {
    clients: [
      {
        ...{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] },
        ...{ grant_types: ["authorization_code"], response_types: ["code"] },
      },
    ],
    claims: { openid: ["sub", "groups"], profile: ["preferred_username"] },
    conformIdTokenClaims: false,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, groups: [], preferred_username: id }),
    }),
    cookies: { keys: ["a secret of the test"] },
  });
  const handle = provider.callback();
  server.on("request", (request, response) => void handle(request, response));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { url, close };
}

/** Takes what webhooks are told. */
async function startHook() {
  const links: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      links.push((JSON.parse(body) as { readonly data: { readonly url: string } }).data.url);
      response.end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const close = () => new Promise((closed) => server.close(closed));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, links, close };
}

/** What a page of ours may send, from a page of ours. */
const asked = (path: string, body: object | null) =>
  `fetch(${JSON.stringify(path)}, ${
    body === null
      ? "{}"
      : `{ method: "POST", headers: { "content-type": "application/json", "x-dlo-csrf": "1" }, body: ${JSON.stringify(JSON.stringify(body))} }`
  }).then((answer) => answer.status)`;

const statusAt = (page: Page, path: string, body: object | null = null) => page.evaluate<number>(asked(path, body));

describe.each([
  { isSecure: false, basePath: "/dlo" },
  { isSecure: true, basePath: "" },
])("encrypted: $isSecure, below '$basePath'", ({ isSecure, basePath }) => {
  describeServer("two processes behind one address", noChromium ?? noPostgres, () => {
    const postgres = usePostgres();
    const { folder, up } = useOffices();
    let browser: Browser;
    beforeAll(async () => {
      buildWeb(process.execPath);
      browser = await startChromium();
    });
    afterAll(() => browser?.close());

    async function open() {
      const proxy = await startAlternatingProxy(isSecure ? makeCertificate() : null);
      onTestFinished(() => proxy.close());
      const provider = await startProvider(`${proxy.url}${basePath}/auth/oidc/callback`);
      onTestFinished(() => provider.close());
      const hook = await startHook();
      onTestFinished(async () => void (await hook.close()));
      const data = join(folder, "data");
      const env = { DLO_DATA: data, DATABASE_URL: postgres.url, OIDC_SECRET: client.secret, HOOK: hook.url };
      const config = `version: 1
office: { publicUrl: "${proxy.url}", basePath: "${basePath}/", outbound: { allow: ["127.0.0.1"] } }
ledger: { url: "\${DATABASE_URL}" }
notifiers: [{ name: hook, kind: webhook, url: "\${HOOK}", when: [halted] }]
signIn: { oidc: { issuer: "${provider.url}", clientId: ${client.id}, clientSecret: "\${OIDC_SECRET}", rolesClaim: groups, signOut: here } }
people: [{ id: cleo, oidc: { iss: "${provider.url}", sub: cleo }, roles: [operator] }]
`;
      const processes = [await up(env, config, { basePath }), await up(env, config, { basePath })];
      proxy.lead(processes.map(({ url }) => Number(new URL(url).port)));
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      page.setDefaultTimeout(minuteMs);
      const way = readFileSync(join(data, "first-run"), "utf8").trim();
      return { proxy, hook, context, page, origin: proxy.url, urls: processes.map(({ url }) => url), way };
    }

    /** What each of them says to the session of that browser. */
    async function statusAtEach(cookie: string, urls: readonly string[], { host }: URL, path: string) {
      const { request: ask } = await import("node:http");
      const status = (url: string) =>
        new Promise<number | undefined>((resolve, reject) => {
          const headers = { host, cookie };
          ask(`${url}${path}`, { headers }, (answer) => resolve(answer.resume().statusCode))
            .on("error", reject)
            .end();
        });
      return Promise.all(urls.map(status));
    }

    it("sign people in and out together, and are led to by notices", { timeout: 8 * minuteMs }, async () => {
      const { proxy, hook, context, page, origin, urls, way } = await open();
      const home = `${origin}${basePath}/`;
      const inbox = `${basePath}/api/v1/inbox`;

      // The first admin is made by the link that one of them wrote down, and has a password.
      expect(way.startsWith(`${home}setup#`)).toBe(true);
      await page.goto(way);
      await page.getByLabel("Name").fill("ana");
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Choose this password" }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      await page.goto(`${home}alerts`);
      await page.getByLabel("Name").fill("ana");
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor();

      const before = proxy.answered.length;
      for (let n = 0; n < 4; n++) expect(await statusAt(page, inbox)).toBe(200);
      expect(new Set(proxy.answered.slice(before))).toEqual(new Set([0, 1]));
      const cookie = await sessionIn(context, home);
      expect(cookie.name.startsWith("__Host-")).toBe(isSecure);
      expect([cookie.secure, cookie.path]).toEqual([isSecure, basePath || "/"]);
      const asSent = `${cookie.name}=${cookie.value}`;
      expect(await statusAtEach(asSent, urls, new URL(origin), inbox)).toEqual([200, 200]);

      // A notice leads where people are.
      const paused = await statusAt(page, `${basePath}/api/v1/replays/pause-all`, { reason: "to see the link" });
      expect(paused).toBe(200);
      await eventually(() => expect(hook.links[0]).toBe(home), { withinMs: minuteMs });
      await page.goto(hook.links[0] ?? "");
      await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();

      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      expect(await statusAtEach(asSent, urls, new URL(origin), inbox)).toEqual([401, 401]);

      // And by their identity provider.
      await page.goto(`${home}alerts`);
      await page.getByRole("button", { name: /^Sign in with/ }).click();
      await page.locator("input[name=login]").fill("cleo");
      await page.locator("input[name=password]").fill("any");
      await page.getByRole("button", { name: "Sign-in" }).click();
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor();
      expect(new URL(page.url()).href).toBe(`${home}alerts`);
      for (let n = 0; n < 4; n++) expect(await statusAt(page, inbox)).toBe(200);
      const theirs = await sessionIn(context, home);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      expect(await statusAtEach(`${theirs.name}=${theirs.value}`, urls, new URL(origin), inbox)).toEqual([401, 401]);
    });
  });
});

async function sessionIn(context: BrowserContext, url: string) {
  const ours = (await context.cookies(url)).filter(({ name }) => /^(__Host-)?dlo_[0-9a-f]+$/.test(name));
  expect(ours).toHaveLength(1);
  return ours[0] as (typeof ours)[0];
}

describe.skipIf(noChromium !== undefined)("two servers on one machine", () => {
  const ledgers = [useLedger(), useLedger()] as const;

  it("leave each other's sign-ins alone in one browser", { timeout: 4 * minuteMs }, async () => {
    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(minuteMs);
    const urls: string[] = [];
    for (const ledger of ledgers) {
      const port = await freePort();
      const server = await ledger.open({ port, web: await builtWeb() });
      const close = await server.listen();
      onTestFinished(() => close());
      await server.signedIn("ana");
      const url = `http://127.0.0.1:${port}/`;
      urls.push(url);
      await page.goto(url);
      await page.getByLabel("Name").fill("ana");
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
    }
    for (const url of urls) {
      await page.goto(url);
      await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
    }
  });
});

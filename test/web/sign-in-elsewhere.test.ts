import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkProvider } from "../../src/outbound/oidc/check-provider.ts";
import { systemClock } from "../../src/system/host.ts";
import { type TestServer, useLedger } from "../http/open-server.ts";
import { issuerAt, oidcOptions } from "../http/sign-in-there.ts";
import { noChromium, startChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { type OidcProvider, startOidcProvider } from "../servers/oidc-provider.ts";
import { freePort } from "../servers/server-process.ts";
import { builtWeb } from "./build-web.ts";
import { complaintsOf, expectToBeSound } from "./office-in-browser.ts";

const minuteMs = 60_000;
const roles = [{ name: "payments-ops", is: "operator", queues: ["*"], reveals: false }] as const;
const people = { ana: { groups: ["payments-ops"] }, ben: { groups: ["/kitchen"] } };

describeServer("sign-in at a provider, in a browser", noChromium, () => {
  const ledger = useLedger();
  let browser: Browser;
  let there: OidcProvider;
  let server: TestServer;
  let url: string;
  let close: () => Promise<void>;

  beforeAll(async () => {
    url = `http://127.0.0.1:${await freePort()}`;
    const addresses = {
      redirect: `${url}/auth/oidc/callback`,
      afterSignOut: `${url}/`,
      backChannelLogout: `${url}/auth/oidc/back-channel`,
    };
    there = await startOidcProvider({ redirectUris: [addresses.redirect], people });
    const parts = { options: oidcOptions(there), allow: [], clock: systemClock };
    const checkSignIn = () => checkProvider(parts, addresses);
    const port = Number(new URL(url).port);
    server = await ledger.open({
      port,
      web: await builtWeb(),
      issuer: issuerAt(there),
      roles,
      office: { checkSignIn },
    });
    close = await server.listen();
    browser = await startChromium();
  }, 5 * minuteMs);
  afterAll(async () => {
    await browser?.close();
    await close?.();
    await there?.close();
  });

  async function pageAt(path: string) {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(2 * minuteMs);
    await page.goto(`${url}${path}`);
    return { context, page };
  }

  async function signInThere(page: Page, name: string): Promise<void> {
    await page.locator("input[name=login]").fill(name);
    await page.locator("input[name=password]").fill("any");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
  }

  it("says why someone has no role, lets them use another account, and signs out there too", async () => {
    const { context, page } = await pageAt("/alerts?muted=1");
    await page.getByRole("button", { name: /^Sign in with/ }).click();
    await signInThere(page, "ben");
    const refusal = page.getByRole("alert").filter({ hasText: 'None of your groups gives one: "/kitchen".' });
    const told = (await refusal.textContent()) ?? "";
    expect(server.failures.some(({ id }) => told.includes(id))).toBe(true);
    // From here on: the provider's own page asks for fonts from elsewhere.
    const complaints = complaintsOf(page);
    await page.reload();
    await refusal.waitFor();
    await expectToBeSound({ page, complaints }, "a refused sign-in");

    await page.getByRole("button", { name: "Use another account" }).click();
    await signInThere(page, "ana");
    await page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor();
    expect(page.url()).toBe(`${url}/alerts?muted=1`);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: /^Yes, sign me out/ }).click();
    await page.getByText("Sign-out Success").waitFor();
    expect(new URL(page.url()).origin).toBe(there.issuer);
    await page.goto(url);
    await page.getByRole("button", { name: /^Sign in with/ }).click();
    // Who is still known there would be back at once.
    await page.locator("input[name=login]").waitFor();
    await context.close();
  });

  it("shows in Settings what was tried at the provider, and what to register there", async () => {
    const cookie = await server.signedIn("root");
    const [name = "", value = ""] = cookie.split("=");
    const context = await browser.newContext();
    await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
    page.setDefaultTimeout(2 * minuteMs);
    const complaints = complaintsOf(page);
    await page.goto(`${url}/settings/sign-in`);
    const row = page.getByRole("row", { name: /Client authentication/ });
    expect(await row.textContent()).toMatch(/OK\s*The provider accepts dlo by client_secret_basic\./);
    expect(await page.getByText(`${url}/auth/oidc/back-channel`, { exact: true }).count()).toBe(1);
    await expectToBeSound({ page, complaints }, "Settings, Sign-in");
    await context.close();
  });
});

import { join } from "node:path";
import axe from "axe-core";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type TestServer, type TestServerOptions, useLedger } from "../http/open-server.ts";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";
import { acceptDuplicatesIn } from "../replay/world.ts";
import { startChromium } from "../servers/chromium.ts";
import { freePort } from "../servers/server-process.ts";
import { builtWeb } from "./build-web.ts";

const minuteMs = 60_000;

export const hostile = `<img src=x onerror="document.documentElement.className='owned'"><script>document.documentElement.className='owned'</script>`;

/** What a test asks a browser for. */
export interface OfficeInBrowser {
  readonly server: TestServer;
  /**
   * A page of the office as somebody with these roles sees it, and everything it complains about. Whoever comes for the first time has a
   * browser in this zone, or in UTC.
   */
  pageOf(name: string, roles: readonly string[], path: string, timezoneId?: string): Promise<Watched>;
}

export interface Watched {
  readonly page: Page;
  /** Refused by the content policy, thrown, or written to the console as an error. */
  readonly complaints: readonly string[];
}

interface OfficeOptions extends Pick<TestServerOptions, "environment"> {
  /** @default "" */
  readonly basePath?: string;
  /** What it has otherwise than offices of tests do. @default nothing */
  readonly office?: NonNullable<TestServerOptions["office"]>;
}

/** The built web UI on an office with a ledger in memory, in a real browser; for the tests of one `describe`. */
export function useOfficeInBrowser({ basePath = "", office = {}, ...more }: OfficeOptions = {}): () => OfficeInBrowser {
  const ledger = useLedger();
  const contexts = new Map<string, BrowserContext>();
  let open: { readonly browser: Browser; readonly server: TestServer; readonly url: string };
  let close: () => Promise<void>;
  beforeAll(async () => {
    const port = await freePort();
    const server = await ledger.open({ port, basePath: `${basePath}/`, web: await builtWeb(), office, ...more });
    close = await server.listen();
    open = { server, browser: await startChromium(), url: `http://127.0.0.1:${port}${basePath}` };
  }, 5 * minuteMs);
  afterAll(async () => {
    await open?.browser.close();
    await close?.();
  });
  return () => ({
    server: open.server,
    async pageOf(name, roles, path, timezoneId = "UTC") {
      const context = contexts.get(name) ?? (await signedIn(open, name, roles, timezoneId));
      contexts.set(name, context);
      const page = await context.newPage();
      page.setDefaultTimeout(2 * minuteMs);
      const complaints = complaintsOf(page);
      await page.goto(`${open.url}${path}`);
      return { page, complaints };
    },
  });
}

async function signedIn(
  { browser, server, url }: { readonly browser: Browser; readonly server: TestServer; readonly url: string },
  name: string,
  roles: readonly string[],
  timezoneId: string,
): Promise<BrowserContext> {
  const [cookie = "", value = ""] = (await server.signedIn(name, roles)).split("=");
  const context = await browser.newContext({ timezoneId });
  await context.addCookies([{ name: cookie, value, url }]);
  return context;
}

/** Everything a page complains about: refused by the content policy, thrown, or written to the console as an error. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("status of 4")) complaints.push(message.text());
  });
  return complaints;
}

export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as never as { axe: typeof axe }).axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`);
}

/** In both themes, on a phone and on a screen, and at 400 %: nothing that axe finds, nothing wider than there is room. */
export async function expectToBeSound({ page, complaints }: Watched, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    await expectSoon(() => page.evaluate<number>(pageWidth), `${name} on a phone`).toBeLessThanOrEqual(360);
    expect(await axeFindings(page)).toEqual([]);
    await photograph(page, `${name}-${colorScheme}-phone`);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await axeFindings(page)).toEqual([]);
    await photograph(page, `${name}-${colorScheme}-wide`);
  }
  await expectToFitAnyEyes(page, name);
  expect(complaints).toEqual([]);
}

/** 1280 pixels at 400 %, in colours that somebody forces: nothing is cut off, and only tables scroll sideways. */
async function expectToFitAnyEyes(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ forcedColors: "active" });
  await page.setViewportSize({ width: 320, height: 256 });
  await expectSoon(() => page.evaluate<readonly string[]>(tooWide), `${name} at 400 %`).toEqual([]);
  expect(await axeFindings(page)).toEqual([]);
  await photograph(page, `${name}-zoomed`);
  await page.emulateMedia({ forcedColors: null });
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Drawings learn of a new width a frame after the page has it, and a busy machine draws few frames. */
function expectSoon<Found>(find: () => Promise<Found>, message: string) {
  return expect.poll(find, { message, timeout: 30_000 });
}

const pageWidth = "document.documentElement.scrollWidth";

/** Run by the page. What scrolls sideways by itself: tables, and the row of pages. */
const tooWide = `(() => {
  const scrolls = (one) => one.closest("table, .rail, .unseen, .skip, canvas, .cm-scroller") !== null;
  const wide = [...document.querySelectorAll("body *")].filter((one) => {
    const { width, right, left } = one.getBoundingClientRect();
    const isOutside = width > 0 && (right > innerWidth + 1 || left < -1);
    const isCut = !one.matches("input, textarea") && getComputedStyle(one).overflowX !== "visible"
      && one.scrollWidth > one.clientWidth + 1;
    return (isOutside || isCut) && !scrolls(one);
  });
  if (document.documentElement.scrollWidth > innerWidth) wide.push(document.documentElement);
  return wide.map((one) => one.outerHTML.slice(0, 160));
})()`;

/** For people to look at: DLO_SCREENSHOTS=folder. */
async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.DLO_SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Presses a button that says for a moment what it did: looked at now and then, that moment could be missed. */
export async function pressUntilItSays(button: Locator, text: string): Promise<void> {
  const said = (await button.elementHandle())?.evaluate(listensTo, text);
  await button.click();
  await said;
}

/** Run by the page. */
const listensTo = `(button, text) => new Promise((resolve) => {
  const look = () => button.textContent.includes(text) && resolve();
  new MutationObserver(look).observe(button, { subtree: true, childList: true, characterData: true });
})`;

export interface Wanted {
  readonly role: "button" | "link" | "textbox" | "checkbox";
  readonly name: string | RegExp;
  /** @default "Tab" */
  readonly key?: string;
}

/** Presses a key until what has this role and name is focused: nothing else than a keyboard gets there. */
export async function keyTo(page: Page, { role, name, key = "Tab" }: Wanted): Promise<void> {
  const wanted = page.getByRole(role, { name });
  await wanted.first().waitFor();
  for (let presses = 0; presses < 80; presses++) {
    if ((await wanted.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never came to ${role} ${String(name)}.`);
}

export interface Failures {
  readonly queue: string;
  readonly failure: string;
  readonly message: string;
  readonly category: "transient" | "poison" | "unknown";
  readonly n: number;
}

/** Letters that failed alike, an hour ago, each with a key and one of three tenants. */
export async function failAlike({ ledger }: TestServer, failures: Failures): Promise<void> {
  const { queue, failure, message, category, n } = failures;
  await acceptDuplicatesIn(ledger, queue);
  const room = testRoom(() => Date.now() - 3_600_000);
  const headersOf = (at: number) => ({
    ...{ queue, class: failure, message, category, "dlo-category": category },
    "x-tenant-id": ["acme", "globex", "initech"][at % 3] ?? "",
  });
  const letters = Array.from({ length: n }, (_, at) => ({
    letter: deadLetter({
      ...{ key: `order-${1_000 + (at % 40)}`, headers: headersOf(at) },
      body: JSON.stringify({ orderId: `order-${1_000 + (at % 40)}`, text: hostile }),
    }),
    found: { kind: "position", position: `${queue}-${failure}-${at}` } as const,
  }));
  await hold(ledger, letters, { room });
}

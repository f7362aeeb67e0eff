/**
 * Takes the screenshots that the documents show, of the demonstration as it is when it opens: `npx node scripts/screenshots.ts`.
 * With a folder, it takes all there are, in both themes and on a phone, to look at; with names after it, such as
 * `status-light-wide`, only those.
 * It needs Chromium (DLO_TEST_CHROMIUM, else /usr/bin/chromium) and the web UI built.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { visitor } from "../src/demo/shop/cast.ts";
import { openDemo } from "../src/demo/shop/open-demo.ts";
import { parseListen } from "../src/http/public-address.ts";
import { serve } from "../src/http/serve.ts";
import { systemHost } from "../src/system/host.ts";
import { startChromium } from "../test/servers/chromium.ts";
import { freePort } from "../test/servers/server-process.ts";
import { root } from "../test/sources.ts";

interface Shot {
  readonly name: string;
  readonly path: string;
  /** What is there once the page has its data. */
  readonly has: string;
  /** Where a page is one thing's: the first row of the list is opened, and this heading waited for. */
  readonly opens?: string;
  /** A link that is followed from there, and the heading of where it leads. */
  readonly follows?: readonly [string, string];
}

const row = "a[data-row]";

const pages: readonly Shot[] = [
  { name: "inbox", path: "", has: row },
  { name: "group", path: "", has: row, opens: "Affected" },
  { name: "letters", path: "letters?q=state%3Aopen", has: ".facets a" },
  { name: "letter", path: "letters?q=queue%3Ainvoices", has: row, opens: "Body" },
  {
    ...{ name: "edit", path: "letters?q=queue%3Ainvoices", has: row, opens: "Body" },
    follows: ["Edit it first", "What changes"],
  },
  { name: "replays", path: "replays", has: row },
  { name: "replay", path: "replays", has: row, opens: "Decisions" },
  { name: "approvals", path: "approvals", has: "main h1" },
  { name: "queues", path: "queues", has: row },
  { name: "topology", path: "topology", has: "main svg" },
  { name: "breakers", path: "breakers", has: "main tbody tr" },
  { name: "consumers", path: "consumers", has: "main tbody tr" },
  { name: "alerts", path: "alerts", has: "main tbody tr" },
  { name: "policies", path: "policies", has: "main .card" },
  { name: "simulator", path: "simulator", has: ".plot canvas" },
  { name: "insights", path: "insights", has: "main table" },
  { name: "audit", path: "audit", has: "main tbody tr" },
  { name: "status", path: "status", has: "main tbody tr" },
  { name: "settings", path: "settings/people", has: "main tbody tr" },
  { name: "connect", path: "connect", has: "main form" },
  { name: "appearance", path: "settings/appearance", has: "main h1" },
];

const sizes = [
  { name: "wide", width: 1_180, height: 700 },
  { name: "phone", width: 360, height: 740 },
] as const;

/** A stack says where the sources are, and a picture for everybody nothing of the machine it was taken on. */
const leaveOutRoot = `for (const each of document.querySelectorAll("main pre")) each.textContent = each.textContent.replaceAll(${JSON.stringify(root.replace(/\/$/, ""))}, "/app")`;

const [, , given, ...named] = process.argv;
const images = given === undefined ? join(root, "docs/images") : resolve(given);
/** Every page in light, two of them in dark too, and what opens from a pager on a phone. */
const shown = [
  ...pages.map(({ name }) => `${name}-light-wide`),
  ...["inbox-dark-wide", "edit-dark-wide", "inbox-light-phone", "replay-light-phone"],
];

async function photograph(browser: Browser, url: string, colorScheme: "light" | "dark"): Promise<void> {
  const wanted = given === undefined ? shown : named;
  const isWanted = (title: string) => wanted.length === 0 || wanted.some((each) => each.startsWith(title));
  for (const shot of pages.filter(({ name }) => isWanted(`${name}-${colorScheme}-`))) {
    const page = await browser.newPage({ colorScheme });
    page.setDefaultTimeout(60_000);
    const { name } = shot;
    await open(page, url, shot);
    for (const size of sizes) {
      await page.setViewportSize(size);
      const title = `${name}-${colorScheme}-${size.name}`;
      if (isWanted(title)) await page.screenshot({ path: join(images, `${title}.png`) });
    }
    await page.close();
  }
}

async function open(page: Page, url: string, { path, has, opens, follows }: Shot): Promise<void> {
  await page.goto(`${url}${path}`);
  await page.locator(has).first().waitFor();
  if (opens !== undefined) await page.locator(row).first().click();
  if (opens !== undefined) await page.getByRole("heading", { name: opens }).waitFor();
  if (follows !== undefined) await page.getByRole("link", { name: follows[0] }).click();
  if (follows !== undefined) await page.getByRole("heading", { name: follows[1] }).waitFor();
  await page.getByRole("button", { name: "Live" }).waitFor();
  await page.evaluate(leaveOutRoot);
}

const scratch = mkdtempSync(join(tmpdir(), "dlo-screenshots-"));
// A page shows where its ledger is, and a picture for everybody nothing of the machine it was taken on.
process.chdir(scratch);
const demo = await openDemo({ folder: "demo", version: "0.1.0", seed: 1, host: systemHost, say() {} });
const { call, reception, signIns, once, feed } = demo.office;
const serving = await serve({
  ...{ call, reception, signIns, once, feed, publicUrl: null, basePath: "/", trustedProxies: [], version: "0.1.0" },
  ...{
    ...{ issuer: null, environment: null },
    demo: { visitor: visitor.id, reset() {}, connect: () => Promise.reject(new Error("not here")) },
    readiness: async () => "ready",
    onFailure() {},
  },
  ...{ clock: systemHost.clock, newId: systemHost.newId, listen: parseListen(`127.0.0.1:${await freePort()}`) },
});
const browser = await startChromium();
try {
  mkdirSync(images, { recursive: true });
  for (const scheme of ["light", "dark"] as const) await photograph(browser, serving.url, scheme);
} finally {
  await browser.close();
  await serving.close();
  await demo.close();
  rmSync(scratch, { recursive: true });
}

/**
 * Takes the screenshots that the documents show, of the demonstration as it is when it opens: `npx node scripts/screenshots.ts`.
 * With a folder, it takes all there are, in both themes and on a phone, to look at.
 * It needs Chromium (DLO_TEST_CHROMIUM, else /usr/bin/chromium) and the web UI built.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { visitor } from "../src/demo/shop/cast.ts";
import { openDemo } from "../src/demo/shop/open-demo.ts";
import { parseListen } from "../src/http/public-address.ts";
import { serve } from "../src/http/serve.ts";
import { systemHost } from "../src/system/host.ts";
import { startChromium } from "../test/servers/chromium.ts";
import { freePort } from "../test/servers/server-process.ts";
import { root } from "../test/sources.ts";

/** Where a page is one thing's, the first row of a list is opened, and this heading waited for. */
const pages = [
  { name: "inbox", path: "", opens: null },
  { name: "group", path: "", opens: "Affected" },
  { name: "letter", path: "letters?q=queue%3Ainvoices", opens: "Body" },
] as const;

const sizes = [
  { name: "wide", width: 1_180, height: 700 },
  { name: "phone", width: 360, height: 740 },
] as const;

const given = process.argv[2];
const images = given ?? join(root, "docs/images");
const shown = ["inbox-light-wide", "inbox-dark-wide", "inbox-light-phone", "group-light-wide"];

async function photograph(browser: Browser, url: string, colorScheme: "light" | "dark"): Promise<void> {
  for (const { name, path, opens } of pages) {
    const page = await browser.newPage({ colorScheme });
    await page.goto(`${url}${path}`);
    await page.locator("a[data-row]").first().waitFor();
    if (opens !== null) await page.locator("a[data-row]").first().click();
    if (opens !== null) await page.getByRole("heading", { name: opens }).waitFor();
    await page.getByRole("button", { name: "Live" }).waitFor();
    for (const size of sizes) {
      await page.setViewportSize(size);
      const title = `${name}-${colorScheme}-${size.name}`;
      if (given !== undefined || shown.includes(title)) await page.screenshot({ path: join(images, `${title}.png`) });
    }
    await page.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), "dlo-screenshots-"));
const demo = await openDemo({ folder, version: "0.1.0", seed: 1, host: systemHost, say() {} });
const { call, reception, once, feed } = demo.office;
const serving = await serve({
  ...{ call, reception, once, feed, publicUrl: null, basePath: "/", trustedProxies: [], version: "0.1.0" },
  ...{ demo: { visitor: visitor.id, reset() {} }, readiness: async () => "ready", onFailure() {} },
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
  rmSync(folder, { recursive: true });
}

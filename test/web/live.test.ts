import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { WebFiles } from "../../src/http/web-files.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { type TestServer, useLedger } from "../http/open-server.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { noChromium, startChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { freePort } from "../servers/server-process.ts";
import { buildWeb } from "./build-web.ts";

const minuteMs = 60_000;

describeServer("a page that lives", noChromium, () => {
  const ledger = useLedger();
  const folder = mkdtempSync(join(tmpdir(), "dlo-live-"));
  let web: WebFiles;
  let browser: Browser;
  let port: number;
  let server: TestServer;
  let close: () => Promise<void>;
  let sent = 0;

  beforeAll(async () => {
    web = await buildWeb(folder);
    port = await freePort();
    server = await ledger.open({ port, web });
    close = await server.listen();
    browser = await startChromium();
    for (let n = 1; n <= 12; n++) await die(`queue-${n}`, 13 - n);
  }, 5 * minuteMs);
  afterAll(async () => {
    await browser?.close();
    await close?.();
    rmSync(folder, { recursive: true });
  });

  /** So many letters of a group, which is that queue's. */
  async function die(queue: string, count: number): Promise<void> {
    const letters = Array.from({ length: count }, () => {
      sent += 1;
      const headers = { queue, class: "Error", message: `${queue} failed`, category: "transient" };
      return { letter: deadLetter({ body: `${sent}`, headers }), found: position(sent) };
    });
    await hold(server.ledger, letters);
  }
  const position = (n: number) => ({ kind: "position", position: `p-${n}` }) as const;

  /** A hundred entries in the log, each of which is an event for everybody who listens. */
  async function hundredEvents(): Promise<void> {
    const entry = Buffer.from(JSON.stringify({ action: "letters.held", first: "ltr_1" }));
    const { database, at } = server.ledger;
    await database.query(`select ${at}.append_audit($1) from generate_series(1, 100)`, [entry]);
  }

  async function openPage(): Promise<Page> {
    const [name = "", value = ""] = (await server.signedIn("ana")).split("=");
    const context = await browser.newContext();
    await context.addCookies([{ name, value, url: `http://127.0.0.1:${port}` }]);
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.getByRole("button", { name: "Live" }).waitFor();
    await page.locator("a[data-row]").first().waitFor();
    return page;
  }

  /** Where each row is, by what it says. */
  const placesOf = (page: Page) =>
    page
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => [row.querySelector("a")?.textContent, row.getBoundingClientRect().top]));

  it(
    "changes figures in place at a hundred events a second, and moves no row until it is asked to",
    async () => {
      const page = await openPage();
      const before = await placesOf(page);
      expect(before).toHaveLength(12);
      await page.locator("tbody tr").nth(5).hover();
      for (let second = 1; second <= 3; second++) {
        await hundredEvents();
        // The last group becomes the largest, and new ones come: in another order it would be first.
        await die("queue-12", 20);
        await die(`new-${second}`, 5);
        await page.waitForTimeout(1_000);
        expect(await placesOf(page)).toEqual(before);
      }
      await page.getByRole("button", { name: /3 new/ }).waitFor();
      await eventually(async () => expect(await page.locator("tbody tr").last().textContent()).toContain("61"));
      expect(await placesOf(page)).toEqual(before);
      await page.keyboard.press("u");
      await eventually(async () => expect(await page.locator("tbody tr").count()).toBe(15));
      expect(await page.locator("tbody tr").first().textContent()).toContain("queue-12");
      await page.context().close();
    },
    3 * minuteMs,
  );

  it(
    "asks for nothing while it is paused, and shows what it missed when it goes on",
    async () => {
      const page = await openPage();
      await page.keyboard.press("Shift+L");
      await page.getByRole("button", { name: /^Paused/ }).waitFor();
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await hundredEvents();
      await die("queue-1", 7);
      await page.waitForTimeout(2_500);
      expect(asked).toEqual([]);
      await page.keyboard.press("Shift+L");
      await eventually(() => expect(asked.some((url) => url.includes("/inbox"))).toBe(true));
      await page.context().close();
    },
    3 * minuteMs,
  );

  it(
    "says that it lost the office, and goes on by itself when it is back",
    async () => {
      const page = await openPage();
      await close();
      await page.getByRole("button", { name: /^Reconnecting… showing/ }).waitFor();
      expect(await page.locator("tbody tr").count()).toBeGreaterThan(11);
      server = await ledger.open({ port, web });
      close = await server.listen();
      await page.getByRole("button", { name: "Live" }).waitFor();
      await die("back-again", 3);
      await page.getByRole("button", { name: /1 new/ }).waitFor();
      await page.context().close();
    },
    3 * minuteMs,
  );
});

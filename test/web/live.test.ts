import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { type TestServer, useLedger } from "../http/open-server.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { noChromium, startChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { freePort } from "../servers/server-process.ts";
import { builtWeb } from "./build-web.ts";

const minuteMs = 60_000;

let sent = 0;

/** So many letters of a group, which is that queue's. */
async function die({ ledger }: TestServer, queue: string, count: number): Promise<void> {
  const letters = Array.from({ length: count }, () => {
    sent += 1;
    const headers = { queue, class: "Error", message: `${queue} failed`, category: "transient" };
    return {
      letter: deadLetter({ body: `${sent}`, headers }),
      found: { kind: "position", position: `p-${sent}` } as const,
    };
  });
  await hold(ledger, letters);
}

/** A hundred entries in the log, each of which is an event for everybody who listens. */
async function hundredEvents({ ledger: { database, at } }: TestServer): Promise<void> {
  const entry = Buffer.from(JSON.stringify({ action: "letters.held", first: "ltr_1" }));
  await database.query(`select ${at}.append_audit($1) from generate_series(1, 100)`, [entry]);
}

async function openInbox(browser: Browser, server: TestServer, url: string): Promise<Page> {
  const [name = "", value = ""] = (await server.signedIn("ana")).split("=");
  const context = await browser.newContext();
  context.setDefaultTimeout(2 * minuteMs);
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("button", { name: "Live" }).waitFor();
  await page.locator("a[data-row]").first().waitFor();
  return page;
}

/** Of groups. The figures of the arrivals are folded away in a table of their own. */
const rows = "table:not(details table) > tbody > tr";
const rowsOf = (page: Page) => page.locator(rows);

/** Where each row is, by what it says. */
function placesOf(page: Page): Promise<unknown[]> {
  return page.evaluate<unknown[]>(
    `[...document.querySelectorAll("${rows}")].map((row) => [row.querySelector("a")?.textContent, row.getBoundingClientRect().top])`,
  );
}

describeServer("a page that lives", noChromium, () => {
  const ledger = useLedger();
  let browser: Browser;
  let port: number;
  let server: TestServer;
  let close: () => Promise<void>;

  const openPage = () => openInbox(browser, server, `http://127.0.0.1:${port}/`);

  beforeAll(async () => {
    port = await freePort();
    server = await ledger.open({ port, web: await builtWeb() });
    close = await server.listen();
    browser = await startChromium();
    for (let n = 1; n <= 12; n++) await die(server, `queue-${n}`, 13 - n);
  }, 5 * minuteMs);
  afterAll(async () => {
    await browser?.close();
    await close?.();
  });

  it(
    "changes figures in place at a hundred events a second, and moves no row until it is asked to",
    async () => {
      const page = await openPage();
      // Which may scroll the page, once.
      await rowsOf(page).nth(5).hover();
      const before = await placesOf(page);
      expect(before).toHaveLength(12);
      for (let second = 1; second <= 3; second++) {
        await hundredEvents(server);
        // The last group becomes the largest, and new ones come: in another order it would be first.
        await die(server, "queue-12", 20);
        await die(server, `new-${second}`, 5);
        await page.waitForTimeout(1_000);
        expect(await placesOf(page)).toEqual(before);
      }
      const waiting = page.getByRole("button", { name: /3 new/ });
      await waiting.waitFor();
      // Said on the line above the rows, at its end, where nothing is kept free for it.
      const [{ y: top = 0 } = {}] = [(await page.locator("table.inbox").boundingBox()) ?? {}];
      const { y = 0, height = 0 } = (await waiting.boundingBox()) ?? {};
      const { y: above = 0 } = (await page.getByText(/open letters in/).boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual(top);
      expect(y).toBeGreaterThan(above - height);
      await eventually(async () => expect(await rowsOf(page).last().textContent()).toContain("61"));
      expect(await placesOf(page)).toEqual(before);
      await page.keyboard.press("u");
      await eventually(async () => expect(await rowsOf(page).count()).toBe(15));
      expect(await rowsOf(page).first().textContent()).toContain("queue-12");
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
      page.on("request", (request) => {
        // Code of other pages may come meanwhile.
        if (request.url().includes("/api/")) asked.push(request.url());
      });
      await hundredEvents(server);
      await die(server, "queue-1", 7);
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
      expect(await rowsOf(page).count()).toBeGreaterThan(11);
      server = await ledger.open({ port, web: await builtWeb() });
      close = await server.listen();
      await page.getByRole("button", { name: "Live" }).waitFor();
      await die(server, "back-again", 3);
      await page.getByRole("button", { name: /1 new/ }).waitFor();
      await page.context().close();
    },
    3 * minuteMs,
  );
});

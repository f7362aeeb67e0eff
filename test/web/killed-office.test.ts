import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildWeb } from "../../scripts/build-web.mjs";
import { eventually } from "../../src/testing/eventually.ts";
import { useOrders } from "../http/office-with-orders.ts";
import { minuteMs } from "../http/up-process.ts";
import { noChromium, startChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { freePort } from "../servers/server-process.ts";
import { usePostgres } from "../servers/use-postgres.ts";

const letters = 20;
/** Slow enough that somebody can be killed in the middle of it. */
const slowly = { rate: 1, batch: 2 };

describeServer("a page on a replay whose office is killed", noChromium ?? noPostgres, () => {
  const postgres = usePostgres();
  const { start, peopleAt, deadOrders, startReplay, finished } = useOrders();
  let browser: Browser;
  beforeAll(async () => {
    buildWeb(process.execPath);
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it(
    "says that it reconnects and from when it is, and then the truth: the replay goes on to its end, and nothing went twice",
    async () => {
      const port = await freePort();
      const { url, child } = await start(postgres, { port });
      const shop = await deadOrders(postgres, url, "orders", letters);
      const id = await startReplay(url, "orders", slowly);
      const { cookies, ana } = await peopleAt(url);
      // However long a busy machine takes to open a page, it is there before the end.
      await ana("replays.pause", { id, reason: "until somebody looks" });
      const [name = "", value = ""] = cookies.ana.split("=");
      const context = await browser.newContext();
      await context.addCookies([{ name, value, url }]);
      const page = await context.newPage();
      page.setDefaultTimeout(2 * minuteMs);
      await page.goto(`${url}/replays/${id}`);
      await page.getByRole("button", { name: "Live" }).waitFor();
      await ana("replays.resume", { id, reason: "somebody looks" });
      await eventually(() => expect(shop.charged.length).toBeGreaterThan(2), { withinMs: minuteMs });
      expect(child.kill("SIGKILL")).toBe(true);
      await page.getByRole("button", { name: /^Reconnecting… showing \d\d:\d\d:\d\d$/ }).waitFor();
      expect(shop.charged.length).toBeLessThan(letters);
      // What was known stays on the page.
      await page.getByRole("heading", { level: 1, name: /running|settling/ }).waitFor();

      await start(postgres, { port });
      await page.getByRole("button", { name: "Live" }).waitFor();
      await page.getByRole("heading", { level: 1, name: /finished/ }).waitFor();
      const { counts } = await finished(url, id);
      expect(counts.sent + counts.inDoubt).toBe(letters);
      expect(counts.inDoubt).toBeLessThanOrEqual(slowly.batch);
      expect(new Set(shop.charged).size).toBe(shop.charged.length);
      expect(shop.charged.length).toBeGreaterThanOrEqual(letters - counts.inDoubt);
      await page.getByText(`${counts.confirmed} confirmed`).first().waitFor();
      await context.close();
    },
    8 * minuteMs,
  );
});

import { expect, it } from "vitest";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { failAlike, useOfficeInBrowser } from "./office-in-browser.ts";

const viewer = ["viewer"];
/** What code loads later is found under a path, too. */
const basePath = "/dlo";

describeServer("opening the office in a browser", noChromium, () => {
  const office = useOfficeInBrowser({ basePath });

  it("asks for the inbox before it knows who is here, and shows groups beyond the first screen as well", async () => {
    const { server, pageOf } = office();
    const groups = 205;
    const alike = { failure: "TimeoutError", message: "POST /charge", category: "transient", n: 1 } as const;
    for (let n = 0; n < groups; n++) await failAlike(server, { ...alike, queue: `orders-${n}` });
    const { page } = await pageOf("eve", viewer, "/queues");
    let inboxAsked = () => {};
    const untilInboxAsked = new Promise<void>((resolve) => {
      inboxAsked = resolve;
    });
    let times = 0;
    await page.route("**/api/v1/inbox*", async (route) => {
      inboxAsked();
      times += 1;
      // What is shown is the answer to the first.
      await (times === 1 ? route.continue() : route.abort());
    });
    await page.route("**/auth/session", async (route) => {
      await untilInboxAsked;
      await route.continue();
    });
    await page.goto(`${new URL(page.url()).origin}${basePath}/`);
    await page.getByText(`${groups} open letters in ${groups} groups: shown are the 200 to look at first.`).waitFor();
    await expect.poll(() => page.locator("a[data-row]").count(), { timeout: 30_000 }).toBe(200);
    await page.close();
  });

  it("loads the code of the other pages behind the inbox, so that they open although the office is gone", async () => {
    const { page } = await office().pageOf("eve", viewer, "/");
    const loaded = "performance.getEntriesByType('resource').map(({ name }) => name).join()";
    await expect.poll(() => page.evaluate<string>(loaded), { timeout: 30_000 }).toMatch(/other-page[^,]*\.js/);
    await page.route("**/*", (route) => route.abort());
    await page.getByRole("link", { name: "Queues", exact: true }).click();
    await page.getByRole("heading", { name: "Queues", exact: true }).waitFor();
    await page.close();
  });

  it("says so where the code of a page cannot be had, and goes on once it can", async () => {
    const { page } = await office().pageOf("eve", viewer, "/queues");
    await page.route("**/assets/simulator-page*", (route) => route.abort());
    await page.getByRole("link", { name: "Simulator", exact: true }).click();
    await page.getByText("This page could not be loaded").waitFor();
    await page.unroute("**/assets/simulator-page*");
    await page.getByRole("button", { name: "Load everything again" }).click();
    await page.getByRole("heading", { name: "Simulator", exact: true }).waitFor();
    await page.locator(".trouble").waitFor({ state: "detached" });
    // Its style came with it.
    const sheets = await page.evaluate<string[]>("[...document.styleSheets].map(({ href }) => href ?? '')");
    expect(sheets.some((href) => href.includes(`${basePath}/assets/simulator-page`))).toBe(true);
    await page.close();
  });
});

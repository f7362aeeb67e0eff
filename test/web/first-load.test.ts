import { expect, it } from "vitest";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { failAlike, useOfficeInBrowser } from "./office-in-browser.ts";

const viewer = ["viewer"];
/** What code loads later is found under a path, too. */
const basePath = "/dlo";
const late = { failure: "TimeoutError", message: "POST /late", category: "transient", n: 1 } as const;

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

  it("has a browser ask for who is here and for the inbox with the page, once, before there is any code", async () => {
    const { server, pageOf } = office();
    await failAlike(server, { ...late, queue: "early-orders" });
    const { page, complaints } = await pageOf("eve", viewer, "/queues");
    const { origin } = new URL(page.url());
    // A page that is still loading would ask on, and its requests would count as those of the next one.
    await page.goto("about:blank");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const listens = page.waitForRequest(`**${basePath}/api/v1/stream*`);
    await page.goto(`${origin}${basePath}/`);
    await page.locator("a[data-row]").first().waitFor();
    await listens;
    const first = (path: string) => asked.indexOf(`${basePath}${path}`);
    const code = asked.findIndex((path) => path.endsWith(".js"));
    const shown = asked.slice(0, asked.indexOf(`${basePath}/api/v1/stream`));
    for (const path of ["/auth/session", "/api/v1/inbox"]) {
      expect(first(path), path).toBeGreaterThan(0);
      expect(first(path), path).toBeLessThan(code);
      expect(
        shown.filter((each) => each === `${basePath}${path}`),
        path,
      ).toHaveLength(1);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("loads the code of the other pages behind the inbox, so that they open although the office is gone", async () => {
    const { page } = await office().pageOf("eve", viewer, "/");
    const loaded = "performance.getEntriesByType('resource').map(({ name }) => name).join()";
    await expect
      .poll(() => page.evaluate<string>(loaded), { timeout: 30_000 })
      .toMatch(/other-page[^,]*\.js.*other-page[^,]*\.css/);
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

  it("shows what came while it was being opened, in whichever order its parts came", async () => {
    const { server, pageOf } = office();
    const { page } = await pageOf("eve", viewer, "/queues");
    const inbox = await server.fromPage(await server.signedIn("eve", viewer), `${basePath}/api/v1/inbox`);
    const { open, openGroups } = inbox.json<{ open: number; openGroups: number }>();
    // The inbox is asked for and answered; a letter comes before anybody listens for more.
    const inboxAnswered = page.waitForResponse((each) => new URL(each.url()).pathname === `${basePath}/api/v1/inbox`);
    await page.route("**/auth/session", async (route) => {
      await (await inboxAnswered).finished();
      await failAlike(server, { ...late, queue: "late-orders" });
      await route.continue();
    });
    await page.goto(`${new URL(page.url()).origin}${basePath}/`);
    await page.getByText(`${open + 1} open letters in ${openGroups + 1} groups`).waitFor();
    await page.close();
  });

  it("stays with what is looked at when an answer to something else comes late", async () => {
    const { page } = await office().pageOf("eve", viewer, "/queues");
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route("**/api/v1/inbox*withSnoozed=true*", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${new URL(page.url()).origin}${basePath}/?snoozed=too`);
    await page.getByRole("link", { name: "Inbox", exact: true }).click();
    const shown = page.locator("a[data-row]").first();
    await shown.waitFor();
    const late = page.waitForResponse((each) => each.url().includes("withSnoozed=true"));
    letGo();
    await (await late).finished();
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))");
    expect(await page.getByText("Loading…").count()).toBe(0);
    await shown.waitFor();
    await page.close();
  });

  it("opens a page whose code could not be had at first", async () => {
    const { page } = await office().pageOf("eve", viewer, "/");
    await page.addInitScript("addEventListener('vite:preloadError', () => { globalThis.isRefused = true; })");
    await page.route("**/assets/other-page*.js", (route) => route.abort());
    await page.reload();
    await expect.poll(() => page.evaluate<boolean>("globalThis.isRefused === true"), { timeout: 30_000 }).toBe(true);
    await page.unroute("**/assets/other-page*.js");
    await page.getByRole("link", { name: "Queues", exact: true }).click();
    await page.getByRole("heading", { name: "Queues", exact: true }).waitFor();
    await page.locator(".trouble").waitFor({ state: "detached" });
    await page.close();
  });
});

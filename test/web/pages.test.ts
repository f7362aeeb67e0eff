import { readFileSync } from "node:fs";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { password, type TestServer, useLedger } from "../http/open-server.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { noChromium, startChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { freePort } from "../servers/server-process.ts";
import { builtWeb } from "./build-web.ts";
import { axeFindings, complaintsOf, expectToBeSound } from "./office-in-browser.ts";

const minuteMs = 60_000;
const card = "4111 1111 1111 1111";
const hostile = `<img src=x onerror="document.documentElement.className='owned'"><script>document.documentElement.className='owned'</script>`;

async function fill({ ledger }: TestServer): Promise<void> {
  const letters = [
    ["orders", "TimeoutError", "POST /charge timed out after 30 s", "transient", 12],
    ["invoices", "TypeError", hostile, "poison", 3],
  ].flatMap(([queue, failure, message, category, count]) =>
    Array.from({ length: Number(count) }, (_, n) => ({
      letter: deadLetter({
        body: `{"n":${n},"text":${JSON.stringify(hostile)},"order":{"id":9007199254740993,"card":"${card}"}}`,
        headers: {
          ...{ queue: String(queue), class: String(failure), message: String(message), category: String(category) },
          ...(queue === "invoices" ? { "expires-at": new Date(Date.now() - 3.5 * 3_600_000).toISOString() } : {}),
        },
      }),
      found: { kind: "position", position: `${queue}-${n}` } as const,
    })),
  );
  await hold(ledger, letters);
}

describeServer("the web UI", noChromium, () => {
  const ledger = useLedger();
  let browser: Browser;
  let context: BrowserContext;
  let server: TestServer;
  let url: string;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    server = await ledger.open({ port, web: await builtWeb() });
    close = await server.listen();
    browser = await startChromium();
    context = await browser.newContext();
    context.setDefaultTimeout(2 * minuteMs);
  }, 5 * minuteMs);
  afterAll(async () => {
    await browser?.close();
    await close?.();
  });

  it("lets the first admin in by the link of the first run, and shows where to begin", async () => {
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${url}/setup#${await server.reception.firstRun()}`);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByText("choose any name: you become its first admin").waitFor();
    await page.getByLabel("Name").fill("ana");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Choose this password" }).click();
    await page.getByRole("heading", { name: "No letters yet" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("asks to sign in, keeps what was typed, and then shows the page that was asked for", async () => {
    const stranger = await browser.newContext();
    stranger.setDefaultTimeout(2 * minuteMs);
    const page = await stranger.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${url}/status`);
    await page.getByLabel("Name").fill("ana");
    await page.getByLabel("Password").fill("wrong wrong wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Name and password do not go together").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("ana");
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Status" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(complaints).toEqual([]);
    await stranger.close();
  });

  it("leads from the inbox to a letter by keyboard alone", async () => {
    await fill(server);
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(url);
    await page.getByText("15 open letters in 2 groups.").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /TimeoutError/ }).waitFor();
    await page.getByText("12 of 12 that came").waitFor();
    await page.locator("a[data-row]").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Body" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("searches letters, with the search in the address, and says where it is wrong", async () => {
    const page = await context.newPage();
    await page.goto(`${url}/letters`);
    // Before its letters are there, nobody listens to keys.
    await page.locator("a[data-row]").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("queue:invoices");
    await page.keyboard.press("Enter");
    await page.getByText("3 match.").waitFor();
    expect(await page.getByText("expired 3 h ago").count()).toBe(3);
    expect(new URL(page.url()).search).toBe("?q=queue%3Ainvoices");
    await page.getByLabel("Search", { exact: true }).fill("catgory:poison");
    await page.keyboard.press("Enter");
    await page.getByText("Did you mean category: ?").waitFor();
    await page.close();
  });

  it("shows what a letter holds as text, whatever it is", async () => {
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${url}/letters?q=queue:invoices`);
    await page.locator("a[data-row]").first().click();
    await page.getByRole("heading", { name: "Body" }).waitFor();
    expect(await page.locator("pre").first().textContent()).toContain("onerror=");
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.locator("html.owned").count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("shows a body as a tree with every digit, unmasks it for a reason, and gives it as a file", async () => {
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${url}/letters?q=queue:orders`);
    await page.locator("a[data-row]").first().click();
    await page.getByRole("radio", { name: "tree" }).check();
    await page.getByText("9007199254740993").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.locator("main").textContent()).not.toContain(card);
    await page.getByRole("button", { name: "Reveal what is masked" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Why/).fill("the bank asks for it");
    await dialog.getByRole("button", { name: "Reveal what is masked" }).click();
    await page.getByText(card).first().waitFor();
    await page.getByRole("button", { name: "Mask it again" }).click();
    await page.getByText(card).first().waitFor({ state: "detached" });
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download, masked" }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^ltr_\w+\.json$/);
    expect(readFileSync(await file.path(), "utf8")).toMatch(/"id":9007199254740993,"card":"[^1]*"/);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("proves the audit log, and names who did what", async () => {
    const page = await context.newPage();
    await page.goto(`${url}/audit`);
    await page.getByRole("cell", { name: "became the first admin" }).waitFor();
    await page.getByRole("button", { name: "Verify the chain" }).click();
    await page.getByText(/Entries 1 to \d+ are whole/).waitFor();
    await page.close();
  });

  it.each(["/", "/letters", "/letters?q=queue:nothing", "/audit", "/status", "group", "letter"])(
    "is sound in both themes, on a phone, on a screen and at 400 %%: %s",
    async (path) => {
      const page = await context.newPage();
      const complaints = complaintsOf(page);
      await page.goto(path.startsWith("/") ? `${url}${path}` : `${url}${path === "group" ? "/" : "/letters"}`);
      await page.getByText("As of").waitFor();
      if (!path.startsWith("/")) {
        await page.locator("a[data-row]").first().click();
        await page.getByRole("heading", { name: path === "group" ? "Affected" : "Body" }).waitFor();
        await page.getByText("As of").waitFor();
      }
      await expectToBeSound({ page, complaints }, path.replaceAll(/\W+/g, "-"));
      await page.close();
    },
  );
});

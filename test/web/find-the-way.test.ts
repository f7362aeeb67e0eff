import { beforeAll, expect, it } from "vitest";
import type { TestServer } from "../http/open-server.ts";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { axeFindings, expectToBeSound, failAlike, pressUntilItSays, useOfficeInBrowser } from "./office-in-browser.ts";

const viewer = ["viewer"];
/** Everything must work there as at the root: addresses, answers, files. */
const basePath = "/dlo";

async function failInTwoQueues(server: TestServer): Promise<void> {
  const alike = { failure: "TimeoutError", message: "POST /charge", category: "transient", n: 7 } as const;
  await failAlike(server, { ...alike, queue: "orders" });
  await failAlike(server, { ...alike, queue: "mails to customers", category: "poison", n: 4 });
}

/** Run by the page: what each column of the failures comes to. */
const failuresInAll = `[1, 2].map((column) =>
  [...document.querySelectorAll(".failures tbody tr")].reduce((sum, row) => sum + Number(row.children[column].textContent), 0))`;

describeServer("finding one's way", noChromium, () => {
  const office = useOfficeInBrowser({ basePath, environment: { name: "production", colour: null } });

  beforeAll(() => failInTwoQueues(office().server));

  it("says on the inbox whether it still happens, and each figure leads to exactly so many letters", async () => {
    const { page, complaints } = await office().pageOf("eve", viewer, "/");
    await page.locator(".vitals").getByText("none open").waitFor();
    await page.locator(".vitals").getByRole("link", { name: "11", exact: true }).first().click();
    await page.getByText("11 match.").waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("state:open,returned");
    const vital = (name: string) => page.locator(".vitals div").filter({ hasText: name }).getByRole("link");
    await page.goBack();
    await vital("Oldest").click();
    await page.waitForURL(/sort=-age/);
    await page.goBack();
    const [thisHour] = (await vital("This hour").textContent())?.split(" ") ?? [];
    await vital("This hour").click();
    await page.getByText(`${thisHour} match.`, { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toMatch(/^failed:>=/);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("draws what failed in a day by category, and what was deployed meanwhile, with the figures in a table", async () => {
    const { server, pageOf } = office();
    const cookie = await server.signedIn("who-deploys", ["operator"]);
    const deploy = { service: "orders", version: "2.15.0", queues: ["orders"] };
    expect((await server.fromPage(cookie, `${basePath}/api/v1/deploys`, deploy)).statusCode).toBe(200);
    const { page, complaints } = await pageOf("eve", viewer, "/");
    const failures = page.locator("figure.failures");
    await failures.getByRole("img", { name: /at most \d+ in one of 24/ }).waitFor();
    await failures.getByText("Deployed: orders 2.15.0 at").waitFor();
    await failures.getByText("As a table").click();
    const columns = await failures.getByRole("columnheader").allTextContents();
    expect(columns).toEqual(["hour, UTC", "transient", "poison"]);
    expect(await failures.locator("tbody tr").count()).toBe(24);
    expect(await page.evaluate<readonly number[]>(failuresInAll)).toEqual([7, 4]);
    expect(await page.evaluate<number>("document.querySelector('.deployed').getTotalLength()")).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("says nothing of breakers where nobody tells it of them", async () => {
    const { page } = await office().pageOf("eve", viewer, "/letters");
    await page.route("**/api/v1/breakers*", (route) => route.abort());
    await page.getByRole("link", { name: "Inbox", exact: true }).click();
    await page.locator(".vitals").getByText("Came back").waitFor();
    expect(await page.locator(".vitals dt").allTextContents()).toEqual(["Open", "Oldest", "This hour", "Came back"]);
    await page.close();
  });

  it("does not divide what was judged letter by letter, and looks again only when it is told to", async () => {
    const { server, pageOf } = office();
    const { page } = await pageOf("eve", viewer, "/letters?q=queue:orders%20-replay:never");
    await page.getByText("7 match.", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Live" }).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    // Something happens, of which every other part of the page wants to know more.
    const { database, at } = server.ledger;
    const entry = Buffer.from(JSON.stringify({ at: new Date().toISOString(), action: "letters.held", first: "ltr_1" }));
    const answer = (path: string) => page.waitForResponse((each) => new URL(each.url()).pathname.endsWith(path));
    await Promise.all([answer("/v1/status"), database.query(`select ${at}.append_audit($1)`, [entry])]);
    const ofLetters = () => asked.filter((path) => path.includes("/v1/letters"));
    expect(ofLetters()).toEqual([]);
    await Promise.all([answer("/v1/letters"), page.getByRole("button", { name: "Look again" }).click()]);
    expect(ofLetters()).toEqual([`${basePath}/api/v1/letters`]);
    expect(await page.locator(".facets").count()).toBe(0);
    await page.close();
  });

  it("divides what a search finds, and each part leads to exactly as many as it says", async () => {
    const { page } = await office().pageOf("eve", viewer, "/letters?q=state:open");
    const facets = page.locator(".facets a");
    await facets.first().waitFor();
    const parts = await facets.allTextContents();
    expect(parts.toSorted()).toEqual(["mails to customers 4", "orders 7", "poison 4", "transient 7"]);
    for (const part of parts) {
      await page.getByRole("link", { name: part, exact: true }).click();
      await page.getByText(`${part.split(" ").at(-1)} match.`, { exact: true }).waitFor();
      // A term is taken away again by one press.
      await page.locator(".terms a").last().click();
      await page.getByText("11 match.", { exact: true }).waitFor();
    }
    await page.close();
  });

  it("keeps a search with its order and columns by a name, says when it was changed, and finds it again by a link", async () => {
    const { page, complaints } = await office().pageOf("eve", viewer, "/letters?q=queue:orders");
    await page.locator(".list-choices select").selectOption("oldest first");
    await page.getByText("Columns", { exact: true }).click();
    await page.getByLabel("Tenant").check();
    await page.getByRole("columnheader", { name: "Tenant" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Save this search" }).click();
    const dialog = page.getByRole("dialog", { name: "Save this search" });
    await dialog.getByLabel("What it is called").fill("my-orders");
    const shown = "--sort=-age --cols state,error,queue,key,tenant,attempts,age";
    await dialog.getByText(`dlo views save my-orders -q queue:orders ${shown}`).waitFor();
    await dialog.getByRole("button", { name: "Save this search" }).click();
    await page.getByRole("link", { name: "my-orders", exact: true }).click();
    await page.getByLabel("Search", { exact: true }).fill("queue:orders key:order-1001");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: /^my-orders.*changed$/ }).waitFor();
    await page.getByRole("link", { name: "Back to my-orders" }).click();
    await page.getByText("7 match.", { exact: true }).waitFor();
    await page.locator(".list-choices select").selectOption("last to arrive first");
    await page.getByRole("link", { name: /^my-orders.*changed$/ }).waitFor();
    await page.getByRole("link", { name: "Needs a decision" }).click();
    await page.getByText("11 match.", { exact: true }).waitFor();
    await page.goto(`${new URL(page.url()).origin}${basePath}/views/my-orders`);
    await page.getByText("7 match.", { exact: true }).waitFor();
    await page.getByRole("columnheader", { name: "Tenant" }).waitFor();
    await page.getByRole("button", { name: "Save for everybody" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Forget my-orders" }).click();
    await page
      .getByRole("dialog", { name: "Forget my-orders" })
      .getByRole("button", { name: "Forget my-orders" })
      .click();
    await page.getByRole("link", { name: "my-orders", exact: true }).waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("calls a tab by what its page is about, and goes on with the keyboard where a page begins", async () => {
    const { page } = await office().pageOf("eve", viewer, "/");
    const title = () => expect.poll(() => page.title(), { timeout: 30_000 });
    const focused = () => page.evaluate<string>("document.activeElement.id || document.activeElement.tagName");
    await page.locator("a[data-row]").first().waitFor();
    await title().toBe("Inbox · production · dlo");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "In common" }).waitFor();
    await title().toBe(`${await page.locator("main h1").textContent()} · production · dlo`);
    expect(await focused()).toBe("page");
    await page.getByRole("link", { name: "Queues", exact: true }).click();
    await title().toBe("Queues · production · dlo");
    // A link that is still there keeps it.
    expect(await focused()).toBe("A");
    await page.close();
  });

  it("says on every page, and before anybody signs in, which office it is, and colours the bar on top by it", async () => {
    const { page, complaints } = await office().pageOf("who-leaves", viewer, "/queues");
    const red = "rgb(180, 35, 24)";
    const bar = () => page.evaluate<string>("getComputedStyle(document.querySelector('.bar')).borderTopColor");
    await page.getByRole("banner").getByText("production", { exact: true }).waitFor();
    await expect.poll(bar, { timeout: 30_000 }).toBe(red);
    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel("Password").waitFor();
    await page.getByRole("main").getByText("production", { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("says of a search that finds nothing what it would find without each of its terms", async () => {
    const watched = await office().pageOf("eve", viewer, "/letters?q=queue:orders%20error:nothing");
    const { page } = watched;
    await page.getByText("Without queue:orders: none.").waitFor();
    await page.getByText("Without error:nothing: 7 letters.").waitFor();
    await expectToBeSound(watched, "nothing-matches");
    await page.getByRole("link", { name: "error:nothing", exact: true }).click();
    await page.getByText("7 match.", { exact: true }).waitFor();
    await page.close();
  });

  it("does not say that it loads what is not there", async () => {
    const { page } = await office().pageOf("eve", viewer, "/letters/ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H");
    await page.getByText("There is no letter ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H.").waitFor();
    expect(await page.getByText("Loading…").count()).toBe(0);
    await page.close();
  });

  it("copies by a key where one is, and by another what to type in a terminal", async () => {
    const { page } = await office().pageOf("eve", viewer, "/letters?q=queue:orders");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByText("7 match.", { exact: true }).waitFor();
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
    await page.keyboard.press("y");
    await page.getByText("Copied the link to this page.").waitFor();
    expect(await copied()).toBe(page.url());
    await page.keyboard.press("Y");
    await page.getByText("Copied: dlo letters -q queue:orders").waitFor();
    expect(await copied()).toBe("dlo letters -q queue:orders");
    await page.close();
  });

  it("shows on a phone which page one is on", async () => {
    const { page } = await office().pageOf("eve", viewer, "/queues");
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [name, path] of [
      ["Audit", "/audit"],
      ["Inbox", "/"],
    ] as const) {
      await page.goto(`${new URL(page.url()).origin}${basePath}${path}`);
      const link = page.locator("nav a[aria-current]", { hasText: name });
      await link.waitFor();
      const { x = -1, width = 0 } = (await link.boundingBox()) ?? {};
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(360);
    }
    await page.close();
  });

  it("leads by Ctrl K to any page, to any id, and to what the page at hand offers", async () => {
    const { page, complaints } = await office().pageOf("eve", viewer, "/letters?q=queue:orders");
    await page.locator("a[data-row]").first().waitFor();
    const href = await page.locator("a[data-row]").first().getAttribute("href");
    const letter = href?.split("/").at(-1) ?? "";
    const box = page.getByRole("combobox", { name: "A page, an id, or a search" });
    await page.keyboard.press("Control+k");
    await box.and(page.locator(":focus")).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.type("queu");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Queues", exact: true }).waitFor();
    await page.keyboard.press("Control+k");
    await box.fill(letter);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Body" }).waitFor();
    await page.keyboard.press("Control+k");
    await box.fill("edit it");
    await page.getByRole("option", { name: "Edit it first on this page" }).click();
    await page.getByRole("heading", { name: "What changes" }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("opens anything by its id alone, as terminals and chats link to it", async () => {
    const { server, pageOf } = office();
    const found = await server.fromPage(await server.signedIn("eve", viewer), `${basePath}/api/v1/groups`);
    const [group] = found.json<{ items: { id: string }[] }>().items;
    const { page } = await pageOf("eve", viewer, `/go/${group?.id}`);
    await page.getByRole("heading", { name: "Affected" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`${basePath}/groups/${group?.id}`);
    await page.close();
  });

  it("copies what dlo report says, and where to look, also where a page is given no clipboard", async () => {
    const { server, pageOf } = office();
    const { page } = await pageOf("eve", viewer, "/");
    // As over plain HTTP from another machine.
    await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
    await pressUntilItSays(page.getByRole("button", { name: "Copy summary of 8 hours" }), "· copied");
    await page.getByRole("link", { name: "Letters", exact: true }).click();
    await page.getByLabel("Search", { exact: true }).focus();
    await page.keyboard.press("Control+v");
    const copied = await page.getByLabel("Search", { exact: true }).inputValue();
    const report = await server.fromPage(await server.signedIn("eve", viewer), `${basePath}/api/v1/report`);
    const [, ...lines] = report.json<{ text: string }>().text.split("\n");
    // The first line has the minute; a field of one line has no line ends.
    for (const line of lines) expect(copied).toContain(line);
    expect(copied).toContain("7 open of 7 in rabbit/orders, transient, 7 failed; next: plan a replay");
    await page.close();
  });

  it("says what is chosen also in the colours that somebody forces, where no background of ours is seen", async () => {
    const { page } = await office().pageOf("eve", viewer, "/replays");
    await page.emulateMedia({ forcedColors: "active" });
    const looks = async (selector: string, property: string) =>
      new Set(
        await page.evaluate<string[]>(
          `[...document.querySelectorAll("${selector}")].map((one) => getComputedStyle(one).${property})`,
        ),
      );
    await page.locator(".tabs a").first().waitFor();
    expect((await looks(".tabs a", "borderBlockEndColor")).size).toBe(2);
    await page.keyboard.press("Control+k");
    await page.getByRole("option").first().waitFor();
    expect((await looks(".choices > div", "backgroundColor")).size).toBe(2);
    await page.close();
  });

  it.each(["/", "/letters?q=state:open"])("is sound in both themes, on a phone and on a screen: %s", async (path) => {
    const watched = await office().pageOf("eve", viewer, path);
    await watched.page.locator("a[data-row]").first().waitFor();
    await watched.page.locator(".vitals dd, .facets a").first().waitFor();
    await expectToBeSound(watched, `way${path.replaceAll(/\W+/g, "-")}`);
    await watched.page.close();
  });
});

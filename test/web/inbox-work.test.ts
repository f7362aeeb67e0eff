import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { TestServer } from "../http/open-server.ts";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { axeFindings, expectToBeSound, failAlike, useOfficeInBrowser } from "./office-in-browser.ts";

const alike = { failure: "TimeoutError", message: "POST /charge", category: "transient" } as const;

/** Groups of 30, 29, 28 … letters, in this order in the inbox. */
async function failInQueues(server: TestServer, ...queues: readonly string[]): Promise<void> {
  for (const [at, queue] of queues.entries()) await failAlike(server, { ...alike, queue, n: 30 - at });
}

const rowOf = (page: Page, queue: string) => page.locator("tr[data-id]", { hasText: queue });

/** The queue of the row that has the focus; null where none has. */
function queueAtHand(page: Page): Promise<string | null> {
  return page.evaluate<string | null>(
    "document.activeElement.closest('tr[data-id]')?.querySelector('td:nth-child(3)').textContent ?? null",
  );
}

/** Walks to the row of a queue by `j` alone. */
async function walkTo(page: Page, queue: string): Promise<void> {
  await rowOf(page, queue).waitFor();
  for (let presses = 0; presses < 20; presses++) {
    if ((await queueAtHand(page)) === queue) return;
    await page.keyboard.press("j");
  }
  throw new Error(`No row of ${queue} was walked to.`);
}

describeServer("working in the inbox", noChromium, () => {
  const office = useOfficeInBrowser();

  beforeAll(() => failInQueues(office().server, "coils", "pumps"));

  it("divides its groups by what they ask of people, each tab with exactly as many as it says, kept in the address", async () => {
    const { server, pageOf } = office();
    await failAlike(server, { ...alike, category: "poison", failure: "RangeError", queue: "gears", n: 2 });
    const watched = await pageOf("otto", ["operator"], "/");
    const { page } = watched;
    const tabs = page.getByRole("navigation", { name: "Which groups" });
    await rowOf(page, "gears").waitFor();
    const figures = (await tabs.getByRole("link").allTextContents()).map((text) => Number(/\d+$/.exec(text)?.[0]));
    const [all = 0, ...parts] = figures;
    expect(parts.reduce((sum, n) => sum + n, 0)).toBe(all);
    for (const [at, n] of figures.entries()) {
      await tabs.getByRole("link").nth(at).click();
      await expect.poll(() => page.locator("tr[data-id]").count()).toBe(n);
    }
    await page.goto(new URL("/?lane=acknowledged", page.url()).href);
    await page.getByText("Nobody has acknowledged a group.").waitFor();
    await page.getByText("dlo inbox --lane acknowledged").waitFor();
    await expectToBeSound(watched, "inbox-lane");
    await page.close();
  });

  it("acknowledges, snoozes and assigns the row that has the focus by one key, where it stands, and takes it back", async () => {
    const { page, complaints } = await office().pageOf("otto", ["operator"], "/");
    const said = page.locator(".said");
    const pumps = rowOf(page, "pumps");
    await rowOf(page, "coils").waitFor();
    await page.keyboard.press("e");
    await said.getByText("No row is chosen").waitFor();
    await walkTo(page, "pumps");
    await page.keyboard.press("e");
    await said.getByText("Acknowledged until it gets worse: TimeoutError").waitFor();
    await said.getByText(/^dlo groups ack grp_\w+$/).waitFor();
    await pumps.getByText("acknowledged").waitFor();
    expect(await queueAtHand(page)).toBe("pumps");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("Shift+Z");
    await said.getByText("Taken back").waitFor();
    await pumps.getByText("acknowledged").waitFor({ state: "detached" });

    await page.keyboard.press("a");
    await page.getByRole("dialog", { name: /^Assign: / }).waitFor();
    await page.keyboard.press("Enter");
    await pumps.getByText("otto has it").waitFor();
    await said.getByText(/^dlo groups assign grp_\w+ --to otto$/).waitFor();
    await said.getByRole("button", { name: "Undo" }).click();
    await pumps.getByText("otto has it").waitFor({ state: "detached" });
    expect(await queueAtHand(page)).toBe("pumps");

    await page.keyboard.press("h");
    await page.getByRole("button", { name: "for an hour" }).and(page.locator(":focus")).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await said.getByText(/^dlo groups snooze grp_\w+ --for 1h --until-worse$/).waitFor();
    await page.getByRole("button", { name: /^1 gone/ }).waitFor();
    // It stays where it was, for whoever looks at it.
    expect(await queueAtHand(page)).toBe("pumps");
    await page.keyboard.press("Shift+Z");
    await page.getByRole("button", { name: /^1 gone/ }).waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("puts a group back to how it stood before, not only to asking for attention", async () => {
    await failInQueues(office().server, "valves");
    const { page } = await office().pageOf("otto", ["operator"], "/");
    await walkTo(page, "valves");
    await page.keyboard.press("h");
    await page.getByRole("button", { name: "for a week" }).click();
    await page.getByRole("link", { name: "Show 1 snoozed" }).click();
    await walkTo(page, "valves");
    await page.keyboard.press("e");
    await rowOf(page, "valves").getByText("acknowledged").waitFor();
    await page.keyboard.press("Shift+Z");
    await rowOf(page, "valves").getByText("snoozed").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(/^Nobody has it. Snoozed by otto/).waitFor();
    const group = await page.request.get(page.url().replace("/groups/", "/api/v1/groups/"));
    const { until } = ((await group.json()) as { attention: { until: string } }).attention;
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    await page.close();
  });

  it("has all of it in a menu of each row, which says the keys, and opens at a thumb on a phone", async () => {
    const watched = await office().pageOf("otto", ["operator"], "/");
    const { page } = watched;
    await rowOf(page, "coils")
      .getByRole("button", { name: /^What to do with/ })
      .click();
    const menu = page.getByRole("menu");
    await menu.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const choices = await menu.getByRole("menuitem").allTextContents();
    expect(choices.map((choice) => choice.trim().split(" ").at(-1))).toEqual([
      ...["Enter", "Space", "e", "h", "a", "n", "c", "r", "d"],
    ]);
    await page.keyboard.press("n");
    await page.getByLabel(/What to remember/).fill("vendor ticket 4711");
    await page.getByRole("dialog").getByRole("button", { name: "Add a note" }).click();
    await rowOf(page, "coils").getByText("1 note").waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await rowOf(page, "coils")
      .getByRole("button", { name: /^What to do with/ })
      .click();
    await menu.waitFor();
    const { y = 0, height = 0, width = 0 } = (await page.getByRole("dialog").boundingBox()) ?? {};
    expect([Math.round(y + height), Math.round(width)]).toEqual([740, 360]);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await expectToBeSound(watched, "inbox-work");
    await page.close();
  });

  it("leads from a row to its plan and to its letters, and says what it classified and whom it does not let", async () => {
    const { server, pageOf } = office();
    await failAlike(server, { ...alike, queue: "motors", category: "unknown", n: 5 });
    const { page } = await pageOf("otto", ["operator"], "/");
    await walkTo(page, "motors");
    await page.keyboard.press("c");
    await page.getByLabel("They are").selectOption("transient");
    await page.getByRole("dialog").getByLabel(/^Why/).fill("the proxy was restarted");
    await page.getByRole("dialog").getByRole("button", { name: "Classify 5 letters" }).click();
    await page.locator(".said").getByText("Classified 5 letters as transient").waitFor();
    await rowOf(page, "motors").getByText("plan a replay").waitFor();
    await page.keyboard.press("r");
    await page.getByRole("heading", { name: "Plan a replay" }).waitFor();
    expect(new URL(page.url()).searchParams.get("group")).toMatch(/^grp_/);
    await page.goBack();
    await walkTo(page, "motors");
    await page.keyboard.press("d");
    await page.getByText("5 match.", { exact: true }).waitFor();
    // The second key of two is not the page's.
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await walkTo(page, "motors");
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Approvals" }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.close();

    const viewer = await pageOf("vera", ["viewer"], "/");
    await walkTo(viewer.page, "motors");
    await viewer.page.keyboard.press("e");
    await viewer.page.locator(".said").getByText("groups.acknowledge needs a role that vera").waitFor();
    await viewer.page.close();
  });

  it("looks at groups beside the inbox by Space, goes on with j and k, and gives the focus back", async () => {
    const { page, complaints } = await office().pageOf("otto", ["operator"], "/");
    const drawer = page.getByRole("dialog", { name: /TimeoutError/ });
    await walkTo(page, "coils");
    const coils = await rowOf(page, "coils").getAttribute("data-id");
    await page.keyboard.press("Space");
    await drawer.getByRole("heading", { name: "In common" }).waitFor();
    await drawer.and(page.locator(":focus")).waitFor();
    expect(new URL(page.url()).searchParams.get("peek")).toBe(coils);
    expect(await drawer.textContent()).toMatch(
      /rabbit\/coils.*30 open of 30 letters.*Next: plan a replay.*Newest letters/s,
    );
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("j");
    await drawer.getByText("rabbit/pumps").waitFor();
    expect(await page.locator("tr[aria-current]").textContent()).toContain("pumps");
    // Keys act on the row that is looked at.
    await page.keyboard.press("e");
    await drawer.getByText(/Acknowledged by otto/).waitFor();
    await page.keyboard.press("Shift+Z");
    await drawer.getByText(/Acknowledged by otto/).waitFor({ state: "detached" });
    await page.reload();
    await drawer.getByText("rabbit/pumps").waitFor();
    await rowOf(page, "pumps").waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    expect(await queueAtHand(page)).toBe("pumps");
    expect(new URL(page.url()).search).toBe("");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("looks at letters beside their list, over all of it on a phone, from where nothing behind it is reached", async () => {
    const watched = await office().pageOf("otto", ["operator"], "/letters?q=queue:coils");
    const { page } = watched;
    await page.locator("a[data-row]").nth(1).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await page
      .getByRole("button", { name: /^Look beside the list at/ })
      .nth(1)
      .click();
    const drawer = page.getByRole("dialog", { name: "TimeoutError: POST /charge" });
    await drawer.getByRole("heading", { name: "Headers" }).waitFor();
    expect(await drawer.textContent()).toContain("onerror=");
    expect((await drawer.boundingBox())?.width).toBe(360);
    for (let presses = 0; presses < 40; presses++) await page.keyboard.press("Tab");
    expect(await page.evaluate<boolean>("document.activeElement.closest('main, .rail, .bar') === null")).toBe(true);
    await expectToBeSound(watched, "peek-at-letter");
    await page.setViewportSize({ width: 360, height: 740 });
    const before = page.url();
    await drawer.getByRole("button", { name: "Next row" }).click();
    await page.waitForURL((url) => url.href !== before);
    // Back is the way out, from whichever row.
    await page.goBack();
    await drawer.waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?q=queue:coils");
    const at = "[...document.querySelectorAll('a[data-row]')].indexOf(document.activeElement)";
    await expect.poll(() => page.evaluate<number>(at), { timeout: 30_000 }).toBe(2);
    await page.close();
  });

  it("selects on from the letter selected last, by Shift or by keys, and keeps it over pages and another order", async () => {
    const { server, pageOf } = office();
    await failAlike(server, { ...alike, queue: "fans", n: 60 });
    const { page, complaints } = await pageOf("otto", ["operator"], "/letters?q=queue:fans");
    const picks = page.locator("[data-pick]");
    const bar = page.getByRole("region", { name: "Selection" }).getByRole("status");
    const isSaid = (sentence: string) => expect.poll(() => bar.textContent(), { timeout: 30_000 }).toBe(sentence);
    await page.getByText("60 match.", { exact: true }).waitFor();
    await picks.nth(2).click();
    await picks.nth(6).click({ modifiers: ["Shift"] });
    await isSaid("5 selected");
    await page.keyboard.press("Escape");
    await page.locator("a[data-row]").first().focus();
    await page.keyboard.press("Shift+J");
    await page.keyboard.press("Shift+J");
    await isSaid("3 selected");
    await page.locator(".list-choices select").selectOption("oldest first");
    await page.getByRole("link", { name: "Newer" }).click();
    await expect.poll(() => picks.count(), { timeout: 30_000 }).toBe(10);
    await isSaid("3 selected");
    await page.getByRole("link", { name: "Oldest", exact: true }).click();
    await expect.poll(() => picks.count(), { timeout: 30_000 }).toBe(50);
    await page.locator("a[data-row]").first().focus();
    await page.keyboard.press("*");
    await page.keyboard.press("n");
    await bar.waitFor({ state: "detached" });
    await page.keyboard.press("*");
    await page.keyboard.press("a");
    await isSaid("50 selected (this page)");
    await page.keyboard.press("*");
    await page.keyboard.press("m");
    await isSaid("All 60 matching selected, frozen when you plan");
    expect(complaints).toEqual([]);
    await page.close();
  });
});

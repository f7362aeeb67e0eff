import { beforeAll, expect, it } from "vitest";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { axeFindings, failAlike, useOfficeInBrowser } from "./office-in-browser.ts";

const viewer = ["viewer"];
const basePath = "/dlo";

describeServer("the bar of every page", noChromium, () => {
  const office = useOfficeInBrowser({ basePath, environment: { name: "production", colour: null } });

  beforeAll(() =>
    failAlike(office().server, {
      failure: "TimeoutError",
      message: "POST /charge",
      category: "transient",
      queue: "orders",
      n: 7,
    }),
  );

  it("searches from the bar of every page, leads to what an id names, and leaves the keys to the list", async () => {
    const { page, complaints } = await office().pageOf("eve", viewer, "/queues");
    await page.getByRole("heading", { name: "Queues", exact: true }).waitFor();
    await page.getByRole("button", { name: "Live" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("queue:or");
    expect(await page.locator(".find option").count()).toBe(0);
    await page.keyboard.type("ders stat");
    expect(await page.locator(".find option").first().getAttribute("value")).toBe("queue:orders state:");
    await page.keyboard.type("e:open");
    await page.keyboard.press("Enter");
    await page.getByText("7 match.", { exact: true }).waitFor();
    expect(await page.getByLabel("Search", { exact: true }).inputValue()).toBe("queue:orders state:open");
    await page.keyboard.press("j");
    const href = await page.evaluate<string>("document.activeElement.getAttribute('href')");
    await page.keyboard.press("/");
    await page.keyboard.type(href.split("/").at(-1) ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Body" }).waitFor();
    expect(await page.getByLabel("Search", { exact: true }).inputValue()).toBe("");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("has its bar in one row on a phone, with room for what is typed, and the rest of it behind a button", async () => {
    const { page } = await office().pageOf("eve", viewer, "/");
    await page.locator("a[data-row]").first().waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    const heightOf = async () => Math.round((await page.getByRole("banner").boundingBox())?.height ?? 0);
    expect(await heightOf()).toBeLessThanOrEqual(44);
    for (const name of ["Live", "Stop all sending"]) await page.getByRole("button", { name }).waitFor();
    await page.keyboard.press("/");
    expect((await page.getByLabel("Search", { exact: true }).boundingBox())?.width).toBeGreaterThan(300);
    expect(await heightOf()).toBeLessThanOrEqual(44);
    await page.keyboard.press("Escape");
    expect(await page.getByRole("button", { name: "Sign out" }).count()).toBe(0);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.close();
  });

  it("freezes in the link it copies what counts from now, and says so", async () => {
    const { page } = await office().pageOf("eve", viewer, "/letters?q=queue:orders%20age:%3E1m");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByText("7 match.", { exact: true }).waitFor();
    await page.keyboard.press("y");
    await page.getByText("Copied the link to this page, with moments for what counts from now.").waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(new URL(copied).searchParams.get("q")).toMatch(/^queue:orders failed:<\d{4}-\d\d-\d\dT[\d:]{8}Z$/);
    await page.goto(copied);
    await page.getByText("7 match.", { exact: true }).waitFor();
    await page.close();
  });

  it("shows times in the browser's zone, in UTC by a key, and in any zone that is chosen, which is remembered", async () => {
    const { page, complaints } = await office().pageOf("who-is-in-india", viewer, "/", "Asia/Kolkata");
    const zone = page.getByRole("banner").getByRole("button", { name: /^Times: / });
    const axis = () => page.locator("figure.failures").getByRole("columnheader").first();
    await page.locator("figure.failures").getByText("As a table").click();
    expect(await zone.textContent()).toMatch(/^Times: Asia\/(Kolkata|Calcutta)$/);
    await page.getByText(/^As of \d\d:\d\d:\d\d UTC\+5:30$/).waitFor();
    // The office counts by whole hours of UTC.
    expect(await axis().textContent()).toMatch(/^hour, Asia/);
    expect(await page.locator(".failures tbody th").first().textContent()).toMatch(/^\d\d-\d\d \d\d:30$/);
    await page.keyboard.press("z");
    await page.getByText("Times are in UTC now.").waitFor();
    await page.getByText(/^As of \d\d:\d\d:\d\d UTC$/).waitFor();
    expect(await axis().textContent()).toBe("hour, UTC");
    expect(await page.locator(".failures tbody th").first().textContent()).toMatch(/ \d\d:00$/);
    await zone.click();
    await page.getByText(/^As of \d\d:\d\d:\d\d UTC\+5:30$/).waitFor();

    await page.goto(`${new URL(page.url()).origin}${basePath}/settings/appearance`);
    const field = page.getByLabel(/^Zone; empty for this browser's/);
    await field.fill("Europe/Nowhere");
    await page.keyboard.press("Enter");
    await page.getByText('There is no zone "Europe/Nowhere".').waitFor();
    await field.fill("asia/kathmandu");
    await page.keyboard.press("Enter");
    await page.getByText(/^Times are in Asia\/\w+, where it is [\d-]+ [\d:]+ UTC\+5:45\.$/).waitFor();
    await page.getByLabel("Lists say the moment itself").check();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "Inbox", exact: true }).click();
    await page
      .locator("tbody time", { hasText: /^\d\d:\d\d UTC\+5:45$/ })
      .first()
      .waitFor();
    expect(await page.locator("tbody time").first().getAttribute("datetime")).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    await page.reload();
    await page.getByRole("button", { name: /^Times: Asia\/Kat(h|)mandu$/ }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("takes times that are typed without a zone for those it shows, and searches for moments", async () => {
    const { page } = await office().pageOf("who-is-in-tokyo", viewer, "/letters", "Asia/Tokyo");
    const q = () => new URL(page.url()).searchParams.get("q");
    await page.getByLabel("Search", { exact: true }).fill("queue:orders arrived:>=2025-11-15T14:00");
    await page.keyboard.press("Enter");
    await page.getByText("7 match.", { exact: true }).waitFor();
    expect(q()).toBe("queue:orders arrived:>=2025-11-15T05:00Z");
    expect(await page.getByLabel("Search", { exact: true }).inputValue()).toBe(q());
    await page.getByText("dlo letters -q 'queue:orders arrived:>=2025-11-15T05:00Z'").waitFor();
    await page.getByRole("heading", { name: "Letters" }).click();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("arrived:2025-11-15");
    await page.keyboard.press("Enter");
    await page.getByText("0 match.", { exact: true }).waitFor();
    expect(q()).toBe("arrived:2025-11-14T15:00Z..2025-11-15T15:00Z");
    await page.close();
  });

  it.each([
    ["an hour ahead", 3_600_000],
    ["an hour behind", -3_600_000],
  ])("goes by the office's clock on a machine whose own is %s", async (_how, offMs) => {
    const { page } = await office().pageOf("eve", viewer, "/status");
    await page.clock.setSystemTime(Date.now() + offMs);
    await page.goto(`${new URL(page.url()).origin}${basePath}/`);
    const told = page.getByText(/^As of \d\d:\d\d:\d\d UTC$/);
    await told.waitFor();
    const [, clock = ""] = /As of (\S+) UTC/.exec((await told.textContent()) ?? "") ?? [];
    const here = Date.parse(await page.evaluate<string>("new Date().toISOString()"));
    expect(Math.abs(here - Date.now() - offMs)).toBeLessThan(600_000);
    const shownAt = Date.parse(`${new Date().toISOString().slice(0, 11)}${clock}Z`);
    expect(Math.abs(Date.now() - shownAt) % 86_400_000).toBeLessThan(300_000);
    // Its letters came an hour ago, and that is what it says.
    expect(await page.locator(".vitals time").textContent()).toMatch(/^1h$/);
    expect(await page.locator(".failures .deployed:not(.introduced)").count()).toBe(1);
    await page.close();
  });
});

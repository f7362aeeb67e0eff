import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { expectToBeSound, useOfficeInBrowser } from "./office-in-browser.ts";

const operator = ["operator"];
/** No double holds this number; what is not touched must keep each digit, space and line end. */
const order = '{"id": 12345678901234567890,\r\n "total": 1.10, "note": "<b>gift</b>"}';
const mended = order.replace("1.10", "129.90");

describeServer("Edit and replay", noChromium, () => {
  const office = useOfficeInBrowser();

  /** A letter that waits for a decision, in a queue of its own; gives its id. */
  async function dead(queue: string, body = order): Promise<string> {
    const { server } = office();
    const headers = { queue, class: "TypeError", message: "total is NaN", "dlo-category": "transient" };
    const found = { kind: "position", position: `${queue}-1` } as const;
    const room = testRoom(() => Date.now() - 3_600_000);
    await hold(server.ledger, [{ letter: deadLetter({ body, headers }), found }], { room });
    const listed = await server.fromPage(await server.signedIn("root"), `/api/v1/letters?q=queue:${queue}`);
    return listed.json<{ items: { id: string }[] }>().items[0]?.id ?? "";
  }

  const editor = (page: Page) => page.getByRole("textbox", { name: "Body of the letter" });

  /** Puts a text in the place of another, as somebody does who types; gives what the editor has then. */
  async function replace(page: Page, before: string, after: string, text = order): Promise<string> {
    await editor(page).click();
    await page.keyboard.press("Control+End");
    const behind = text.length - text.indexOf(before) - before.length;
    for (let step = 0; step < behind; step++) await page.keyboard.press("ArrowLeft");
    for (const _ of before) await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.insertText(after);
    return text.replace(before, after);
  }

  async function keep(page: Page, reason: string, revision: number): Promise<void> {
    await page.getByLabel(/^Why, for whoever approves/).fill(reason);
    await page.getByRole("button", { name: `Keep as revision ${revision}` }).click();
  }

  it("shows how a body of 8 MB begins, with its download, and why it is not edited here", async () => {
    const id = await dead(
      "large",
      JSON.stringify({ id: "o-1", mail: "ana@shop.example", note: "x".repeat(8_000_000) }),
    );
    const watched = await office().pageOf("ana", operator, `/letters/${id}`);
    const { page } = watched;
    await page.getByText("It is too large for a page: download it.").waitFor();
    await page.getByText('{"id":"o-1","mail":"•••","note":"xxx').waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download, masked" }).click();
    expect((await saved).suggestedFilename()).toBe(`${id}.json`);
    await expectToBeSound(watched, "letter-large");
    await page.getByRole("link", { name: "Edit it first" }).click();
    await page.getByText("Its body is too large to be edited here.").waitFor();
    await expectToBeSound(watched, "edit-large");
    await page.close();
  });

  it("shows a body of 200,000 levels, and lets it be edited", async () => {
    const id = await dead("deep", `${"[".repeat(200_000)}1${"]".repeat(200_000)}`);
    const watched = await office().pageOf("ana", operator, `/letters/${id}`);
    const { page } = watched;
    await page.getByText("[[[[[[[[[[[[").first().waitFor();
    await page.getByText("tree", { exact: true }).click();
    await page.getByText("It is no JSON, or nested too deeply to be drawn.").waitFor();
    await page.getByRole("link", { name: "Edit it first" }).click();
    await editor(page).waitFor();
    expect(watched.complaints).toEqual([]);
    await page.close();
  });

  it("changes, adds and leaves out headers beside the body, and says of the others why not", async () => {
    const id = await dead("tenants");
    const { server, pageOf } = office();
    const watched = await pageOf("ana", operator, `/letters/${id}/edit`);
    const { page } = watched;
    await page.getByText(/^\d+ that cannot be edited$/).click();
    await page.getByRole("row", { name: /dlo-category .*It is the office's own/ }).waitFor();
    await page.getByLabel("Another header").fill("idempotency-key");
    await page.getByLabel("Its value").fill("k-2");
    await page.getByRole("button", { name: "Add it" }).click();
    await page.getByLabel("Value of class").fill("RangeError");
    await page.getByRole("button", { name: "Go without message" }).click();
    const changed = page.getByRole("table", { name: "Headers that change" });
    await changed.getByRole("row", { name: "class TypeError RangeError" }).waitFor();
    await changed.getByRole("row", { name: "idempotency-key nothing k-2" }).waitFor();
    await changed.getByRole("row", { name: "message total is NaN nothing" }).waitFor();
    await page.getByText("with another one it may be done twice").waitFor();
    await page.getByText(`--header class=RangeError`).waitFor();
    await expectToBeSound(watched, "edit-headers");
    await keep(page, "wrong tenant", 1);
    await page.getByText("Kept as revision 1. Nothing was sent.").waitFor();
    const edits = await server.fromPage(await server.signedIn("root"), `/api/v1/letters/${id}/edits`);
    const { text, headers } = edits.json<{ text: string; headers: { name: string; value: string | null }[] }>();
    expect(text).toBe(order);
    expect(headers.filter(({ name }) => ["class", "message"].includes(name)).map(({ value }) => value)).toEqual([
      ...["RangeError", null],
    ]);
    await page.close();
  });

  it("shows what changes by place and by line, keeps all else as it came, and leads to a plan that shows it", async () => {
    const id = await dead("orders");
    const { server, pageOf } = office();
    const { page, complaints } = await pageOf("ana", operator, `/letters/${id}`);
    await page.getByRole("link", { name: "Edit it first" }).click();
    await replace(page, "1.10", "129.90");
    await page.getByRole("row", { name: "/total 1.10 129.90" }).waitFor();
    await page.getByText(`dlo edit ${id} --set /total=129.90`).waitFor();
    await keep(page, "total was NaN", 1);
    await page.getByText("Kept as revision 1. Nothing was sent.").waitFor();
    const edits = await server.fromPage(await server.signedIn("root"), `/api/v1/letters/${id}/edits`);
    expect(edits.json<{ text: string }>().text).toBe(mended);
    const forAll = page.getByRole("link", { name: "Plan the same change for its whole group" });
    const way = new URL((await forAll.getAttribute("href")) ?? "", page.url());
    await page.getByRole("link", { name: "Plan a replay of this letter" }).click();
    await page.getByRole("button", { name: "Plan 1 letter" }).click();
    await page.getByRole("heading", { name: "Edited letters" }).waitFor();
    await page.getByRole("row", { name: "/total 1.10 129.90" }).waitFor();
    await page.getByText("Nothing has changed for this letter since it was frozen").waitFor();
    // A patch may be longer than any server lets an address be: what asks for the page has none of it.
    expect([way.search.includes("patch"), way.hash.includes("129.90")]).toEqual([false, true]);
    await page.goto(way.href);
    await page.getByText("Each is edited before it goes.").waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("refuses a number that a program on the way has rounded, and says so while it is typed", async () => {
    const id = await dead("rounded");
    const { page } = await office().pageOf("ana", operator, `/letters/${id}/edit`);
    const rounded = await replace(page, "12345678901234567890", "12345678901234567000");
    await page.getByText("a program on the way rounded it").waitFor();
    const button = page.getByRole("button", { name: "Keep as revision 1" });
    expect(await button.getAttribute("aria-disabled")).toBe("true");
    await replace(page, "12345678901234567000", "12345678901299999999", rounded);
    await page.getByRole("row", { name: "/id 12345678901234567890 12345678901299999999" }).waitFor();
    await page.close();
  });

  it("keeps what the second of two people wrote, sends and overwrites nothing, and lets them go on", async () => {
    const id = await dead("contested");
    const { server, pageOf } = office();
    const { page: hers } = await pageOf("ana", operator, `/letters/${id}/edit`);
    const { page: his } = await pageOf("bob", operator, `/letters/${id}/edit`);
    // Who came second is told at once; who came first when their page says again that they are there.
    await his
      .getByRole("status")
      .filter({ hasText: /^ana has this open too, since \d\d:\d\d UTC\.$/ })
      .waitFor();
    await editor(hers).waitFor();
    const heading = hers.getByRole("heading", { level: 1 });
    const before = await heading.boundingBox();
    await hers.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await hers.getByRole("status").filter({ hasText: "bob has this open too" }).waitFor();
    expect((await heading.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
    await replace(hers, "1.10", "129.90");
    await replace(his, "gift", "present");
    await keep(his, "no more gifts", 1);
    await his.getByText("Kept as revision 1.").waitFor();
    await keep(hers, "total was NaN", 1);
    await hers.getByRole("heading", { name: "Not kept: bob has edited this letter meanwhile" }).waitFor();
    await hers.getByText("what you wrote is still here").waitFor();
    const edits = await server.fromPage(await server.signedIn("root"), `/api/v1/letters/${id}/edits`);
    expect(edits.json()).toMatchObject({ revision: 1, text: order.replace("gift", "present") });
    await expectToBeSound({ page: hers, complaints: [] }, "edit-conflict");
    await hers.getByRole("button", { name: "Go on from theirs with what I wrote" }).click();
    // What she wrote, compared with his: it would take his change back, and she sees that.
    await hers.getByRole("row", { name: "/total 1.10 129.90" }).waitFor();
    await hers.getByRole("row", { name: /\/note .*present.*gift/ }).waitFor();
    await hers.reload();
    await hers.getByRole("row", { name: "/total 1.10 129.90" }).waitFor();
    await hers.close();
    await his.close();
  });

  it("is sound in both themes, on a phone and on a screen, and its keys are the editor's own", async () => {
    const id = await dead("sound");
    const watched = await office().pageOf("ana", operator, `/letters/${id}/edit`);
    const { page } = watched;
    await editor(page).focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("gi");
    await page.getByText("It was JSON and is not any more").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/letters/${id}/edit`);
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Delete");
    await replace(page, "1.10", "129.90");
    await page.keyboard.press("Tab");
    await page.getByRole("row", { name: "/total 1.10 129.90" }).waitFor();
    await expectToBeSound(watched, "edit");
    await page.close();
  });
});

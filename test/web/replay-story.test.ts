import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { readId } from "../../src/domain/ids.ts";
import { replayWorld, run } from "../replay/world.ts";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { expectToBeSound, failAlike, hostile, keyTo, useOfficeInBrowser } from "./office-in-browser.ts";

const operator = ["operator"];
const approver = ["approver"];

describeServer("a replay in the browser", noChromium, () => {
  const office = useOfficeInBrowser();

  /** Leads the replay of the page, as the server's own work would. */
  async function lead(page: Page): Promise<void> {
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await run(replayWorld(office().server.ledger).parts, readId("replay", id));
  }

  it("says when a plan is made that nobody could approve it, and the ways out", async () => {
    const { server, pageOf } = office();
    await failAlike(server, {
      queue: "orders",
      failure: "TimeoutError",
      message: "POST /charge",
      category: "transient",
      n: 120,
    });
    const { page } = await pageOf("root", ["admin"], "/replays/new?q=queue:orders");
    await page.getByRole("button", { name: "Plan 120 letters" }).click();
    await page.getByText("nobody but you has a role that may give it (approver, admin)").waitFor();
    await page.getByText("rabbit/orders, where they came from").waitFor();
    await page.getByText(/^at most \d.*, once somebody sends it$/).waitFor();
    await page.getByText("Have a second person given that role, or break glass as an admin.").waitFor();
    await act(page, "Cancel this replay");
    await page.close();
  });

  it("goes from the inbox to its verdict by mouse, approved by a second person", async () => {
    const { pageOf } = office();
    const { page, complaints } = await pageOf("ana", operator, "/");
    await pageOf("bob", approver, "/");
    await page.getByRole("link", { name: /TimeoutError/ }).click();
    await page.getByRole("link", { name: "Plan a replay of 120 letters" }).click();
    await page.getByLabel("Name, such as the incident").fill("payments were down");
    await page.getByRole("button", { name: "Plan 120 letters" }).click();
    await page.getByRole("heading", { name: /payments were down/ }).waitFor();
    await page.getByLabel("Leave out 7", { exact: true }).check();
    await page.getByRole("button", { name: "Leave out 1 letter" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave out 1 letter" }).click();
    await page.getByRole("button", { name: "Ask for approval of 119 letters" }).click();
    await page.getByText("It needs 1 approval, of bob or root.").waitFor();
    await page.getByRole("dialog").getByRole("textbox").fill("payments is back");
    await page.getByRole("dialog").getByRole("button", { name: "Ask for approval of 119 letters" }).click();
    await page.getByText("Waits for somebody else").waitFor();
    await approveAsBob();
    await page.getByRole("button", { name: "Send 119 letters" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("119 letters go to rabbit/orders").waitFor();
    await dialog.getByText("dlo replay run").waitFor();
    await dialog.getByRole("button", { name: "Send 119 letters" }).click();
    // Without the number nothing happens.
    expect(await page.getByText("approved", { exact: true }).count()).toBe(1);
    await dialog.getByLabel(/Type 119/).fill("119");
    await dialog.getByRole("button", { name: "Send 119 letters" }).click();
    await page.getByText("running", { exact: true }).waitFor();
    await lead(page);
    await page.getByText("finished presumed clean", { exact: true }).waitFor();
    // For whoever has it open behind another tab.
    expect(await page.title()).toMatch(/^presumed clean: .* · dlo$/);
    // Two that would overtake the one of their key that was left out stay as well.
    await page.getByText("117 of 117 sent").waitFor();
    await page.getByRole("heading", { name: "Dropped out when their turn came 2" }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  async function approveAsBob(): Promise<void> {
    const { page, complaints } = await office().pageOf("bob", approver, "/");
    await page.getByRole("link", { name: "Approvals 1" }).click();
    await page.getByText("119 letters would go to rabbit/orders, at most").waitFor();
    await page.getByRole("link", { name: "Review payments were down" }).click();
    await page.getByRole("button", { name: "Approve 119 letters" }).click();
    await page.getByRole("dialog").getByText("ana asks: payments is back").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Approve 119 letters" }).click();
    await page.getByText("approved", { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  }

  it("goes all the way by keyboard alone", async () => {
    const { server, pageOf } = office();
    await failAlike(server, {
      queue: "billing",
      failure: "DeadlockError",
      message: "deadlock",
      category: "transient",
      n: 8,
    });
    const { page, complaints } = await pageOf("ana", operator, "/");
    await keyTo(page, { role: "link", name: /DeadlockError/, key: "j" });
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Plan a replay of 8 letters" }).waitFor();
    await page.keyboard.press("r");
    await keyTo(page, { role: "textbox", name: "Name, such as the incident" });
    await page.keyboard.type("by keyboard");
    await page.getByRole("button", { name: "Plan 8 letters" }).waitFor();
    await page.keyboard.press("Enter");
    await keyTo(page, { role: "button", name: "Go ahead with 8 letters" });
    await page.keyboard.press("Enter");
    await page.keyboard.type("the database is well");
    await keyTo(page, { role: "button", name: "Go ahead with 8 letters" });
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Send 8 letters" }).waitFor();
    await keyTo(page, { role: "button", name: "Send 8 letters" });
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await keyTo(page, { role: "button", name: "Send 8 letters" });
    await page.keyboard.press("Enter");
    await page.getByText("running", { exact: true }).waitFor();
    await lead(page);
    await page.getByText("finished presumed clean", { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("pauses, says what cannot be recalled, and cancels the rest", async () => {
    const { server, pageOf } = office();
    await failAlike(server, {
      queue: "mails",
      failure: "SmtpError",
      message: "greylisted",
      category: "transient",
      n: 5,
    });
    const { page } = await pageOf("ana", operator, "/replays/new?q=queue:mails");
    await page.getByRole("button", { name: "Plan 5 letters" }).click();
    await act(page, "Go ahead with 5 letters", "why not");
    await act(page, "Send 5 letters");
    await act(page, "Pause");
    await page.getByText("paused", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Resume with 5 letters" }).click();
    await page.getByText("0 of 0 sent came back. Going on is your word").waitFor();
    await page.getByRole("button", { name: "Not now" }).click();
    await act(page, "Resume with 5 letters", "it was the wrong one that I paused");
    await page.getByText("running", { exact: true }).waitFor();
    await act(page, "Pause");
    await page.getByText("paused", { exact: true }).waitFor();
    const record = page.getByRole("region", { name: "Record" }).getByRole("listitem");
    await record.getByText("ana resumed it: it was the wrong one that I paused").waitFor();
    await record.getByText("ana paused it").nth(1).waitFor();
    expect(await record.count()).toBe(6);
    await page.getByRole("button", { name: "Cancel this replay" }).click();
    await page.getByRole("dialog").getByText("Stops 5 not yet sent").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel this replay" }).click();
    await page.getByText("It was cancelled. What was not sent is free for another plan.").waitFor();
    await page.close();
  });

  it("stops all sending from any page, keeps a banner up, and lets nothing start until it is released", async () => {
    const { pageOf } = office();
    const { page } = await pageOf("ana", operator, "/replays/new?q=queue:mails");
    await page.getByRole("button", { name: "Plan 5 letters" }).click();
    await act(page, "Go ahead with 5 letters", "why not");
    await act(page, "Stop all sending", "a customer was charged twice");
    await page.getByText("All sending is stopped.").waitFor();
    await page.getByText("a customer was charged twice").waitFor();
    await press(page, "Send 5 letters");
    await page.getByText("ana stopped all sending. Release it first.").waitFor();
    await act(page, "Release sending", "it was a test card");
    await page.getByRole("button", { name: "Stop all sending" }).waitFor();
    await act(page, "Send 5 letters");
    await page.getByText("running", { exact: true }).waitFor();
    await act(page, "Pause");
    await page.close();
  });

  it("shows a viewer what they may not do and why, and whatever a letter holds as text", async () => {
    const { server, pageOf } = office();
    await failAlike(server, { queue: "labels", failure: "TypeError", message: hostile, category: "poison", n: 3 });
    const { page, complaints } = await pageOf("eve", ["viewer"], "/");
    await page.getByRole("link", { name: /TypeError/ }).click();
    await press(page, "Record a fix");
    await page.getByText("fixes.record needs a role that eve (viewer) does not have").waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.locator("html.owned").count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("is sound in both themes, on a phone and on a screen", async () => {
    const { pageOf } = office();
    for (const path of ["/", "/replays", "/approvals", "/replays/new?q=queue:mails", "/insights"]) {
      const watched = await pageOf("bob", approver, path);
      await watched.page.getByRole("heading", { level: 1 }).waitFor();
      await watched.page
        .getByText(/Polling|Live|Plan \d/)
        .first()
        .waitFor();
      await expectToBeSound(watched, path.replaceAll(/\W+/g, "-"));
      await watched.page.close();
    }
    const watched = await pageOf("bob", approver, "/replays");
    await watched.page.getByRole("link", { name: "payments were down" }).click();
    await watched.page.getByRole("heading", { name: "Decisions" }).waitFor();
    await watched.page.locator("a[data-row]").first().waitFor();
    await expectToBeSound(watched, "replay");
    await watched.page.close();
  });
});

/** Presses what cannot be done, which says why. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name }).focus();
  await page.keyboard.press("Enter");
}

/** Presses a button, says why, and presses it again in its dialog. */
async function act(page: Page, name: string, reason?: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  const dialog = page.getByRole("dialog", { name });
  if (reason !== undefined) await dialog.getByRole("textbox").fill(reason);
  await dialog.getByRole("button", { name, exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
}

import { expect, it } from "vitest";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { expectToBeSound, failAlike, useOfficeInBrowser } from "./office-in-browser.ts";

describeServer("what people do with groups by hand, in a browser", noChromium, () => {
  const office = useOfficeInBrowser();

  it("leads from an unknown group to its category, and from there out of the inbox until later", async () => {
    const { server, pageOf } = office();
    const unknown = {
      queue: "emails",
      failure: "CoilError",
      message: "flux inverted",
      category: "unknown",
      n: 3,
    } as const;
    await failAlike(server, unknown);
    await failAlike(server, { ...unknown, queue: "orders", failure: "TimeoutError", category: "transient", n: 2 });
    const watched = await pageOf("otto", ["operator"], "/");
    const { page } = watched;
    await page.getByRole("link", { name: "look at one, say what it is" }).click();
    await page.getByRole("heading", { name: "Next: look at one, say what it is" }).waitFor();
    await page.getByText("Nobody has said or done anything about it yet.").waitFor();

    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("They are").selectOption("transient");
    await dialog.getByText(/dlo groups classify grp_\w+ --as transient/).waitFor();
    await dialog.getByLabel(/Why/).fill("the proxy was restarted");
    await dialog.getByRole("button", { name: "Classify 3 letters" }).click();
    await page.getByRole("heading", { name: "Next: plan a replay" }).waitFor();
    await page.getByText("otto classified its letters as transient: the proxy was restarted").waitFor();

    await page.keyboard.press("n");
    await dialog.getByLabel(/What to remember/).fill("vendor ticket 4711");
    await dialog.getByRole("button", { name: "Add a note" }).click();
    await page.getByText("otto noted: vendor ticket 4711").waitFor();
    await page.keyboard.press("a");
    await dialog.getByRole("button", { name: "Assign" }).click();
    await page.getByText("otto has it.").waitFor();
    await page.keyboard.press("e");
    await dialog.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByText(/Acknowledged by otto/).waitFor();
    await expectToBeSound(watched, "group-attended");

    await page.keyboard.press("h");
    await dialog.getByRole("button", { name: "Snooze" }).click();
    await page.getByText(/Snoozed by otto/).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByText("2 open letters in 1 groups.").waitFor();
    expect(await page.getByText("CoilError").count()).toBe(0);
    await page.getByRole("link", { name: "Show 1 snoozed" }).click();
    await page.getByText("otto has it · 1 note").waitFor();
    await expectToBeSound(watched, "inbox-snoozed");
    await page.close();
  });
});

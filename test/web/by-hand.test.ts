import { expect, it } from "vitest";
import { readDeadLetter } from "../../src/dialects/read-dead-letter.ts";
import { makeId } from "../../src/domain/ids.ts";
import { insertDeploy } from "../../src/ledger/deploys.ts";
import { systemHost } from "../../src/system/host.ts";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";
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
    await page.getByText(/^\d+ % sure \(.+\)\. .+/).waitFor();

    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("They are").selectOption("transient");
    await dialog.getByText(/dlo groups classify grp_\w+ --as transient/).waitFor();
    await dialog.getByLabel(/Why/).fill("the proxy was restarted");
    await dialog.getByRole("button", { name: "Classify 3 letters" }).click();
    await page.getByRole("heading", { name: "Next: plan a replay" }).waitFor();
    await page.getByText("otto classified its letters as transient: the proxy was restarted").waitFor();
    await page.getByText("100 % sure (person). otto: the proxy was restarted").waitFor();

    await page.keyboard.press("n");
    await dialog.getByLabel(/What to remember/).fill("vendor ticket 4711");
    await dialog.getByRole("button", { name: "Add a note" }).click();
    await page.getByText("otto noted: vendor ticket 4711").waitFor();
    await page.getByRole("button", { name: "Record what introduced it" }).click();
    await dialog.getByLabel(/The commit or version/).fill("3f2a91c");
    await dialog.getByText(/dlo groups introduced-by grp_\w+ --commit 3f2a91c/).waitFor();
    await dialog.getByRole("button", { name: "Record what introduced it" }).click();
    await page.getByText("otto recorded that 3f2a91c introduced it").waitFor();
    await page.locator("dl.facts").getByText("3f2a91c").waitFor();
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
    await page.getByText("2 open letters in 1 group.").waitFor();
    expect(await page.getByText("CoilError").count()).toBe(0);
    await page.getByRole("link", { name: "Show 1 snoozed" }).click();
    await page.getByText("otto has it · 1 note").waitFor();
    await expectToBeSound(watched, "inbox-snoozed");
    await page.close();
  });

  it("says of a group before anything else which deploy it came after, and shows the newest of its letters", async () => {
    const { server, pageOf } = office();
    const many = { failure: "FluxError", message: "no coil", category: "poison", n: 12 } as const;
    await failAlike(server, { ...many, queue: "coils" });
    const deployedAt = Date.now() - 64 * 60_000;
    await insertDeploy(server.ledger, server.ledger.database, {
      ...{ id: makeId(deployedAt, systemHost.newId()), service: "coils", version: "2.15.0", queues: ["coils"] },
      ...{ schemas: [], deployedAt, recordedBy: "ci" },
    });
    const watched = await pageOf("otto", ["operator"], "/");
    const { page } = watched;
    await page.getByRole("link", { name: /FluxError/ }).click();
    const suspect = page.getByText(/First failed 4 min after coils 2.15.0 went live/);
    await suspect.waitFor();
    const text = (await page.locator("main").textContent()) ?? "";
    expect(text.indexOf("First failed 4 min")).toBeLessThan(text.indexOf("Next: "));
    expect(await page.locator("a[data-row]").count()).toBe(10);
    await expectToBeSound(watched, "group-after-deploy");

    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Record a fix" }).click();
    await dialog.getByLabel(/What people know it by/).fill("2.15.1");
    await dialog.getByLabel(/^Live since/).fill(new Date(Date.now() - 5 * 60_000).toISOString().slice(0, 16));
    await dialog.getByLabel(/The commit or version that brought the bug in/).fill("2.15.0");
    await dialog.getByText(/--called 2\.15\.1 --introduced-by 2\.15\.0 --at 20\S+Z/).waitFor();
    await expectToBeSound(watched, "record-a-fix");
    await dialog.getByRole("button", { name: "Record a fix" }).click();
    await page.getByText(/12 letters failed before it and may go/).waitFor();
    await page.getByText(/after coils 2\.15\.0 went live, which introduced it\./).waitFor();
    await expectToBeSound(watched, "group-introduced-by");
    await page.getByRole("link", { name: "All 12 letters of this group" }).click();
    await page.getByText("12 match.", { exact: true }).waitFor();
    await page.goto(new URL("/", page.url()).href);
    await page.getByText(/coils 2\.15\.0 at .+, which introduced grp_/).waitFor();
    await expectToBeSound(watched, "inbox-introduced-by");
    await page.close();
  });

  it("walks from group to group in the order of the inbox they were opened from", async () => {
    const watched = await office().pageOf("otto", ["operator"], "/");
    const { page } = watched;
    const rows = page.locator("a[data-row]");
    await rows.nth(1).waitFor();
    const groups = [await rows.nth(0).getAttribute("href"), await rows.nth(1).getAttribute("href")];
    const isAt = (at: number) => page.waitForURL((url) => url.pathname === groups[at]);
    await rows.nth(0).click();
    await page.getByText("1 of 2 in the inbox").waitFor();
    await page.keyboard.press("]");
    await isAt(1);
    await page.getByText("2 of 2 in the inbox").waitFor();
    await expectToBeSound(watched, "second-group");
    expect(await page.getByRole("link", { name: "Next group" }).count()).toBe(0);
    await page.keyboard.press("[");
    await isAt(0);
    await page.close();
  });

  it("splits a group in two and takes it back, merges two into one, and says who may", async () => {
    const { server, pageOf } = office();
    const failures = { queue: "pumps", failure: "PumpError", category: "poison" } as const;
    await failAlike(server, { ...failures, message: "no water", n: 4 });
    await failAlike(server, { ...failures, message: "no power", n: 2 });
    const watched = await pageOf("otto", ["operator"], "/");
    const { page } = watched;
    await page.getByRole("link", { name: /no water/ }).click();
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Split…" }).click();
    await dialog.getByLabel(/Which letters go/).fill('letter.key == "order-1001"');
    await dialog.getByRole("button", { name: "How many would move?" }).click();
    await dialog.getByText("1 of 4 letters would move. Nothing was changed.").waitFor();
    await dialog.getByText(/dlo groups split grp_\w+ --when 'letter.key == "order-1001"'/).waitFor();
    await dialog.getByLabel(/^Why/).fill("another pump");
    await dialog.getByRole("button", { name: "Split…" }).click();
    await page.getByText(/otto split off grp_\w+ by letter.key == "order-1001": another pump/).waitFor();
    await expectToBeSound(watched, "group-split");

    await page.getByRole("button", { name: "Undo this split" }).click();
    await dialog.getByRole("button", { name: "Undo this split" }).click();
    await page.getByText(/otto split off/).waitFor({ state: "detached" });

    await page.reload();
    await page.getByRole("button", { name: "Merge with…" }).click();
    const into = dialog.getByLabel(/Which group of rabbit\/pumps/);
    const other = await into.locator("option", { hasText: "no power" }).getAttribute("value");
    await into.selectOption(other);
    await dialog.getByRole("button", { name: "How many would move?" }).click();
    await dialog.getByText("4 of 4 letters would move. Nothing was changed.").waitFor();
    await dialog.getByLabel(/^Why/).fill("one outage");
    await dialog.getByRole("button", { name: "Merge with…" }).click();
    await page.getByRole("heading", { name: "PumpError: no power" }).waitFor();
    await page.getByText(/otto merged grp_\w+ into it: one outage/).waitFor();
    await page.close();

    const viewer = await pageOf("vera", ["viewer"], `/groups/${other}`);
    await viewer.page.getByRole("button", { name: "Split…" }).click({ force: true });
    await viewer.page.getByText(/groups.split needs a role that vera/).waitFor();
    await viewer.page.close();
  });

  it("tags a group and its letters, and asks before a plan leaves out what no letter has", async () => {
    const { server, pageOf } = office();
    const refunds = {
      queue: "refunds",
      failure: "RefundError",
      message: "no such refund",
      category: "transient",
    } as const;
    await failAlike(server, { ...refunds, n: 2 });
    const watched = await pageOf("otto", ["operator"], "/letters?q=queue%3Arefunds%20-tag%3Ahlod");
    const { page } = watched;
    await page.getByText("Warning: No letter has tag:hlod, so leaving it out changes nothing.").waitFor();
    await expectToBeSound(watched, "letters-warned");
    const box = page.getByRole("checkbox", { name: /^Select RefundError/ }).first();
    const [, id = ""] = / (ltr_\w+)$/.exec((await box.getAttribute("aria-label")) ?? "") ?? [];
    await box.check();
    await page.getByRole("button", { name: "Add tags" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Tags, separated by spaces").fill("Hold audit");
    await dialog.getByText(/dlo letters tag ltr_\w+ --tag Hold --tag audit/).waitFor();
    await dialog.getByRole("button", { name: "Add tags" }).click();
    await page
      .getByText("Warning: No letter has tag:hlod, so leaving it out changes nothing. Did you mean tag:hold?")
      .waitFor();

    await page.goto(new URL(`/letters/${id}`, page.url()).href);
    await page.getByRole("definition").filter({ hasText: "audit, hold" }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "tagged audit, hold by otto" }).waitFor();
    await expectToBeSound(watched, "letter-tagged");
    await page.getByRole("link", { name: /^grp_/ }).click();
    await page.getByRole("button", { name: "Add tags" }).click();
    await dialog.getByLabel("Tags, separated by spaces").fill("legal");
    await dialog.getByRole("button", { name: "Add tags" }).click();
    await page.getByText("otto tagged it legal").waitFor();
    await expectToBeSound(watched, "group-tagged");

    const plan = encodeURIComponent("queue:refunds -tag:hlod");
    await page.goto(new URL(`/replays/new?q=${plan}`, page.url()).href);
    await page.getByText("dlo replay plan -q 'queue:refunds -tag:hlod' --confirm-unknown tag:hlod").waitFor();
    await page.getByRole("button", { name: "Plan 2 letters" }).click();
    expect(new URL(page.url()).pathname).toBe("/replays/new");
    await expectToBeSound(watched, "plan-unconfirmed");
    await page.getByRole("checkbox", { name: "I mean tag:hlod, plan anyway" }).check();
    await page.getByRole("button", { name: "Plan 2 letters" }).click();
    await page.waitForURL(/\/replays\/rpl_/);
  });

  it("shows every attempt of a letter, where its message was, what ran it and of which schema it is", async () => {
    const { server, pageOf } = office();
    const failedAt = (n: number) => new Date(Date.now() - (10 - n) * 60_000).toISOString();
    const history = [1, 2, 3, 4].map((n) => ({
      ...{ n, at: failedAt(n), class: "ApiError", message: "it is down", code: "ECONNREFUSED", status: 503 },
      ...{ by: `shop@1.8.${n}#w1`, ...(n < 4 && { delayMs: n * 1_500 }) },
    }));
    const headers = {
      ...{ "dlo-queue": "orders.billing", "dlo-reason": "attempts_exhausted", "dlo-attempt": "4" },
      ...{ "dlo-first-failed-at": failedAt(1), "dlo-failed-at": failedAt(4), "dlo-history": JSON.stringify(history) },
      ...{ "dlo-position": "orders/3/48211", "dlo-schema": "order@3" },
      "dlo-consumer": JSON.stringify({
        service: "shop",
        version: "1.8.4",
        instance: "w1",
        host: "web-7",
        process: "42",
      }),
      "dlo-error": JSON.stringify({ class: "ApiError", message: "it is down", code: "ECONNREFUSED", status: 503 }),
    };
    const letter = deadLetter({ headers, body: "{}" }, { broker: "kafka", queue: "orders.billing.dlq" });
    const room = { ...testRoom(), read: readDeadLetter };
    const [outcome] = await hold(server.ledger, [{ letter, found: { kind: "position", position: "o-1" } }], { room });
    expect(outcome).toBeDefined();
    const watched = await pageOf("otto", ["operator"], "/letters?q=host:web-7 partition:3 offset:48211");
    const { page } = watched;
    await page.locator("a[data-row]").first().click();
    const rows = page.locator("table.attempts tbody tr");
    await rows.nth(3).waitFor();
    const cells = await rows.allTextContents();
    expect(cells).toMatchObject(
      [1, 2, 3, 4].map((n) => expect.stringMatching(new RegExp(`^${n}.*shop@1\\.8\\.${n}w1`)) as string),
    );
    expect(cells.at(-1)).toContain("4.5 seconds");
    expect(cells.at(-1)).toContain("ECONNREFUSED, HTTP 503 ApiError: it is down");
    expect([cells[0]?.endsWith("retried"), cells[3]?.endsWith("dead lettered")]).toEqual([true, true]);
    const facts = (await page.locator("dl.facts").first().textContent()) ?? "";
    for (const fact of [
      "Partition3",
      "Offset48211",
      "Hostweb-7",
      "Process42 (w1)",
      "Schemaorder version 3",
      "Consumershop@1.8.4",
    ])
      expect(facts).toContain(fact);
    await expectToBeSound(watched, "letter-attempts");
    await page.close();
  });
});

import { expect, it, onTestFinished } from "vitest";
import { registerProcess, removeProcess } from "../../src/ledger/processes.ts";
import { lookForAlerts } from "../../src/office/alerts/look-for-alerts.ts";
import { tellWork } from "../../src/office/told-work.ts";
import { systemHost } from "../../src/system/host.ts";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { expectToBeSound, failAlike, hostile, pressUntilItSays, useOfficeInBrowser } from "./office-in-browser.ts";
import { reportConsumers } from "./report-consumers.ts";

const admin = ["admin"];

describeServer("the pages beside the inbox", noChromium, () => {
  const office = useOfficeInBrowser();

  it("selects letters by keyboard, tells the page from all that match, and drops or gives back exactly those", async () => {
    const { server, pageOf } = office();
    await failAlike(server, {
      queue: "orders",
      failure: "TimeoutError",
      message: hostile,
      category: "transient",
      n: 60,
    });
    const { page, complaints } = await pageOf("root", admin, "/letters?q=queue:orders");
    await page.getByText("60 match.").waitFor();
    // Before its letters are there, nobody listens to keys.
    await page.locator("a[data-row]").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.getByLabel("Select 50 on this page").check();
    await page.getByText("50 selected (this page)").waitFor();
    await page.getByRole("button", { name: "Select all 60 matching" }).click();
    await page.getByText("All 60 matching selected, frozen when you plan").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("d");
    await page.keyboard.press("Enter");
    await page.keyboard.type("the order was cancelled");
    await page.getByRole("dialog").getByRole("button", { name: "Drop 1 letter" }).press("Enter");
    const dropped = page.getByRole("cell", { name: "dropped", exact: true });
    await dropped.waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("row").filter({ hasText: "open" }).first().getByRole("checkbox").check();
    await page.getByRole("button", { name: "Give back 1 letter" }).click();
    await page.keyboard.type("only tried it out");
    await page.getByText("dlo letters give-back ltr_").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Give back 1 letter" }).press("Enter");
    await dropped.nth(1).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("says of a letter that was decided who did and why, and lets it be reopened unless its queue has it", async () => {
    const watched = await office().pageOf("root", admin, "/letters?q=state:dropped");
    const { page } = watched;
    const rows = page.locator("a[data-row]");
    const pathOf = async (at: number) => (await rows.nth(at).getAttribute("href")) ?? "";
    const [one, other] = [await pathOf(0), await pathOf(1)];
    const decision = page.getByRole("region", { name: "Decision" });
    const readAt = async (path: string) => {
      await page.goto(new URL(path, page.url()).href);
      return (await decision.textContent()) ?? "";
    };
    const texts = [await readAt(one), await readAt(other)];
    const givenBack = texts.findIndex((text) => text.startsWith("Given back by root"));
    expect(texts[givenBack]).toMatch(/: only tried it out\s*Its dead-letter queue has it again/);
    expect(await page.getByRole("button", { name: "Reopen this letter" }).count()).toBe(givenBack === 0 ? 1 : 0);

    expect(await readAt(givenBack === 0 ? other : one)).toMatch(
      /^Dropped by root \w+ ago \(\d\d:\d\d UTC\): the order was cancelled/,
    );
    await page.getByText("dropped by root: the order was cancelled", { exact: false }).last().waitFor();
    await expectToBeSound(watched, "letter-dropped");
    await page.getByRole("button", { name: "Reopen this letter" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("dlo reopen ltr_").waitFor();
    await dialog.getByLabel(/Why/).fill("it was another order");
    await dialog.getByRole("button", { name: "Reopen this letter" }).click();
    // An earlier letter of its key was reopened by nobody: alone this one would overtake it.
    const outlook = page.getByRole("region", { name: "It cannot go back yet" });
    await outlook.getByText(/Include ltr_\w+, or decide it first/).waitFor();
    expect(await outlook.getByRole("link").allTextContents()).toEqual(["Edit it first"]);
    expect(await decision.count()).toBe(0);
    await page.close();
  });

  it("copies whom a group concerns", async () => {
    const { page, complaints } = await office().pageOf("root", admin, "/");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("link", { name: /TimeoutError/ }).click();
    await page.getByText("40 distinct keys").waitFor();
    await page.getByText("The latest 60 letters, with no others of the queue to compare them with.").waitFor();
    await pressUntilItSays(page.getByRole("button", { name: "Copy all 40 keys" }), "· copied");
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied.split("\n")).toHaveLength(40);
    await pressUntilItSays(page.getByRole("button", { name: "Copy summary" }), "· copied");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("says that processes disagree about a breaker, and which versions are at work", async () => {
    const { server, pageOf } = office();
    await reportConsumers(server.ledger, "orders");
    const { page } = await pageOf("root", admin, "/breakers");
    await page.getByText("1 of 1 is not closed.").waitFor();
    await page.getByText("1 of 2 say so, the others disagree").waitFor();
    await page.getByRole("link", { name: "rabbit/orders" }).waitFor();
    await page.getByRole("button", { name: "Probe now: payments" }).click();
    const dialog = page.getByRole("dialog", { name: "Probe now: payments" });
    await dialog.getByText("dlo breakers probe payments").waitFor();
    await dialog.getByRole("button", { name: "Probe now: payments" }).click();
    await dialog.getByText(/rabbit has no state of the breaker payments.*Give the breaker a store/).waitFor();
    await dialog.getByRole("button", { name: "Not now" }).click();
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.getByText("2 at work").waitFor();
    await page.getByText("order 2, 3").waitFor();
    await page.close();
  });

  it("shows where messages go around a queue, by keyboard, from the page of queues", async () => {
    const { page, complaints } = await office().pageOf("root", admin, "/queues");
    await page.getByRole("link", { name: "topology", exact: true }).first().press("Enter");
    await page.getByRole("heading", { name: "Topology around rabbit/orders" }).waitFor();
    await page.getByRole("cell", { name: "shop 2.15.0 (2 at work)" }).waitFor();
    await page.getByText("Breaker payments is open: no letter is sent to orders until it closes.").waitFor();
    await page.getByText("dlo topology --focus rabbit/orders").waitFor();
    await page.getByRole("link", { name: /^Service shop/ }).press("Enter");
    await page.getByRole("heading", { name: "Topology around shop" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await page.getByRole("heading", { name: "Topology", exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("makes a rule after saying what it would find, says who is told, and lets somebody take care of what it found", async () => {
    const { server, pageOf } = office();
    const { page, complaints } = await pageOf("root", admin, "/");
    await page.locator("a[data-row]").first().waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.getByText("oncall (pagerduty), chat (slack, only where a rule names it)").waitFor();
    await page.getByRole("button", { name: "Set a rule" }).click();
    const dialog = page.getByRole("dialog", { name: "Set a rule" });
    await dialog.getByLabel("What it is called").fill("deep");
    await dialog.getByLabel("When").selectOption("depth");
    await dialog.getByLabel("More than how many letters").fill("20");
    await dialog.getByLabel("For how many minutes").fill("0");
    await dialog.getByRole("button", { name: "What would it find?" }).click();
    await dialog.getByText("Now 1, such as:").waitFor();
    await dialog.getByText(/in the last 14 days\.$/).waitFor();
    await dialog.getByText("dlo alerts set deep --when depth --over 20 --for 0m").waitFor();
    await dialog.getByRole("button", { name: "Set a rule" }).click();
    await page.getByText("Tells oncall.").waitFor();
    await lookForAlerts({ ledger: server.ledger, newId: systemHost.newId }, Date.now());
    await page.getByText("1 on. Of 1 nobody takes care yet.").waitFor();
    await page.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByRole("dialog", { name: "Acknowledge" }).getByRole("button", { name: "Acknowledge" }).click();
    await page.getByText("1 on, and somebody takes care of each.").waitFor();
    await page.locator("a[data-row]").first().click();
    await page.getByText(/\d+ match\./).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("says in plain words what the policy allows with each category, and where an override has another say", async () => {
    const { server, pageOf } = office();
    const { page, complaints } = await pageOf("root", admin, "/policies");
    const transient = page.getByRole("region", { name: "transient" });
    await transient.getByText("at most 20 a second and 50 at once, in steps of 5, 50 and the rest").waitFor();
    await page.getByText("As it was written").click();
    await page.getByText("The world hiccupped").waitFor();
    const text = `version: 1
protocols: { transient: { rate: 7 } }
overrides: [{ id: careful, when: plan.n > 100, set: { approvals: { n: 2 } } }]`;
    const cookie = await server.signedIn("root", admin);
    expect((await server.fromPage(cookie, "/api/v1/policy/versions", { text })).statusCode).toBe(200);
    await transient.getByRole("link", { name: "All of transient" }).click();
    await page.getByText("They go at most 7 a second").waitFor();
    const override = page.getByRole("region", { name: "careful" });
    await override.getByText("approvals.n: 2, instead of 1").waitFor();
    await override.getByText("plan.n > 100").waitFor();
    await page.getByRole("row", { name: /^rate 7 a second .* version 1, line 2$/ }).waitFor();
    await page.getByText("dlo policy show transient").waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("compares a draft of the policy with the one in force before it may hold", async () => {
    const { page, complaints } = await office().pageOf("root", admin, "/policies");
    await page.getByText("Version 1, applied by root.").waitFor();
    await page.getByRole("button", { name: "Draft a change" }).click();
    await page.getByRole("button", { name: "Compare and try on open letters" }).click();
    await page.getByText("Nothing: it says the same.").waitFor();
    await page.getByText("None of them would be sorted or sent otherwise.").waitFor();
    await page.getByLabel("The policy as it would be").fill("nonsense: true");
    await page.getByRole("button", { name: "Compare and try on open letters" }).click();
    await page.locator(".trouble").waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("says how long letters take to be decided, in figures that lead to exactly those letters", async () => {
    const { page, complaints } = await office().pageOf("root", admin, "/insights");
    await page.getByText(/^Of \d+ letters that arrived in the last 30 days, \d+ are decided/).waitFor();
    await page.getByText("No letter came back to any queue in that time.").waitFor();
    await page.getByRole("link", { name: "7 days", exact: true }).click();
    await page.getByText("dlo insights --days 7").waitFor();
    const dropped = page.getByRole("table", { name: "Time to clear, by category" }).getByRole("link").first();
    const counted = await dropped.textContent();
    await dropped.click();
    await page.getByText(`${counted} match`).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("draws a simulation that its address repeats", async () => {
    const { page, complaints } = await office().pageOf("root", admin, "/simulator?of=outage&policy=fixed&horizon=60");
    await page.getByText(/^fixed .* does not come back/).waitFor();
    // They are drawn after the words are there.
    await page.locator(".plot canvas").nth(1).waitFor();
    expect(await page.locator(".plot canvas").count()).toBe(2);
    await page.getByRole("link", { name: "Contention" }).click();
    await page.getByText("Least work:").waitFor();
    await page.getByRole("link", { name: "Retry waits" }).click();
    await page.getByLabel("Attempts in all").fill("9");
    await page.getByRole("button", { name: "Simulate" }).click();
    await page.getByRole("rowheader", { name: "8", exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get("attempts")).toBe("9");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("takes the outage that a group of letters failed in, and says what other retries would have saved", async () => {
    const { server, pageOf } = office();
    const cookie = await server.signedIn("root", admin);
    const { items } = (await server.fromPage(cookie, "/api/v1/groups?q=queue:orders")).json<{
      items: { id: string }[];
    }>();
    const [group] = items;
    const { database, at } = server.ledger;
    // As if one had failed each second of a minute, all until its end.
    await database.query(
      `update ${at}.letters l set failed_at_by = 'letter', failed_at = o.ended, first_failed_at = o.ended - o.n * interval '1 s'
       from (select id, row_number() over (order by id) as n, now() - interval '1 hour' as ended from ${at}.letters
         where queue = 'orders') o where o.id = l.id`,
      [],
    );
    const { page, complaints } = await pageOf("root", admin, `/groups/${group?.id}`);
    await page.getByRole("link", { name: "Simulate this outage" }).click();
    await page.getByText(/60 failed within 60 s/).waitFor();
    await page
      .getByText(/^Policy: \d+ % of 60 would have been saved with 5 attempts; with \d+ it would have been/)
      .waitFor();
    await page.getByLabel("Policy: attempts").fill("20");
    await page.getByRole("button", { name: "Simulate" }).click();
    await page.getByText("Policy: 100 % of 60 would have been saved with 20 attempts.").waitFor();
    expect(new URL(page.url()).searchParams.get("group")).toBe(group?.id);
    await page.getByText(`dlo simulate outage --group ${group?.id} --attempts 20`).waitFor();
    await page.getByText("maxAttempts: 20,").waitFor();
    expect(complaints).toEqual([]);
    await expectToBeSound({ page, complaints }, "past-outage");
    await page.close();
  });

  it("finds in the audit log who did what, in words that lead to it", async () => {
    const { page, complaints } = await office().pageOf("root", admin, "/audit");
    await page.getByText(/^took in 60 letters from /).waitFor();
    await page.getByRole("link", { name: "Without what the office did by itself" }).click();
    await page.getByLabel("What", { exact: true }).fill("letters.dropped");
    await page.keyboard.press("Enter");
    await page.getByText("dlo audit list --action letters.dropped --without-office").waitFor();
    const entry = page.getByRole("row").filter({ hasText: "the order was cancelled" });
    await entry.getByText("letters.dropped", { exact: true }).click();
    await entry.getByText('"reason": "the order was cancelled"').waitFor();
    expect(new URL(page.url()).search).toBe("?action=letters.dropped&own=without");
    await entry.getByRole("link", { name: /^ltr_/ }).click();
    await page.getByRole("heading", { name: "Body" }).waitFor();
    await page.goBack();
    await page.getByLabel("About").fill("nothing is called so");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("No entry matches.").waitFor();
    await page.getByRole("link", { name: "Clear" }).click();
    await page.getByRole("row").filter({ hasText: "the order was cancelled" }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("says how the office itself is: what it does, what troubles it, and which processes live", async () => {
    const { page, complaints } = await office().pageOf("root", admin, "/status");
    await page.getByText("Nothing troubles it.").waitFor();
    await page.getByRole("heading", { name: "Replays that are led" }).waitFor();
    await page.getByText("None is under way.").waitFor();
    await page.getByRole("heading", { name: "Reports of consumers" }).waitFor();
    await page.getByRole("table", { name: "Processes of this office" }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("shows, on a phone too, which process cannot drain what, whose clock is off, and what to do", async () => {
    const { server, pageOf } = office();
    const at = Date.now();
    const trouble = { trouble: "connect ECONNREFUSED", lastTrouble: { text: "connect ECONNREFUSED", at } };
    const drain = { source: "rabbit", queue: "orders.dlq", state: "waiting", held: 7, since: at } as const;
    const drains = [{ ...drain, ...trouble, troubledSince: at }];
    const told = tellWork({ drains, reports: [], replays: [], notifiers: [], chores: [] }, at);
    const id = crypto.randomUUID();
    const process = { id, version: "1.2.3", duties: ["intake", "replay"], host: "dlo-work-1:7" } as const;
    onTestFinished(() => removeProcess(server.ledger, id));
    await registerProcess(server.ledger, process, { work: told, clockAheadMs: 4_200, followers: 3 }, 600_000);
    const { page, complaints } = await pageOf("root", admin, "/status");
    await page.getByText("rabbit/orders.dlq is not drained: connect ECONNREFUSED.").waitFor();
    await page.getByText("The clock of dlo-work-1:7 is 4.2 s ahead of the database's").waitFor();
    const drained = page.getByRole("table", { name: "Dead-letter queues that are drained" });
    await drained.getByText("dlo-work-1:7").waitFor();
    await expectToBeSound({ page, complaints }, "status-in-trouble");
    await page.close();
  });

  it("makes a token that is shown once, and lets it be revoked", async () => {
    const { page } = await office().pageOf("root", admin, "/settings/tokens");
    await page.getByRole("button", { name: "Make a token" }).click();
    await page.getByRole("dialog").getByLabel("What it is for").fill("pipeline");
    await page.getByRole("dialog").getByRole("button", { name: "Make a token" }).click();
    await page.getByText("It is not shown again:").waitFor();
    await page.getByRole("button", { name: "Revoke pipeline" }).click();
    await page
      .getByRole("dialog", { name: "Revoke pipeline" })
      .getByRole("button", { name: "Revoke pipeline" })
      .click();
    await page.getByRole("cell", { name: "revoked", exact: true }).waitFor();
    await page.close();
  });

  it.each([
    ...["/letters?q=queue:orders", "/queues", "/topology", "/breakers", "/consumers", "/alerts", "/status", "/audit"],
    ...["/policies", "/policies/poison", "/insights", "/simulator?horizon=60", "/simulator?of=retry"],
    ...["/settings/people", "/settings/tokens", "/settings/sources"],
  ])("is sound in both themes, on a phone and on a screen: %s", async (path) => {
    const watched = await office().pageOf("root", admin, path);
    await watched.page.locator("main h1").waitFor();
    await watched.page.locator("main h2, main table, main pre").first().waitFor({ state: "attached" });
    await expectToBeSound(watched, path.replaceAll(/\W+/g, "-"));
    await watched.page.close();
  });
});

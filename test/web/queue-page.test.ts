import { expect, it } from "vitest";
import type { DrainStatus } from "../../src/office/intake/standing-drains.ts";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { expectToBeSound, failAlike, hostile, useOfficeInBrowser } from "./office-in-browser.ts";
import { reportConsumers } from "./report-consumers.ts";

const viewer = ["viewer"];
/** Whatever a name is made of, it has an address. */
const queue = "shop/new orders?";
const address = `/queues/rabbit/${encodeURIComponent(queue)}`;

const drain: DrainStatus = {
  ...{ source: "rabbit", queue: "orders.dlq", since: Date.now(), held: 15, state: "waiting" as const },
  ...{ trouble: "the broker closed the connection", troubledSince: Date.now(), lastTrouble: null },
};
const work = () => ({
  ...{ drains: [drain, { ...drain, queue: "other.dlq" }], reports: [], replays: [], notifiers: [], chores: [] },
});

describeServer("the page of one queue", noChromium, () => {
  const office = useOfficeInBrowser({
    office: {
      self: {
        version: "1.2.3",
        place: "in a test",
        isEmbedded: true,
        id: () => null,
        freeBytes: async () => null,
        work,
        databaseWaits: () => 0,
      },
    },
  });

  it("says what waits there, by category and state, and each figure leads to exactly so many letters", async () => {
    const { server, pageOf } = office();
    const alike = { queue, failure: "TimeoutError", message: hostile, category: "transient" } as const;
    await failAlike(server, { ...alike, n: 12 });
    await failAlike(server, { ...alike, failure: "SyntaxError", category: "poison", n: 3 });
    await failAlike(server, { ...alike, queue: "shop", n: 5 });
    await reportConsumers(server.ledger, queue);
    const { page, complaints } = await pageOf("eve", viewer, "/queues");
    await page.getByRole("link", { name: queue, exact: true }).click();
    await page.getByRole("heading", { name: queue, exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(address);
    await page.getByText(/^15 failed in 24 h/).waitFor();
    const letters = page.getByRole("table", { name: "Letters of this queue by category and state" });
    for (const [category, n] of [
      ["transient", 12],
      ["poison", 3],
    ] as const) {
      await letters.getByRole("row").filter({ hasText: category }).getByRole("link").click();
      await page.getByText(`${n} match.`).waitFor();
      await page.goBack();
    }
    await page.getByRole("link", { name: "15", exact: true }).click();
    await page.getByText("15 match.").waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("says what is around it: its groups and what they wait for, who consumes it, its breaker, and what troubles its drain alone", async () => {
    const watched = await office().pageOf("eve", viewer, address);
    const { page } = watched;
    const groups = page.getByRole("table", { name: /^Groups of this queue/ });
    await groups.getByRole("link", { name: /^TimeoutError/ }).click();
    await page.getByRole("heading", { name: "Next: wait: breaker payments is open" }).waitFor();
    const gate = page.getByRole("region", { name: "Gate: Breaker payments to close" });
    await gate.getByText("It is open: what it needs is down.").waitFor();
    expect(await page.getByRole("link", { name: /^Plan a/ }).count()).toBe(0);
    await page.getByRole("link", { name: "See which of 12 could go" }).waitFor();
    await expectToBeSound(watched, "group-that-waits");
    await page.getByRole("link", { name: `rabbit/${queue}`, exact: true }).click();
    await page.getByRole("heading", { name: queue, exact: true }).waitFor();
    await groups.getByRole("link", { name: /^TimeoutError/ }).waitFor();
    expect(await groups.getByRole("link").count()).toBe(2);
    const consumer = page.getByRole("listitem").filter({ hasText: "2.15.0" });
    await consumer.getByText("2 at work").waitFor();
    await page.getByRole("listitem").filter({ hasText: "payments" }).getByText("open", { exact: true }).waitFor();
    const drains = page.getByRole("table", { name: "Dead-letter queues that are drained" });
    await drains.getByText("the broker closed the connection").waitFor();
    expect(await drains.getByRole("row").count()).toBe(2);
    expect(await page.getByLabel("Source and dead-letter queue").inputValue()).toBe("rabbit/orders.dlq");
    await page.getByText(`dlo queues show 'rabbit/${queue}'`).waitFor();
    await expectToBeSound(watched, "queue");
    await page.getByRole("link", { name: "topology", exact: true }).click();
    await page.getByRole("heading", { name: `Topology around rabbit/${queue}` }).waitFor();
    await page.close();
  });

  it("says of a queue that no letter came from just that", async () => {
    const { page, complaints } = await office().pageOf("eve", viewer, "/queues/rabbit/nowhere");
    await page.getByText("No letter came from rabbit/nowhere.").waitFor();
    await page.getByText("None is open.").waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});

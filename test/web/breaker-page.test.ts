import { expect, it } from "vitest";
import { CircuitBreaker } from "../../src/policies/circuit-breaker.ts";
import { memorySharedState } from "../../src/stores/memory-shared-state.ts";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { expectToBeSound, useOfficeInBrowser } from "./office-in-browser.ts";
import { reportConsumers } from "./report-consumers.ts";

const operator = ["operator"];
const hourMs = 3_600_000;

describeServer("the page of one breaker", noChromium, () => {
  const state = memorySharedState();
  const office = useOfficeInBrowser({ office: { sharedBy: async () => state } });

  it("says what it did lately and why, until when it is open, and lets it be released", async () => {
    const { server, pageOf } = office();
    await reportConsumers(server.ledger, "orders");
    const circuit = new CircuitBreaker();
    const now = Date.now();
    circuit.openUntil(now - hourMs, now - 2 * hourMs, "5 failures in a row");
    circuit.openUntil(now + hourMs, now - hourMs / 2, "by hand, otto: the bank is migrating");
    await state.replace("payments", null, circuit.snapshot());

    const watched = await pageOf("otto", operator, "/breakers");
    const { page } = watched;
    await page.getByRole("link", { name: "payments", exact: true }).click();
    await page.getByRole("heading", { name: "payments", exact: true }).waitFor();
    await page.getByText("forced open", { exact: true }).waitFor();
    const until = new Date(now + hourMs).toISOString();
    await page.getByText(`${until.slice(11, 19)} UTC`).waitFor();
    const changes = page.getByRole("table", { name: "Changes of this breaker, newest first" });
    await changes.getByText("by hand, otto: the bank is migrating").waitFor();
    await page.getByRole("link", { name: "rabbit/orders" }).waitFor();
    await page.getByText("dlo breakers show payments").waitFor();
    await expectToBeSound(watched, "breaker");
    await page.getByRole("button", { name: "Release: payments" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Release: payments" }).click();
    await changes.getByText("half-open", { exact: true }).first().waitFor();
    expect(await page.getByText("forced open", { exact: true }).count()).toBe(0);
    await page.close();
  });

  it("says of one that nobody reports just that", async () => {
    const { page, complaints } = await office().pageOf("otto", operator, "/breakers/nobody");
    await page.getByText("No consumer has reported a breaker `nobody`.").waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});

import { beforeAll, expect, it } from "vitest";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { expectToBeSound, useOfficeInBrowser } from "./office-in-browser.ts";

const many = 500;

/** Queues with a letter each, and as many more for the first ones. */
async function fill(
  ledger: Ledger,
  source: string,
  { queues, more }: { readonly queues: number; readonly more: number },
) {
  const letters = Array.from({ length: queues + more }, (_, at) => {
    const queue = `${source}-${String(at % queues).padStart(3, "0")}`;
    const headers = { queue, class: "TimeoutError", message: "slow" };
    return {
      letter: deadLetter({ headers, body: `${at}` }, { queue: `${queue}.dlq` }),
      found: { kind: "position", position: `${queue} ${at}` } as const,
    };
  });
  await hold(ledger, letters, { source });
}

describeServer("the topology of more queues than can be drawn", noChromium, () => {
  const office = useOfficeInBrowser();
  beforeAll(async () => {
    const { ledger } = office().server;
    await fill(ledger, "rabbit", { queues: many, more: 100 });
    await fill(ledger, "small", { queues: 3, more: 0 });
  });

  it("says of each source what is left out, and shows what somebody names", async () => {
    const watched = await office().pageOf("eyes", ["viewer"], "/topology");
    const { page } = watched;
    await page.getByText("60 of 503 queues, those with most open letters. Name any other").waitFor();
    await page.getByText("440 more queues with 480 open letters, not shown here.").waitFor();
    await page.getByText("3 more queues with 3 open letters, not shown here.").waitFor();
    expect(await page.getByText("440 more queues with 480 open letters, not drawn").count()).toBe(1);
    expect(await page.getByText("No letter came from it").count()).toBe(0);
    await page.getByText("53 more", { exact: true }).click();
    await page.getByText("No process drains rabbit-059.dlq now").waitFor();
    await page.getByText("53 more", { exact: true }).click();
    await expectToBeSound(watched, "topology-of-many");

    // A dead-letter queue of one that was neither drawn nor looked at.
    await page.getByLabel("Around").fill("rabbit-499.dlq");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Topology around rabbit-499.dlq" }).waitFor();
    await page.getByText("1 queue of 1 source.").waitFor();
    await page.getByRole("cell", { name: "rabbit-499", exact: true }).waitFor();
    await page.getByLabel("Around").fill("nowhere.dlq");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText("Of 303 queues nobody looked where they die: name the queue itself.").waitFor();
    await page.close();
  });

  it("has them all one click further", async () => {
    const { page, complaints } = await office().pageOf("eyes", ["viewer"], "/topology");
    await page.getByRole("link", { name: "All queues" }).first().click();
    await page.getByRole("heading", { name: "Queues", exact: true }).waitFor();
    await page.getByRole("cell", { name: /rabbit-499/ }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});

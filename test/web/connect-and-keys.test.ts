import { expect, it } from "vitest";
import { failJob } from "../jobs/failed-bullmq-job.ts";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noRedis } from "../servers/redis.ts";
import { useRedis } from "../servers/use-redis.ts";
import { expectToBeSound, useOfficeInBrowser } from "./office-in-browser.ts";

describeServer("what an admin connects, and what each sets for themselves, in a browser", noChromium ?? noRedis, () => {
  const office = useOfficeInBrowser();
  const redis = useRedis();

  it("leads from the address of a Redis to the failed jobs of a framework, which stay where they are", async () => {
    const at = `${redis.url}/9`;
    const queue = await failJob(at, "charges", "o-1");
    const watched = await office().pageOf("ana", ["admin"], "/connect");
    const { page } = watched;
    await page.getByLabel("What it is").selectOption("BullMQ");
    await page.getByText("Reads the set failed of each queue").waitFor();
    await page.getByLabel("Its address").fill("amqp://127.0.0.1:1");
    await page.getByRole("button", { name: "Look, and change nothing" }).click();
    await page
      .getByRole("alert")
      .getByText("That is an address of RabbitMQ, and BullMQ is at one such as redis://")
      .waitFor();
    await page.getByLabel("Its address").fill(at);
    await page.getByRole("button", { name: "Look, and change nothing" }).click();
    expect(await page.getByRole("row", { name: /^charges/ }).textContent()).toContain("charges1");
    await page.getByText("All its queues are read, and those that come later.").waitFor();
    await page.getByLabel("What to do with charges").selectOption("leave");
    await page.getByText("None of its queues is read, and none that comes later.").waitFor();
    await page.getByLabel("What to do with charges").selectOption("read");
    await expectToBeSound(watched, "connect-jobs");
    await page.getByRole("button", { name: "Connect, and read 1 failed job" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/dlo sources add my-bullmq .* --broker bullmq --queue '\*=observe'/).waitFor();
    await dialog.getByRole("button", { name: "Connect, and read 1 failed job" }).click();
    await page.getByText("my-bullmq is connected").waitFor();
    await page.getByRole("link", { name: "All sources" }).click();
    expect(await page.getByRole("row", { name: /^my-bullmq/ }).textContent()).toContain("* (read)");
    expect(await queue.getFailedCount()).toBe(1);
    await page.close();
  });

  it("says of a broker where idempotency keys are, and where its consumers keep their blocked keys", async () => {
    const watched = await office().pageOf("ana", ["admin"], "/connect");
    const { page } = watched;
    await page.getByLabel("What it is").selectOption("redis");
    await page.getByLabel("Its address").fill(redis.url);
    await page.getByRole("button", { name: "Look, and change nothing" }).click();
    await page.getByText("Keys of its messages").click();
    await page.getByLabel("Where consumers find the idempotency key").fill("/order/id");
    await page.getByLabel("Where ordered consumers keep their blocked keys").fill("postgres://dlo:hunter2@db/orders");
    await page.getByLabel("The schema of these keys").fill("shop");
    await expectToBeSound(watched, "connect-message-keys");
    await page.getByLabel("How the source is called").fill("keyed-redis");
    await page.getByRole("button", { name: "Connect, and drain nothing" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/--key \/order\/id --keys '\$\{KEYS_URL\}' --keys-schema shop/).waitFor();
    await dialog.getByRole("button", { name: "Connect, and drain nothing" }).click();
    await page.getByText("keyed-redis is connected").waitFor();
    await page.getByRole("link", { name: "All sources" }).click();
    const row = await page.getByRole("row", { name: /^keyed-redis/ }).textContent();
    expect(row).toContain("/order/id · blocked keys in a database");
    expect(await page.content()).not.toContain("hunter2");
    await page.close();
  });

  it("lets somebody choose other single keys, or none, and shows them where keys are shown", async () => {
    const watched = await office().pageOf("ana", ["admin"], "/settings/appearance");
    const { page } = watched;
    await page.getByLabel("Key for: show these keys").fill("k");
    await page.getByText("k is taken: previous row.").waitFor();
    await page.getByLabel("Key for: show these keys").fill("!");
    await page.getByText("k is taken").waitFor({ state: "detached" });
    await expectToBeSound(watched, "own-keys");
    await page.getByRole("heading", { name: "Settings" }).click();
    await page.keyboard.press("?");
    await page.keyboard.press("!");
    const dialog = page.getByRole("dialog", { name: "Keys" });
    expect(await dialog.getByText("show these keys").locator("..").textContent()).toBe("!show these keys");
    await page.keyboard.press("Escape");
    await page.getByLabel("Single keys do something").uncheck();
    // It is kept, and holds after a reload.
    await page.reload();
    await page.getByRole("heading", { name: "Settings" }).click();
    await page.keyboard.press("!");
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByRole("button", { name: /^Keys/ }).click();
    await page.getByText("Single keys are switched off in this browser.").waitFor();
    expect(new URL(page.url()).pathname).toBe("/settings/appearance");
    await page.close();
  });
});

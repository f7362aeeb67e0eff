import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { exitCodeOf } from "../cli/dlo.ts";
import { vhostOf } from "../inspectors/rabbitmq-admin.ts";
import { noChromium, startChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { shared } from "../servers/one-for-all.ts";
import { noRabbitmqServer, startRabbitmq } from "../servers/rabbitmq.ts";
import { freePort } from "../servers/server-process.ts";
import { askManagement, virtualHost } from "../servers/virtual-host.ts";
import { root } from "../sources.ts";
import { openClient } from "../transports/rabbitmq/workbench.ts";
import { complaintsOf, expectToBeSound } from "./office-in-browser.ts";

const minuteMs = 60_000;
const run = promisify(execFile);

/** Three dead letters of orders that nobody takes, and a queue that somebody takes from; and an account that may look. */
async function deadLettersOnRabbitmq() {
  const server = (await shared("rabbitmq")) ?? (await startRabbitmq());
  const { name, close } = await virtualHost(server);
  onTestFinished(close);
  const host = vhostOf(server, name);
  await host.queue("orders.dlq");
  await host.queue("orders", { "x-dead-letter-exchange": "", "x-dead-letter-routing-key": "orders.dlq" });
  await host.queue("bills.dlq");
  for (const order of ["1", "2", "3"]) await host.publish("orders.dlq", `{"order":${order}}`);
  const channel = await (await openClient(host.url)).createChannel();
  await channel.consume("bills.dlq", () => {});
  const user = `dlo-${name.slice(-8)}`;
  const allow = (read: string) =>
    askManagement(host.management, "PUT", `permissions/${encodeURIComponent(name)}/${user}`, {
      ...{ configure: "^$", write: "^$", read },
    });
  await askManagement(host.management, "PUT", `users/${user}`, { password: "hunter2", tags: "management" });
  await allow("^$");
  // What the management API tells of bytes and consumers comes a moment later.
  const seenOf = async (queue: string): Promise<unknown> => {
    const headers = { authorization: `Basic ${btoa("guest:guest")}` };
    const at = `${host.management.replace("guest:guest@", "")}/api/queues/${encodeURIComponent(name)}/${queue}`;
    return (await fetch(at, { headers })).json();
  };
  await eventually(
    async () => {
      expect(await seenOf("orders.dlq")).toMatchObject({ messages: 3, message_bytes: 33, consumer_details: [] });
      expect(await seenOf("bills.dlq")).toMatchObject({
        ...{ message_bytes: 0, consumer_details: [{ channel_details: { user: "guest", peer_host: "127.0.0.1" } }] },
      });
    },
    { withinMs: minuteMs },
  );
  return {
    address: (password: string) => ({
      url: host.url.replace("guest:guest", `${user}:${password}`),
      management: host.management.replace("guest:guest", `${user}:${password}`),
    }),
    allowToDrain: () => allow(String.raw`\.dlq$|^dlo\.reports$`),
  };
}

async function look(page: Page, { url, management }: { readonly url: string; readonly management: string }) {
  await page.getByLabel("Its address").fill(url);
  await page.getByLabel("Its management API").fill(management);
  await page.getByRole("button", { name: "Look, and change nothing" }).click();
}

describeServer("npm start", noChromium ?? noRabbitmqServer, () => {
  const folder = mkdtempSync(join(tmpdir(), "dlo-start-"));
  let browser: Browser;
  let child: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const listen = `127.0.0.1:${await freePort()}`;
    url = `http://${listen}/`;
    child = spawn(process.execPath, [join(root, "bin/dlo.js"), "demo", "--listen", listen], {
      stdio: "ignore",
      env: { ...process.env, DLO_DATA: folder },
    });
    browser = await startChromium();
    await eventually(async () => expect((await fetch(`${url}healthz`)).status).toBe(200), { withinMs: 4 * minuteMs });
  }, 5 * minuteMs);
  afterAll(async () => {
    await browser?.close();
    if (child?.exitCode === null && child.kill("SIGKILL")) await exitCodeOf(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it("is what commands ask that are typed beside it, by whoever is at this machine", async () => {
    const env = { PATH: process.env.PATH, HOME: folder, DLO_DATA: folder };
    const typed = async (...args: readonly string[]) => {
      const { stdout } = await run(process.execPath, [join(root, "bin/dlo.js"), ...args, "--json"], {
        cwd: folder,
        env,
      });
      return JSON.parse(stdout) as unknown;
    };
    expect(await typed("whoami")).toMatchObject({ server: url.replace(/\/$/, ""), person: "you", roles: ["admin"] });
    writeFileSync(join(folder, "dlo.config.yaml"), "version: 1\nsources: []\n");
    await expect(typed("whoami"), "a project has sources of its own").rejects.toMatchObject({ code: 4 });
    rmSync(join(folder, "dlo.config.yaml"));
  });

  it(
    "leads to an office of one's own, and there from the address of a RabbitMQ to its dead letters in the inbox",
    async () => {
      const broker = await deadLettersOnRabbitmq();
      const page = await browser.newPage();
      page.setDefaultTimeout(2 * minuteMs);
      const complaints = complaintsOf(page);
      await page.goto(url);
      await page.getByRole("button", { name: "Connect a real source" }).click();
      await page.getByText(`The link that makes you its admin is in the file ${join(folder, "first-run")}`).waitFor();
      await page.goto(readFileSync(join(folder, "first-run"), "utf8").trim());
      await page.getByLabel("Name").fill("ana");
      await page.getByLabel("Password").fill("correct horse battery");
      await page.getByRole("button").click();
      await page.getByRole("link", { name: "Connect a source" }).click();

      await look(page, broker.address("wrong"));
      await page.getByRole("alert").getByText("refuses the name or the password").waitFor();
      await page.getByText("rabbitmqctl set_user_tags dlo management").waitFor();
      // The browser notes by itself that an answer was a refusal.
      await eventually(() => expect(complaints).toEqual([expect.stringContaining("status of 502")]));
      complaints.length = 0;

      await look(page, broker.address("hunter2"));
      const row = page.getByRole("row", { name: /^orders\.dlq/ });
      await row.waitFor();
      expect(await row.textContent()).toMatch(/^orders\.dlqorders3\d+ Bnot toldnobody/);
      expect(await page.getByRole("row", { name: /^bills\.dlq/ }).textContent()).toContain("guest at 127.0.0.1");
      await page.getByLabel("What to do with bills.dlq").selectOption("drain");
      await page.getByText("guest at 127.0.0.1 already takes from bills.dlq").waitFor();
      await page.getByLabel("What to do with bills.dlq").selectOption("leave");
      await page.getByLabel("What to do with orders.dlq").selectOption("drain");
      await page.getByText("its depth goes to 0, and alarms on it go quiet").first().waitFor();
      await page.getByText("survives a crash of the office, and not a power cut").waitFor();
      expect(await page.locator("dl.facts").textContent()).toMatch(
        /To be drained3 lettersTheir size\d+ BFree where the ledger is\d+/,
      );
      await expectToBeSound({ page, complaints }, "connect");

      await page.getByRole("button", { name: "Connect, and drain 3 letters" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Connect, and drain 3 letters" }).click();
      await page.getByText("my-rabbitmq is connected").waitFor();
      // It may look, and not read yet: what is missing is said, with what to paste.
      await page.getByText(/ACCESS_REFUSED - access to queue 'orders\.dlq'/).waitFor();
      await page.getByText("To drain: to read the dead-letter queues, and dlo.reports").waitFor();
      await broker.allowToDrain();
      await eventually(
        async () => expect(await page.getByRole("row", { name: /orders\.dlq/ }).textContent()).toMatch(/3none( now|$)/),
        {
          withinMs: 2 * minuteMs,
        },
      );
      await page.getByRole("link", { name: "Open the inbox" }).click();
      await page.getByText("3 open letters in 1 group.").waitFor();
      await page.context().close();
    },
    8 * minuteMs,
  );

  it(
    "opens on the bad night without a password, alive, and begins it again when asked to",
    async () => {
      const page = await browser.newPage();
      page.setDefaultTimeout(2 * minuteMs);
      await page.goto(url);
      await page.getByText("Demo data.").waitFor();
      await page.getByRole("button", { name: "Live" }).waitFor();
      // It begins with 1,482 and goes on dying, however late a page comes.
      await page.getByText(/1,[4-9]\d\d open letters in 2\d groups\./).waitFor();
      expect(await page.locator("tbody tr").count()).toBeGreaterThanOrEqual(23);
      const letters = await page.getByRole("status").first().textContent();
      await eventually(async () => expect(await page.getByRole("status").first().textContent()).not.toBe(letters), {
        withinMs: minuteMs,
      });
      const begunAnew = page.waitForEvent("framenavigated");
      await page.getByRole("button", { name: "Reset", exact: true }).click();
      await begunAnew;
      await page.getByText(/1,[4-9]\d\d open letters in 2\d groups\./).waitFor();
      expect(child.kill("SIGTERM")).toBe(true);
      expect(await exitCodeOf(child)).toBe(0);
    },
    6 * minuteMs,
  );
});

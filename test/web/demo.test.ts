import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { exitCodeOf } from "../cli/dlo.ts";
import { noChromium, startChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { freePort } from "../servers/server-process.ts";
import { root } from "../sources.ts";

const minuteMs = 60_000;

describeServer("npm start", noChromium, () => {
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
    rmSync(folder, { recursive: true });
  });

  it(
    "opens on the bad night without a password, alive, and begins it again when asked to",
    async () => {
      const page = await browser.newPage();
      page.setDefaultTimeout(2 * minuteMs);
      await page.goto(url);
      await page.getByText("Demo data.").waitFor();
      await page.getByRole("button", { name: "Live" }).waitFor();
      await page.getByText(/1,4\d\d open letters in 2\d groups\./).waitFor();
      expect(await page.locator("tbody tr").count()).toBeGreaterThanOrEqual(23);
      const letters = await page.getByRole("status").first().textContent();
      await eventually(async () => expect(await page.getByRole("status").first().textContent()).not.toBe(letters), {
        withinMs: minuteMs,
      });
      const begunAnew = page.waitForEvent("framenavigated");
      await page.getByRole("button", { name: "Reset" }).click();
      await begunAnew;
      await page.getByText(/1,48\d open letters in 23 groups\./).waitFor();
      expect(child.kill("SIGTERM")).toBe(true);
      expect(await exitCodeOf(child)).toBe(0);
    },
    6 * minuteMs,
  );
});

import { rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { fileBodyStore } from "../../src/stores/file-body-store.ts";
import { s3BodyStore } from "../../src/stores/s3-body-store.ts";
import { systemHost } from "../../src/system/host.ts";
import { minuteMs } from "../http/up-process.ts";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";
import { noChromium } from "../servers/chromium.ts";
import { freePort, makeFolder } from "../servers/server-process.ts";
import { useOfficeInBrowser } from "./office-in-browser.ts";

const viewer = ["viewer"];

describe.skipIf(noChromium !== undefined)("the page of a letter whose large body is elsewhere", async () => {
  const { clock, newId } = systemHost;
  const folder = makeFolder("bodies-away", undefined);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const there = fileBodyStore({ folder, newId, clock });
  const away = await s3BodyStore({
    ...{ bucket: "letters", prefix: "", endpoint: `http://127.0.0.1:${await freePort()}`, region: null },
    ...{ clock, readWithinMs: 4_000 },
  });
  // What was stored at the time it came, and is away by the time somebody looks.
  const bodies = { ...there, read: away.read };
  const office = useOfficeInBrowser({ office: { bodies } });

  it("shows what the database knows, and says what is missing and why", { timeout: 4 * minuteMs }, async () => {
    process.env.AWS_ACCESS_KEY_ID ??= "tester";
    process.env.AWS_SECRET_ACCESS_KEY ??= "a secret of no worth";
    const { server, pageOf } = office();
    const letter = deadLetter({ body: "x".repeat(300_000), headers: { queue: "bills", class: "Declined" } });
    await hold(server.ledger, [{ letter, found: { kind: "position", position: "large" } }], {
      room: { ...testRoom(), bodies },
    });
    const found = await server.fromPage(await server.signedIn("eve", viewer), "/api/v1/letters?q=queue:bills");
    const id = found.json<{ items: { id: string }[] }>().items[0]?.id ?? "";
    const began = performance.now();
    const { page, complaints } = await pageOf("eve", viewer, `/letters/${id}`);
    await page.getByText("Its body can't be read now; all else is from the database.").waitFor();
    expect(performance.now() - began).toBeLessThan(15_000);
    await page.getByText("Declined").first().waitFor();
    await page.getByRole("button", { name: "Download, masked" }).click();
    await page.getByRole("alert").filter({ hasText: "The bucket letters, where large bodies are kept" }).waitFor();
    expect(complaints.filter((text) => !text.includes("503"))).toEqual([]);
  });
});

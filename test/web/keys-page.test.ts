import { expect, it } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { memoryBlockedKeys } from "../../src/stores/memory-blocked-keys.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { expectToBeSound, useOfficeInBrowser } from "./office-in-browser.ts";

const queue = "accounts";

describeServer("the page of blocked keys", noChromium, () => {
  const store = memoryBlockedKeys();
  const office = useOfficeInBrowser({
    office: {
      sourceNames: () => ["rabbit", "kafka"],
      async blockedKeysOf(source) {
        if (source === "rabbit") return store;
        throw new Error("connect ECONNREFUSED 10.0.0.7:5432");
      },
    },
  });

  async function place(key: Uint8Array, fate: "dead" | "parked"): Promise<number> {
    const turn = crypto.randomUUID();
    const number = await store.enter({ queue, key }, { mark: Buffer.from(turn), turn });
    await store.confirm({ queue, key }, number, turn, fate);
    return number;
  }

  it("shows what waits behind which letter, and a person plans its replay or releases its key", async () => {
    const { server, pageOf } = office();
    const key = Buffer.from("account-7");
    const number = await place(key, "dead");
    await place(key, "parked");
    await place(key, "parked");
    const headers = { queue, class: "NoAccount", message: "no account", "dlo-queue": queue, "dlo-lane": `${number}` };
    const message = makeMessage({ body: "{}", headers, key });
    await hold(server.ledger, [{ letter: deadLetter({}, { message }), found: { kind: "position", position: "1" } }]);

    const watched = await pageOf("otto", ["operator"], "/keys");
    const { page } = watched;
    await page.getByText("1 key waits, with 2 messages behind.").waitFor();
    await page.getByText("Not checked in kafka: connect ECONNREFUSED").waitFor();
    await page.getByRole("rowheader", { name: "account-7" }).waitFor();
    await page.getByRole("link", { name: "Plan a replay" }).waitFor();
    await expectToBeSound(watched, "blocked-keys");

    await page.getByRole("link", { name: "open", exact: true }).click();
    await page.getByText("2 messages wait behind this letter, by the key account-7.").waitFor();
    await expectToBeSound(watched, "letter-of-a-blocked-key");
    await page.getByRole("button", { name: "Release account-7" }).click();
    const dialog = page.getByRole("dialog", { name: "Release account-7" });
    await dialog.getByRole("textbox").fill("the account is closed");
    await dialog.getByRole("button", { name: "Release account-7" }).click();
    await page.getByText("Its place in the sequence of account-7: released.").waitFor();
    expect(await store.list(queue)).toMatchObject([{ state: "parked", behind: 1 }]);
    await page.close();
  });
});

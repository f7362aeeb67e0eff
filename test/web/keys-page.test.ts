import { expect, it } from "vitest";
import { showId } from "../../src/domain/ids.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { lettersAtPlaces } from "../../src/ledger/find-sequence-places.ts";
import { insertReleases } from "../../src/ledger/key-releases.ts";
import type { BlockedKeysAdmin } from "../../src/stores/blocked-keys.ts";
import { memoryBlockedKeys } from "../../src/stores/memory-blocked-keys.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { noChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { expectToBeSound, useOfficeInBrowser } from "./office-in-browser.ts";

const queue = "accounts";

describeServer("the page of blocked keys", noChromium, () => {
  const store = memoryBlockedKeys();
  const admin: BlockedKeysAdmin = {
    release: (places) => store.release(places),
    list: (of, options) => store.list(of, options),
    find: (asked) => store.find(asked),
    summarize: () => store.summarize(),
  };
  /** What the server asks; a test may let something happen before the answer. */
  let find = admin.find;
  const office = useOfficeInBrowser({
    office: {
      sourceNames: () => ["rabbit", "kafka"],
      async blockedKeysOf(source) {
        if (source === "rabbit") return { ...admin, find: (asked) => find(asked) };
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

  it("says that a place is gone which its store no longer has, and for which no release is noted", async () => {
    const { server, pageOf } = office();
    const { ledger } = server;
    const key = Buffer.from("account-8");
    await insertReleases(
      ledger,
      ledger.database,
      [{ source: "rabbit", queue, key, number: 9_999, letter: null }],
      "person",
    );
    // Its release is withdrawn while the store is asked.
    find = async (asked) => {
      await ledger.database.query(`delete from ${ledger.at}.key_releases where number = 9999`);
      return admin.find(asked);
    };
    const { page } = await pageOf("otto", ["operator"], "/keys");
    const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "account-8" }) });
    await row.getByText("gone", { exact: true }).waitFor();
    expect(await row.getByRole("button").count()).toBe(0);
    const headers = { queue, class: "NoAccount", message: "no account", "dlo-queue": queue, "dlo-lane": "9998" };
    const letter = deadLetter({}, { message: makeMessage({ body: "{}", headers, key }) });
    await hold(ledger, [{ letter, found: { kind: "position", position: "2" } }]);
    const [id] = (await lettersAtPlaces(ledger, [{ source: "rabbit", queue, key, number: 9_998 }])).values();
    await page.goto(new URL(`/letters/${showId("letter", id ?? new Uint8Array(16))}`, page.url()).href);
    await page.getByText("Its place in the sequence of account-8 is gone.").waitFor();
    await page.close();
  });

  it("shows keys that are behind the first page, and the way back", async () => {
    const { pageOf } = office();
    for (let n = 0; n < 130; n++) await place(Buffer.from(`later-${n}`), "dead");
    const first = (await store.list(queue, { limit: 100 })).map(({ key }) => Buffer.from(key).toString());
    const watched = await pageOf("otto", ["operator"], "/keys");
    const { page } = watched;
    await page.getByText("More keys wait: these are some that wait longest.").waitFor();
    const shown = async () => page.getByRole("rowheader").allTextContents();
    expect(await shown()).toEqual(first);
    await page.getByRole("link", { name: "Show more" }).click();
    await page.getByText(/^\d+ more keys wait, with \d+ messages? behind\.$/).waitFor();
    expect((await shown()).at(-1)).toBe("later-129");
    expect((await shown()).filter((key) => first.includes(key))).toEqual([]);
    await expectToBeSound(watched, "more-blocked-keys");
    await page.reload();
    await page.getByRole("rowheader", { name: "later-129" }).waitFor();
    await page.getByRole("link", { name: "First page" }).click();
    await page.getByRole("rowheader", { name: "later-0", exact: true }).waitFor();
    await page.close();
  });
});

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../src/testing/eventually.ts";
import { type TestServerOptions, useLedger } from "../../http/open-server.ts";
import { issuerAt } from "../../http/sign-in-there.ts";
import { freePort } from "../../servers/server-process.ts";
import { answerTricks, discoveryTricks } from "./answer-tricks.ts";
import { attempt, httpBrowser, type Trick } from "./attempt.ts";
import { flowTricks } from "./flow-tricks.ts";
import { honestLogout, logoutTricks } from "./logout-tricks.ts";
import { personTricks } from "./person-tricks.ts";
import { type HostileProvider, signed, startHostileProvider } from "./provider.ts";
import { claimTricks, signatureTricks } from "./token-tricks.ts";

/** Past what DLO gives a provider in all: the metadata, the keys, the token and who it is, each 10 s. */
const longestMs = 25_000;
/** An answer of 1 MB may be there several times over; what DLO reads without bounds is hundreds. */
const mostGrowthMb = 150;

const roles: NonNullable<TestServerOptions["roles"]> = [
  { name: "payments-ops", is: "operator", queues: ["*"], reveals: false },
];
const chapters: Readonly<Record<string, readonly Trick[]>> = {
  Signatures: signatureTricks,
  Claims: claimTricks,
  "Who someone is": personTricks,
  Answers: answerTricks,
  Discovery: discoveryTricks,
  "Ways back": flowTricks,
};

const ledger = useLedger();
let provider: HostileProvider;
beforeAll(async () => {
  provider = await startHostileProvider();
  const server = await ledger.open();
  await server.signedIn("dora", ["admin"]);
  // Without a trick it lets someone in: so it is the trick that a refusal is about.
  const { person } = await attempt(ledger.open, provider, {}, { roles });
  expect(person?.id).toBe("ana");
});
afterAll(() => provider.close());

async function peopleThere(): Promise<readonly string[]> {
  const { ledger: opened } = await ledger.open();
  const { rows } = await opened.database.query<{ id: string }>(`select id from ${opened.at}.people order by id`);
  return rows.map(({ id }) => id);
}

describe.each(Object.entries(chapters))("%s", (_chapter, tricks) => {
  it.each(tricks.map((trick) => [trick.name, trick] as const))("%s", async (_name, trick) => {
    const before = await peopleThere();
    const { person, refused, failures, tookMs, grewMb } = await attempt(ledger.open, provider, trick, { roles });
    if (trick.refusal === null) {
      expect(refused).toBe("");
      expect(person?.id).toMatch(trick.person ?? /^ana$/);
      expect(person?.roles).toEqual(["operator"]);
    } else {
      expect(person).toBeNull();
      expect(refused).toMatch(trick.refusal);
      // A refusal of ours, with a code and a sentence; not a failure of the server.
      expect(failures).toContain("SIGN_IN_REFUSED");
      expect(await peopleThere()).toEqual(before);
    }
    expect(provider.internal.reached()).toBe(0);
    expect(tookMs).toBeLessThan(longestMs);
    expect(grewMb).toBeLessThan(mostGrowthMb);
  });
});

describe("Logouts", () => {
  /** Signs ana in, has the provider send a logout, and gives what it was answered and whether she is still there. */
  async function logOut(tokens: readonly ((situation: Parameters<typeof honestLogout>[0]) => string)[]) {
    provider.behave({});
    const port = await freePort();
    const server = await ledger.open({ port, issuer: issuerAt(provider), roles });
    const close = await server.listen();
    try {
      const url = `http://127.0.0.1:${port}`;
      const browser = httpBrowser(url);
      // Who was signed out in this second, by the test before, is kept out until the next one.
      await eventually(async () => {
        await browser.follow(await browser.follow(await browser.begin()));
        expect((await browser.session()).person?.id).toBe("ana");
      });
      const { issuer, client, keys, internal } = provider;
      const now = Math.floor(Date.now() / 1_000);
      const situation = { issuer, client, keys, internal: internal.url, nonce: "", now };
      const statuses: number[] = [];
      for (const token of tokens) {
        const body = new URLSearchParams({ logout_token: token(situation) });
        statuses.push((await fetch(`${url}/auth/oidc/back-channel`, { method: "POST", body })).status);
      }
      return { statuses, person: (await browser.session()).person };
    } finally {
      await close();
    }
  }

  it("that are honest end the session", async () => {
    const { statuses, person } = await logOut([(situation) => signed(honestLogout(situation), situation)]);
    expect([statuses, person]).toEqual([[200], null]);
  });

  it.each(logoutTricks.map((trick) => [trick.name, trick] as const))("%s", async (name, { token }) => {
    const { statuses, person } = await logOut([(situation) => token(honestLogout(situation), situation)]);
    expect(statuses[0]).toBe({ "a logout of another person": 200, "a logout of a megabyte": 413 }[name] ?? 400);
    expect(person?.id).toBe("ana");
  });

  it("a logout that was carried out before", async () => {
    let sent = "";
    const { statuses } = await logOut([
      (situation) => {
        sent = signed(honestLogout(situation), situation);
        return sent;
      },
      () => sent,
    ]);
    expect(statuses).toEqual([200, 400]);
  });
});

it("The README lists every trick, in order", () => {
  const names = [...Object.values(chapters).flat(), ...logoutTricks].map(({ name }) => name);
  const listed = readFileSync(new URL("README.md", import.meta.url), "utf8").matchAll(/^- (.+)$/gm);
  expect([...listed].map(([, name]) => name)).toEqual([...names, "a logout that was carried out before"]);
  expect(names.length).toBeGreaterThanOrEqual(60);
});

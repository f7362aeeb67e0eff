import { setTimeout as pause } from "node:timers/promises";
import type { Ledger } from "../src/ledger/ledger.ts";
import { holdBatch } from "../src/office/intake/hold-batch.ts";
import { startChromium } from "../test/servers/chromium.ts";
import { benchActor, benchRoom, foundLetters } from "./ledger-intake.ts";
import { benchQueues } from "./ledger-letters.ts";
import type { BenchedOffice } from "./office-process.ts";

/** How long answers took, in milliseconds, by what was asked. */
export interface Asked {
  readonly name: string;
  readonly ms: readonly number[];
}

/** What pages and programs ask for most; the nth of many, each about another queue. */
const questions: Readonly<Record<string, (n: number) => string>> = {
  inbox: () => "inbox?limit=200",
  queues: () => "queues",
  "letters of a queue": (n) => `letters?q=${encodeURIComponent(`queue:queue-${n % benchQueues}`)}`,
  "words in errors": (n) => `letters?q=${encodeURIComponent(`queue:queue-${n % benchQueues} error:refused`)}`,
  status: () => "status",
};

export interface Crowd {
  readonly clients: number;
  readonly perSecond: number;
  readonly signal: AbortSignal;
}

/** Each client asks so often a second, one question after the other, until `signal` aborts. */
export async function askOften(
  { url, cookie }: BenchedOffice,
  { clients, perSecond, signal }: Crowd,
): Promise<{ readonly asked: readonly Asked[]; readonly refused: number }> {
  const times = new Map<string, number[]>(Object.keys(questions).map((name) => [name, []]));
  const names = Object.keys(questions);
  let refused = 0;
  const ask = async (n: number) => {
    const name = names[n % names.length] ?? "";
    const startedAt = performance.now();
    const answer = await fetch(`${url}/api/v1/${questions[name]?.(n)}`, { headers: { cookie: cookie.join("=") } });
    await answer.arrayBuffer();
    if (answer.ok) times.get(name)?.push(performance.now() - startedAt);
    else refused += 1;
  };
  const everyMs = 1_000 / perSecond;
  const client = async (which: number) => {
    // Not all in the same moment.
    await pause((which / clients) * everyMs);
    for (let n = which; !signal.aborted; n++) {
      const next = pause(everyMs);
      await ask(n).catch(() => {
        refused += 1;
      });
      await next;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, which) => client(which)));
  return { asked: [...times].map(([name, ms]) => ({ name, ms })), refused };
}

/** Gives how many events it heard. */
export async function followStream({ url, cookie }: BenchedOffice, signal: AbortSignal): Promise<number> {
  let heard = 0;
  try {
    const { body } = await fetch(`${url}/api/v1/stream?topics=inbox`, {
      headers: { cookie: cookie.join("=") },
      signal,
    });
    const decoder = new TextDecoder();
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>)
      heard += decoder.decode(chunk, { stream: true }).split("event: change").length - 1;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return heard;
}

/** Ten letters a second, so that there is something to hear. */
export async function keepDying(ledger: Ledger, signal: AbortSignal): Promise<void> {
  for (let n = 10_000_000; !signal.aborted; n += 10) {
    const next = pause(1_000);
    const letters = await foundLetters(
      benchRoom,
      Array.from({ length: 10 }, (_, at) => n + at),
    );
    await holdBatch(ledger, { letters, actor: benchActor, now: Date.now(), by: "import", session: null });
    await next;
  }
}

/** Opens the inbox so often in a real browser, as from a pager: gives how long it took until rows could be followed. */
export async function readInbox(
  { url, cookie: [name, value] }: BenchedOffice,
  times: number,
): Promise<readonly number[]> {
  const browser = await startChromium();
  try {
    const taken: number[] = [];
    for (let n = 0; n < times; n++) {
      const context = await browser.newContext();
      await context.addCookies([{ name, value, url }]);
      const page = await context.newPage();
      const startedAt = performance.now();
      await page.goto(`${url}/`, { waitUntil: "commit" });
      await page.locator("a[data-row]").first().waitFor();
      taken.push(performance.now() - startedAt);
      await context.close();
      await pause(1_000);
    }
    return taken;
  } finally {
    await browser.close();
  }
}

import { Agent, type RequestOptions, request } from "node:http";
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
  const agent = new Agent({ keepAlive: true });
  const ask = async (n: number) => {
    const name = names[n % names.length] ?? "";
    const startedAt = performance.now();
    const status = await answered(`${url}/api/v1/${questions[name]?.(n)}`, {
      agent,
      headers: { cookie: cookie.join("=") },
    });
    if (status === 200) times.get(name)?.push(performance.now() - startedAt);
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
  agent.destroy();
  return { asked: [...times].map(([name, ms]) => ({ name, ms })), refused };
}

/** The status of an answer that has come whole. By hand: `fetch` costs the machine that is measured twice as much. */
function answered(url: string, options: RequestOptions): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request(url, options, (answer) => {
      answer
        .on("end", () => resolve(answer.statusCode))
        .on("error", reject)
        .resume();
    });
    asking.on("error", reject).end();
  });
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

/**
 * Opens the inbox so often in a real browser, as from a pager, with nothing in its cache: gives how long it took until rows could be
 * followed. Once more before that: who is paged has a browser that runs, and an office that does.
 */
export async function readInbox(
  { url, cookie: [name, value] }: BenchedOffice,
  times: number,
): Promise<readonly number[]> {
  const browser = await startChromium();
  try {
    const taken: number[] = [];
    for (let n = 0; n <= times; n++) {
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
    return taken.slice(1);
  } finally {
    await browser.close();
  }
}

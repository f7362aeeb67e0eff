import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { buildWeb } from "../scripts/build-web.mjs";
import { pgDatabase } from "../src/databases/pg.ts";
import { type Ledger, openLedger } from "../src/ledger/ledger.ts";
import { startPostgres } from "../test/servers/postgres.ts";
import { fillLedger } from "./growth-letters.ts";
import { type Asked, askOften, followStream, keepDying, readInbox } from "./office-clients.ts";
import { type BenchedOffice, startBenchOffice } from "./office-process.ts";
import { table } from "./print-report.ts";
import type { Report } from "./suite.ts";
import { untilQuiet } from "./until-quiet.ts";

/** As a small server of one's own is set up; memory beside it is the system's cache. */
const settings = { shared_buffers: "512MB", max_wal_size: "4GB", work_mem: "16MB", random_page_cost: "1.1" };
const crowd = { streams: 9, clients: 100, perSecond: 2 };
const inboxReads = 40;
const usableMs = 1_000;

/** One browser, nine that follow the stream and a hundred that ask, on a ledger of so many letters while more come. */
export async function measureOffice(letters: number): Promise<{ readonly report: Report; readonly text: string }> {
  buildWeb(process.execPath);
  const data = mkdtempSync(join(tmpdir(), "dlo-bench-office-"));
  const server = await startPostgres(settings);
  const pool = new pg.Pool({ connectionString: server.url(), max: 2 });
  try {
    const ledger = await openLedger({ database: pgDatabase(pool, { listener: false }) });
    await fillLedger(ledger, letters);
    const office = await startBenchOffice({ database: server.url(), data });
    try {
      return outcomeOf(letters, await underLoad(ledger, office));
    } finally {
      await office.close();
    }
  } finally {
    await pool.end();
    await server.close();
    rmSync(data, { recursive: true });
  }
}

interface Measured {
  /** Milliseconds until rows could be read and followed, each time the inbox was opened. */
  readonly inbox: readonly number[];
  /** Milliseconds, by what was asked. */
  readonly asked: readonly Asked[];
  readonly refused: number;
  /** Events that each of those heard who follow the stream. */
  readonly heard: readonly number[];
  readonly load: number;
}

async function underLoad(ledger: Ledger, office: BenchedOffice): Promise<Measured> {
  await untilQuiet();
  const over = new AbortController();
  const streams = Array.from({ length: crowd.streams }, () => followStream(office, over.signal));
  const asking = askOften(office, { ...crowd, signal: over.signal });
  const dying = keepDying(ledger, over.signal);
  const inbox = await readInbox(office, inboxReads).finally(() => over.abort());
  const load = loadavg()[0] ?? Number.NaN;
  const { asked, refused } = await asking;
  const heard = await Promise.all(streams);
  await dying;
  return { inbox, asked, refused, heard, load };
}

function outcomeOf(letters: number, { inbox, asked, refused, heard, load }: Measured) {
  const variants = [{ name: "inbox in the browser", ms: inbox }, ...asked].map(({ name, ms }) => summary(name, ms));
  const p95 = shareOf(inbox, 0.95);
  const report: Report = {
    variants,
    ratios: [{ name: "inbox usable, p95 in ms", value: rounded(p95), goal: usableMs, met: p95 <= usableMs }],
  };
  const perSecond = crowd.clients * crowd.perSecond;
  const text = [
    `An office on ${letters.toLocaleString("en")} letters: one browser, ${crowd.streams} streams, ${crowd.clients} clients that ask `,
    `${perSecond} times a second together, ten letters more a second.\n`,
    `${refused} questions were not answered; each stream heard ${Math.min(...heard)} to ${Math.max(...heard)} events; load ${load.toFixed(1)}.\n\n`,
    table([
      ["ms", "median", "min", "max", "p95", "n"],
      ...[{ name: "inbox in the browser", ms: inbox }, ...asked].map(({ name, ms }) => {
        const { median, min, max } = summary(name, ms);
        return [name, median, min, max, rounded(shareOf(ms, 0.95)), ms.length].map(String);
      }),
    ]),
    `\nInbox usable within ${usableMs} ms: ${p95 <= usableMs ? "met" : "missed"} (p95 ${rounded(p95)} ms)\n`,
  ].join("");
  return { report, text };
}

function summary(name: string, ms: readonly number[]) {
  return {
    name,
    median: rounded(shareOf(ms, 0.5)),
    min: rounded(shareOf(ms, 0)),
    max: rounded(shareOf(ms, 1)),
    unit: "ms",
  };
}

function shareOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

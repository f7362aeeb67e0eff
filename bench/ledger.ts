import { startPostgres } from "../test/servers/postgres.ts";
import { copyVariant, intakeVariant } from "./ledger-variants.ts";
import { type Suite, thenClose } from "./suite.ts";

const letters = 10_000;

/** As a server that must not lose a letter is set up. */
export const durable = { fsync: "on", full_page_writes: "on", synchronous_commit: "on", max_wal_size: "4GB" };

export async function suite(): Promise<Suite> {
  const server = await startPostgres(durable);
  const at = (connections: number) => ({ url: server.url(), connections, letters });
  const variants = [
    await copyVariant(at(1)),
    await intakeVariant(at(1)),
    await copyVariant(at(2)),
    await intakeVariant(at(2)),
  ];
  return {
    about:
      `Dead letters of about 3 KB into the ledger on PostgreSQL (fsync, synchronous_commit and full_page_writes on), ${letters} ` +
      "a sample in batches of 500. Intake reads, classifies, groups and masks each letter, and writes keys, bodies, stacks, " +
      "counters and audit; raw COPY writes the same rows into the same tables with the same indexes, in binary.",
    unit: "letters/s",
    rounds: 5,
    variants: thenClose(variants, server),
    ratios: [
      ratio("intake beside raw COPY, 1 connection", "intake, 1 connection", "raw COPY, 1 connection"),
      ratio("intake beside raw COPY, 2 connections", "intake, 2 connections", "raw COPY, 2 connections"),
    ],
  };
}

function ratio(name: string, ours: string, theirs: string): Suite["ratios"][number] {
  return { name, value: (median) => median(ours) / median(theirs), goal: 0.6, is: "at least" };
}

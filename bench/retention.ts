import { startPostgres } from "../test/servers/postgres.ts";
import { durable } from "./ledger.ts";
import { intakeVariant } from "./ledger-variants.ts";
import { besideRetention } from "./retention-variants.ts";
import { type Suite, thenClose } from "./suite.ts";

const letters = 10_000;

export async function suite(): Promise<Suite> {
  const server = await startPostgres(durable);
  const alone = await intakeVariant({ url: server.url(), connections: 2, letters });
  const beside = await besideRetention({ url: server.url(), connections: 2, letters });
  return {
    about:
      `Dead letters into the ledger on PostgreSQL (fsync, synchronous_commit and full_page_writes on), ${letters} a sample, alone and while ` +
      "retention expires letters of an old week in the same database, for as long as the sample takes.",
    unit: "letters/s",
    rounds: 5,
    variants: thenClose([alone, beside], server),
    ratios: [
      {
        name: "intake while retention runs beside intake alone",
        value: (median) => median("intake while retention runs") / median("intake, 2 connections"),
        goal: 0.8,
        is: "at least",
      },
    ],
  };
}

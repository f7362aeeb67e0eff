import { describe, expect, it } from "vitest";
import type { Database } from "../../domain/database.ts";
import { done, makeMessage } from "../../domain/message.ts";
import type { ConsumeOptions, Incident } from "../transport.ts";
import { type PostgresTransportOptions, postgresTransport } from "./transport.ts";

const away = () => Promise.reject(new Error("away"));
const database: Database = { serial: false, query: away, transaction: away };

const quietly = (incidents: Incident[]): ConsumeOptions => ({
  ...{ concurrency: 1, prefetch: 1, order: "none", leaseMs: 1_000, returnDelayMs: 100 },
  signal: new AbortController().signal,
  report: (incident) => incidents.push(incident),
});

describe("the options of the PostgreSQL transport", () => {
  it.each<[string, object, string]>([
    ["a misspelt name", { shema: "dlo" }, "`shema` is not an option. Did you mean `schema`?"],
    ["no database", { database: undefined }, "`database` must be what pgDatabase or pgliteDatabase makes"],
    ["a pool in place of a database", { database: {} }, "`database` must be what pgDatabase or pgliteDatabase makes"],
    ["no pause", { pollMs: 0 }, "`pollMs` must be a number, 1 or more"],
    ["no time to answer", { answerWithinMs: 0 }, "`answerWithinMs` must be a number, 1 or more"],
    [
      "too large messages",
      { maxMessageBytes: 1e9 },
      "`maxMessageBytes` must be a whole number, between 1 and 251658240",
    ],
    ["a schema without a name", { schema: "" }, "`schema` must be a name of 1 to 63 bytes"],
  ])("are refused with %s", (_what, options, sentence) => {
    const given = { database, ...options } as PostgresTransportOptions;
    expect(() => postgresTransport(given)).toThrow(sentence);
  });

  it("include no name that PostgreSQL cannot write: it is refused at once, not taken for a lost connection", async () => {
    const transport = postgresTransport({ database });
    const invalid = { code: "INVALID_OPTION", message: expect.stringContaining("Unicode text without NUL") as string };
    const incidents: Incident[] = [];
    for (const name of ["", "a\0b", "\ud800"]) {
      await expect(transport.send({ name }, makeMessage({}))).rejects.toMatchObject(invalid);
      await expect(transport.consume({ name }, async () => done, quietly(incidents))).rejects.toMatchObject(invalid);
    }
    expect(incidents).toEqual([]);
  });

  it("ask nothing of the database before it is used", () => {
    expect(() => postgresTransport({ database, pollMs: 500 })).not.toThrow();
  });
});

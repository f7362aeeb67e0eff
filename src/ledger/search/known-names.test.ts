import { describe, expect, it } from "vitest";
import type { Database } from "../../domain/database.ts";
import { parseQuery } from "../../domain/query/parse-query.ts";
import type { Ledger } from "../ledger.ts";
import { matchingNames, readKnownNames } from "./known-names.ts";

describe("names that a search may mean", () => {
  const names = ["orders", "orders.eu", "Orders.EU.retry", "a.b", "aXb", "ΟΔΟΣ.eu"];
  it.each([
    ["orders", ["orders"]],
    ["orders*", ["orders", "orders.eu", "Orders.EU.retry"]],
    ["*.eu", ["orders.eu", "ΟΔΟΣ.eu"]],
    ["*eu*", ["orders.eu", "Orders.EU.retry", "ΟΔΟΣ.eu"]],
    ["o*.*retry", ["Orders.EU.retry"]],
    ["a.b", ["a.b"]],
    ["a*b", ["a.b", "aXb"]],
    ["οδοσ*", ["ΟΔΟΣ.eu"]],
    ["*", names],
    // A star stands for nothing too, but what was matched once is not matched again.
    ["orders*orders", []],
    ["*orders*", ["orders", "orders.eu", "Orders.EU.retry"]],
  ])("are for %s those that fit", (wanted, found) => {
    expect(matchingNames(names, wanted, wanted.includes("*"))).toEqual(found);
  });

  it("have a star where somebody quoted one", () => {
    expect(matchingNames(["a*b", "axb"], "a*b", false)).toEqual(["a*b"]);
  });

  it("are told at once, however many stars somebody writes", () => {
    const long = "a".repeat(20_000);
    expect(matchingNames([long], `${"*".repeat(50)}x`, true)).toEqual([]);
    expect(matchingNames([long], `${"*a".repeat(50)}*x`, true)).toEqual([]);
    expect(matchingNames([long], `${"*a".repeat(50)}*`, true)).toEqual([long]);
  });

  it("are asked for only in the fields that the search names", async () => {
    const asked: string[] = [];
    const query = (text: string) => {
      asked.push(text);
      return Promise.resolve({ rows: [{ field: "queue", names: null }], count: 1 });
    };
    const ledger = { database: { query } as Partial<Database> as Database, at: "dlo" } as Ledger;
    expect(await readKnownNames(ledger, parseQuery("queue:orders OR -queue:stock"))).toEqual(new Map([["queue", []]]));
    expect(await readKnownNames(ledger, parseQuery("category:transient"))).toEqual(new Map());
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("dlo.queues");
    expect(asked[0]).not.toContain("dlo.groups");
  });
});

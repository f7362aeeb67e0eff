import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { causes, heldOutCauses } from "../../../test/triage/causes.ts";
import { lettersOfCause, readCauses } from "../../../test/triage/letters-of-cause.ts";
import { type FailureEvidence, noEvidence } from "../../domain/classification.ts";
import { fingerprint } from "./fingerprint.ts";
import { messageTemplate } from "./message-template.ts";

const of = (evidence: Partial<FailureEvidence>) => fingerprint({ ...noEvidence, ...evidence });

describe("a fingerprint", () => {
  it("says what it is made of", () => {
    const evidence = {
      errorClass: "PSQLException",
      code: "23505",
      message: 'duplicate key value violates unique constraint "orders_no_key" Detail: Key (no)=(R-17) already exists.',
      stack: ["at com.shop.Orders.insert(Orders.java:17)"],
    };
    expect(of(evidence).id).toMatch(/^[0-9a-f]{16}$/);
    expect(of(evidence)).toMatchObject({
      parts: [
        { name: "class", value: "PSQLException" },
        { name: "code", value: "23505" },
        {
          name: "message",
          value: "duplicate key value violates unique constraint orders_no_key detail key no =# already exists",
        },
        { name: "place", value: "com.shop.Orders.insert" },
      ],
    });
  });

  it("is of the failure alone", () => {
    const error = { errorClass: "Error", message: "no" };
    const around = { attempts: 3, headers: { a: "b" }, payloadExcerpt: "x", ecosystem: "node", ownWord: "schema" };
    expect(of({ ...error, ...around })).toEqual(of(error));
  });

  it("stays the same across deploys and hosts", () => {
    const at = (frame: string) => of({ errorClass: "TypeError", message: "boom", stack: [frame] }).id;
    expect(at("at ship (/srv/app-1.4.2/dist/ship.js:10:3)")).toBe(at("at ship (/opt/app/dist/ship.js:99:12)"));
    expect(at("at ship (/srv/ship.js:10:3)")).not.toBe(at("at cancel (/srv/ship.js:10:3)"));
  });

  it("never throws, and cuts what is too long", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3_000 }), fc.array(fc.string()), (message, stack) => {
        expect(of({ message, stack }).parts.every(({ value }) => value.length <= 300)).toBe(true);
      }),
    );
  });
});

describe("the template of a message", () => {
  it.each([
    ["a UUID", "order 6d285930-6e5b-489d-be76-a50c00967ba4 is gone", "order # is gone"],
    ["a list of numbers", "ids 1, 22 and 333 are gone", "ids # are gone"],
    ["money and its currency", "paid EUR 12.50 of 99 USD", "paid # of #"],
    ["a time and its unit", "gave up after 1.5 seconds", "gave up after #"],
    ["a date in words", "closed since Mon, 02 Jan 2026 15:04:05 GMT for all", "closed since # for all"],
    ["an address", "cannot reach jane@shop.example at 10.0.0.1:443", "cannot reach # at #"],
    ["a URL", "GET https://a.example/x?y=1 failed", "get # failed"],
    ["a path", "no such file /data/in/jan.csv here", "no such file # here"],
    ["a quoted value", "no customer 'Jane Doe' here", "no customer # here"],
    ["base64", "token dGhpcyBpcyBhIHRlc3Q= refused", "token # refused"],
    ["a piece of payload", 'cannot take {"id":1,"name":"x"} now', "cannot take now"],
    ["the value of a pair", "tenant=acme user=jane denied", "tenant=# user=# denied"],
  ])("takes out %s", (_what, message, template) => {
    expect(messageTemplate(message)).toBe(template);
  });

  it.each([
    ["the status of an answer", "failed with status code 503", "failed with status code 503"],
    ["a code of a database", "ORA-00060: deadlock detected", "ora 00060 deadlock detected"],
    ["the name of a column", 'null value in column "user_id"', "null value in column user_id"],
    [
      "what an answer says of the error",
      '{"error":{"type":"not_allowed","message":"no stock"}}',
      "not_allowed no stock",
    ],
    ["a class in a namespace", "no results for App\\Models\\Order", "no results for app models order"],
  ])("keeps %s", (_what, message, template) => {
    expect(messageTemplate(message)).toBe(template);
  });
});

describe("grouping", () => {
  it.each([
    { list: causes, count: 60, most: 70 },
    { list: heldOutCauses, count: 24, most: 34 },
  ])(
    "makes at most $most groups of 40 letters of each of $count causes, and never mixes two",
    ({ list, count, most }) => {
      const read = readCauses(list);
      expect(read).toHaveLength(count);
      const ofGroup = new Map<string, Set<number>>();
      read.forEach((cause, number) => {
        for (const letter of lettersOfCause(cause, 40, `cause ${number}`)) {
          const { id } = fingerprint(letter);
          ofGroup.set(id, (ofGroup.get(id) ?? new Set()).add(number));
        }
      });
      expect([...ofGroup.values()].filter((numbers) => numbers.size > 1)).toEqual([]);
      expect(ofGroup.size).toBeLessThanOrEqual(most);
    },
  );
});

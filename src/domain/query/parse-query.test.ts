import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOfficeError } from "../errors.ts";
import { parseQuery } from "./parse-query.ts";

describe("a search", () => {
  it.each([
    'category:transient queue:orders age:>1h error:"timeout"',
    'category:transient,unknown -queue:"orders.dead letter" replays:>=1',
    "is:returned was:transient outcome:schema_mismatch",
    "(queue:orders OR queue:billing) replay:ready",
    "header.x-tenant:acme body.order.id:812 has:edit",
    'body.items[*].sku:"A-1" size:>64kb',
    "arrived:2026-11-15T14:00Z..2026-11-15T15:00Z",
    "arrived:>now-2h version:<2.15.0 type:OrderPlaced*",
    "group:grp_7f3a9c NOT is:snoozed",
    "age:1h..6h attempts:>=5",
    "ECONNRESET payments-api",
    "!category:poison confidence:<0.6",
    "expires:<12h",
    "",
    "   ",
    "a AND (b OR NOT c) OR -d",
  ])("is understood: %s", (text) => {
    expect(() => parseQuery(text)).not.toThrow();
  });

  it.each([
    ["catgory:transient", 1, 'Unknown filter "catgory:".', "Did you mean category: ?"],
    ["age:>soon", 6, '"soon" is not a duration.', "Use 30s, 15m, 1h, 7d or 2w."],
    ["queue:>orders", 1, "`queue:` cannot be compared with `>`.", "Leave it out: queue:orders"],
    ['error:"timeout', 7, "This quote is never closed.", 'Write `"` where it ends.'],
    ["queue:", 1, "`queue:` has no value.", "Write one right after it: queue:…"],
    ["(queue:a", 1, "This parenthesis is never closed.", "Write `)` where it ends."],
    ["queue:a) b", 8, "Unexpected `)`.", "Take it away, or open a parenthesis before it."],
    ["x category:transeint", 12, 'There is no category "transeint".', "Did you mean category:transient ?"],
    ["http://x", 1, 'Unknown filter "http:".', 'Quote it to look for it as text: "http:…"'],
    ["header:x", 1, "`header` needs a name after it.", "Such as header.x-tenant:acme"],
    ["age:1h..soon", 5, '"soon" is not a duration.', "Use 30s, 15m, 1h, 7d or 2w."],
    ["arrived:yesterday", 9, '"yesterday" is not a time.', "Use 2026-11-15, 2026-11-15T14:00Z or now-2h."],
    ["a OR", 5, "Something is missing here.", "Write what to look for."],
    ["queue:a,", 1, "`queue:` has no value.", "Write one right after it: queue:…"],
    [",", 1, "Unexpected `,`.", "Quote it to look for it as text."],
    ["__proto__:x", 1, 'Unknown filter "__proto__:".', 'Quote it to look for it as text: "__proto__:…"'],
    ["queue:a\n  catgory:b", 3, 'Unknown filter "catgory:".', "Did you mean category: ?"],
  ])("is refused at its character: %j", (text, column, message, hint) => {
    const refusal = refusalOf(text);
    expect(refusal.message.split("\n")[0]).toBe(message);
    expect(refusal.details).toMatchObject({ column, hint });
  });

  it("shows where it goes wrong", () => {
    expect(refusalOf("queue:a catgory:b").message).toBe(
      'Unknown filter "catgory:".\n  queue:a catgory:b\n          ^^^^^^^',
    );
  });

  it("binds and closer than or, and not closest", () => {
    expect(parseQuery("a b OR -c")).toMatchObject({
      kind: "or",
      parts: [
        { kind: "and", parts: [{ kind: "text" }, { kind: "text" }] },
        { kind: "not", part: { kind: "text" } },
      ],
    });
  });

  it("takes several values, a range and a phrase", () => {
    expect(parseQuery("category:transient,unknown")).toMatchObject({
      values: [{ text: "transient" }, { text: "unknown" }],
    });
    expect(parseQuery("age:1h..6h")).toMatchObject({ values: [{ kind: "range", from: "1h", to: "6h" }] });
    expect(parseQuery('error:"say \\"no\\" (now)"')).toMatchObject({
      values: [{ kind: "phrase", text: 'say "no" (now)' }],
    });
    expect(parseQuery("arrived:>=2026-11-15T14:00Z")).toMatchObject({
      comparison: ">=",
      values: [{ text: "2026-11-15T14:00Z" }],
    });
  });

  it("is never anything but understood or refused with a place, whatever is written", () => {
    const piece = fc.constantFrom(
      "(",
      ")",
      '"',
      "-",
      "!",
      ":",
      ",",
      "..",
      " ",
      "OR",
      "AND",
      "NOT",
      "queue",
      "age",
      ">",
      "1h",
      "*",
      "body.a[*]",
      "\\",
      "\n",
      "é",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((parts) => parts.join("")),
        ),
        (text) => {
          try {
            parseQuery(text);
          } catch (error) {
            expect(isOfficeError(error, "INVALID_QUERY")).toBe(true);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("does not run out of stack", () => {
    expect(refusalOf("(".repeat(3_000)).message).toContain("too deep");
    expect(refusalOf("-".repeat(3_000)).message).toContain("too deep");
    expect(refusalOf("x ".repeat(3_000)).message).toContain("too long");
  });
});

function refusalOf(text: string) {
  try {
    parseQuery(text);
  } catch (error) {
    if (isOfficeError(error, "INVALID_QUERY")) return error;
  }
  throw new Error("It was understood.");
}

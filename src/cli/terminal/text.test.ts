import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shortened, visible } from "./text.ts";

describe("text from somewhere else", () => {
  it("has nothing in it that a terminal obeys, whatever it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 0, max: 0xffff }), (text, unit) => {
        const shown = visible(text + String.fromCharCode(unit));
        expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(visible(shown)).toBe(shown);
      }),
    );
  });

  it("stays as it is where there is nothing to fear", () => {
    expect(visible("orders.dlq 日本 é 🙂")).toBe("orders.dlq 日本 é 🙂");
    expect(visible("a\u001b[31m\u202eb\n")).toBe("a\\u{1b}[31m\\u{202e}b\\u{a}");
  });

  it("is shortened in the middle, never to more than the width", () => {
    expect(shortened("orders.billing.dlq", 11)).toBe("order…g.dlq");
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 2, max: 40 }), (text, width) => {
        expect([...shortened(text, width)].length).toBeLessThanOrEqual(Math.max(width, 0));
      }),
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failureSignature, payloadShape, shortHash } from "./signature.ts";

const parts = { errorClass: "TypeError", queue: "orders", handler: "place-order", shape: "{id:number}" };

it("is the same for the same failure and another for every part that differs", () => {
  const all = [
    failureSignature(parts),
    ...Object.keys(parts).map((name) => failureSignature({ ...parts, [name]: "other" })),
  ];
  expect(new Set(all).size).toBe(5);
  expect(failureSignature({ ...parts })).toBe(all[0]);
});

it("does not confuse where one part ends and the next begins", () => {
  const one = failureSignature({ ...parts, queue: "ab", handler: "c" });
  expect(failureSignature({ ...parts, queue: "a", handler: "bc" })).not.toBe(one);
});

it("hashes to twelve hex digits, the same in every release: they travel with messages", () => {
  expect(shortHash("TypeError")).toBe("152c82590b5d");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(shortHash(text)).toMatch(/^[0-9a-f]{12}$/);
    }),
  );
});

it("keeps apart a hundred thousand texts that hardly differ", () => {
  const hashes = new Set(Array.from({ length: 100_000 }, (_, n) => shortHash(`order-${n}`)));
  expect(hashes.size).toBe(100_000);
});

describe("the shape of a payload", () => {
  it("has keys and types, no values", () => {
    const shape = payloadShape({
      b: "secret",
      a: 1,
      deep: { ok: true, none: null },
      at: new Date(0),
      raw: new Uint8Array(2),
    });
    expect(shape).toBe("{a:number,at:date,b:string,deep:{none:null,ok:boolean},raw:bytes}");
  });

  it("does not depend on the order of keys or on how long a list is", () => {
    expect(payloadShape({ a: 1, b: [1, 2, 3] })).toBe(payloadShape({ b: [9], a: 2 }));
    expect(payloadShape([1, "x", 2])).toBe("[number|string]");
  });

  it("writes keys that are ids as *, so that a map from id to thing has one shape", () => {
    const one = payloadShape({ "42": { n: 1 }, "43": { n: 2 } });
    expect(one).toBe("{*:{n:number}}");
    expect(payloadShape({ "0b7a9a4c-6d1e-4c5f-9f0a-1b2c3d4e5f60": { n: 1 } })).toBe(one);
  });

  it("differs where a field is missing or of another type", () => {
    const shapes = [{ a: 1 }, { a: "1" }, { a: null }, {}, { a: [1] }].map(payloadShape);
    expect(new Set(shapes).size).toBe(5);
  });

  it("stays small, and never throws, whatever the payload is", () => {
    const endless: Record<string, unknown> = {};
    endless.self = endless;
    expect(payloadShape(endless).length).toBeLessThan(100);
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`key${n}`, { n }]));
    expect(payloadShape(wide).length).toBeLessThanOrEqual(4_096);
    expect(
      payloadShape(
        new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error("no");
            },
          },
        ),
      ),
    ).toBe("unreadable");
    fc.assert(
      fc.property(fc.anything(), (payload) => {
        expect(payloadShape(payload).length).toBeLessThanOrEqual(4_096);
      }),
    );
  });
});

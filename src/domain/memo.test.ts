import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { memo } from "./memo.ts";

describe("what is remembered of a text", () => {
  function counted(options: Parameters<typeof memo<string>>[1] = {}) {
    const worked: string[] = [];
    const ask = memo((text) => {
      worked.push(text);
      return text.toUpperCase();
    }, options);
    return { worked, ask };
  }

  it("is worked out once, until there is too much of it", () => {
    const { worked, ask } = counted({ most: 2 });
    expect(["a", "a", "b", "a", "c", "a"].map(ask)).toEqual(["A", "A", "B", "A", "C", "A"]);
    expect(worked).toEqual(["a", "b", "c", "a"]);
  });

  it("is nothing where the text is longer than any name", () => {
    const { worked, ask } = counted();
    const [longest, tooLong] = ["x".repeat(256), "x".repeat(257)];
    expect([longest, longest, tooLong, tooLong].map(ask).map((made) => made.length)).toEqual([256, 256, 257, 257]);
    expect(worked).toEqual([longest, tooLong, tooLong]);
  });

  it("does not hold on to the large text that it was a piece of", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const heap = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const ask = memo((text) => text.slice(0, 100));
    const before = heap();
    for (let n = 0; n < 64; n++) ask(Buffer.alloc(1_000_000, `class ${n} `).toString("latin1").slice(0, 200));
    expect(heap() - before).toBeLessThan(16_000_000);
    expect(ask("class 1 ".repeat(25))).toBe("class 1 ".repeat(25).slice(0, 100));
  });
});

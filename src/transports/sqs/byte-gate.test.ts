import { expect, it } from "vitest";
import { byteGate } from "./byte-gate.ts";

/** Work that is under way until it is told to end. */
function setup(maxBytes: number) {
  const gate = byteGate(maxBytes);
  const underWay = new Map<string, () => void>();
  const begin = (name: string, bytes: number) =>
    gate(bytes, () =>
      new Promise<void>((resolve) => void underWay.set(name, resolve)).finally(() => underWay.delete(name)),
    );
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const names = async () => {
    await settled();
    return [...underWay.keys()];
  };
  return { begin, underWay, names };
}

it("lets in what there is room for, and the next in its turn", async () => {
  const { begin, underWay, names } = setup(100);
  const all = [begin("a", 60), begin("b", 40), begin("c", 50), begin("d", 1)];
  expect(await names()).toEqual(["a", "b"]);
  underWay.get("b")?.();
  // The smaller one behind it does not pass it by, or a large one would never have its turn.
  expect(await names()).toEqual(["a"]);
  underWay.get("a")?.();
  expect(await names()).toEqual(["c", "d"]);
  for (const end of underWay.values()) end();
  await Promise.all(all);
});

it("lets in what is larger than all the room, alone", async () => {
  const { begin, underWay, names } = setup(100);
  const all = [begin("a", 1), begin("huge", Number.POSITIVE_INFINITY), begin("b", 1)];
  expect(await names()).toEqual(["a"]);
  underWay.get("a")?.();
  expect(await names()).toEqual(["huge"]);
  underWay.get("huge")?.();
  expect(await names()).toEqual(["b"]);
  underWay.get("b")?.();
  await Promise.all(all);
});

it("makes room again after work that failed", async () => {
  const gate = byteGate(1);
  await expect(gate(1, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await gate(1, async () => "next")).toBe("next");
});

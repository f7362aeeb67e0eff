import fc from "fast-check";
import { expect, it } from "vitest";
import { type Heard, readEvents } from "./event-stream.ts";

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function heardIn(text: string, size: number): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  for await (const each of readEvents(inPieces(text, size))) heard.push(each);
  return heard;
}

it("hears the same however the text was cut, within a character too", async () => {
  const text = 'id: 7\n\n:\n\nid: 8\nevent: change\ndata: {"id":"é"}\n\nevent: bye\ndata: {}\n\n';
  const whole = [
    { event: "message", data: "", id: "7" },
    "beat",
    { event: "change", data: '{"id":"é"}', id: "8" },
    { event: "bye", data: "{}", id: "8" },
  ];
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 90 }), async (size) => {
      expect(await heardIn(text, size)).toEqual(whole);
    }),
  );
});

it("keeps what is not whole yet to itself", async () => {
  expect(await heardIn("event: change\ndata: {}\n", 5)).toEqual([]);
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultMasking, mask } from "../../domain/redaction.ts";
import type { Change } from "./body-change.ts";
import { EditRefused } from "./edit-refused.ts";
import { parsePatch } from "./patch-json.ts";
import { largestEdit, revise } from "./revise.ts";
import { showChanges } from "./show-changes.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const patch = (document: string): Change => ({ kind: "patch", steps: parsePatch(document) });
const revised = (before: string, change: Change) => decode(revise(encode(before), change, defaultMasking).body);
const refusedWith = (code: string): unknown => expect.objectContaining({ name: "EditRefused", code });

const order = '{ "id": 12345678901234567890, "total": 1.10,  "password": "hunter2", "note": "ask ann@example.com" }';
const shown = `{ "id": 12345678901234567890, "total": 1.10,  "password": "${mask}", "note": "ask ${mask}" }`;

interface Item {
  readonly id: number;
  readonly n: number;
  readonly pin: "secret" | "none";
}

const listSteps = ["delete", "move", "change", "bare", "append"] as const;

interface ListStep {
  readonly kind: (typeof listSteps)[number];
  readonly at: number;
  readonly to: number;
}

/** What an editor does to a list: nothing of it makes a mask. */
function takeStep(items: readonly Item[], { kind, at, to }: ListStep, step: number): readonly Item[] {
  const place = items.length === 0 ? 0 : at % items.length;
  const item = items[place];
  if (kind === "append") return [...items, { id: 10 + step, n: 0, pin: "none" }];
  if (item === undefined) return items;
  if (kind === "delete") return items.toSpliced(place, 1);
  if (kind === "move") return items.toSpliced(place, 1).toSpliced(to, 0, item);
  return items.with(place, kind === "change" ? { ...item, n: item.n + 1 } : { ...item, pin: "none" });
}

const secretOf = ({ id }: Item) => `pin of ${id}`;

function listText(items: readonly Item[], pinOf: (item: Item) => string): string {
  const texts = items.map((item) => {
    const pin = item.pin === "none" ? "" : `,"pin":"${pinOf(item)}"`;
    return `{"id":${item.id},"n":${item.n}${pin}}`;
  });
  return `[${texts.join(",")}]`;
}

/** What it gives, or the code it is refused with. */
function outcomeOf(edit: () => string): string {
  try {
    return edit();
  } catch (error) {
    if (error instanceof EditRefused) return error.code;
    throw error;
  }
}

describe("an edited text", () => {
  it("keeps what was masked as it was, byte for byte, and takes what was typed", () => {
    const text = shown.replace("1.10", "129.90");
    expect(revised(order, { kind: "text", text })).toBe(order.replace("1.10", "129.90"));
  });

  it("may leave masked values out", () => {
    expect(revised(order, { kind: "text", text: '{ "id": 7 }' })).toBe('{ "id": 7 }');
  });

  it.each([
    ["another place", shown.replace('"total": 1.10', `"total": "${mask}"`)],
    ["a text that was typed around it", shown.replace(`ask ${mask}`, `ask ${mask} and Bob`)],
  ])("does not send a mask in %s", (_title, text) => {
    expect(() => revised(order, { kind: "text", text })).toThrow(refusedWith("edit.mask_sent"));
  });

  it("does not guess which value a mask stands for once its list has changed", () => {
    const list = '{"cards":[{"pin":"1111"},{"pin":"2222"}],"n":1}';
    const masked = (items: string) => `{"cards":[${items}],"n":2}`;
    const [one, both] = [`{"pin":"${mask}"}`, `{"pin":"${mask}"},{"pin":"${mask}"}`];
    expect(revised(list, { kind: "text", text: masked(both) })).toBe(list.replace('"n":1', '"n":2'));
    expect(() => revised(list, { kind: "text", text: masked(one) })).toThrow(refusedWith("edit.mask_sent"));
    const swapped = masked(`${one},{"pin":"3333"}`);
    expect(() => revised(list, { kind: "text", text: swapped })).toThrow(refusedWith("edit.mask_sent"));
  });

  it("tells items of a list apart by what is not masked in them", () => {
    const list = '[{"pin":"1111","n":1},{"pin":"2222","n":2}]';
    const edited = (first: number, second: number) =>
      `[{"pin":"${mask}","n":${first}},{"pin":"${mask}","n":${second}}]`;
    expect(revised(list, { kind: "text", text: edited(9, 2) })).toBe(list.replace('"n":1', '"n":9'));
    expect(() => revised(list, { kind: "text", text: edited(2, 1) })).toThrow(refusedWith("edit.mask_sent"));
  });

  it("does not give an item of a list what was masked in one that is gone", () => {
    const list = '[{"id":1,"pin":"1111"},{"id":2,"pin":"2222"}]';
    const text = `[{"id":2,"pin":"${mask}","n":1},{"id":3}]`;
    expect(() => revised(list, { kind: "text", text })).toThrow(refusedWith("edit.mask_sent"));
  });

  it("gives each item of a list its own masked value or none, whatever is deleted, moved, changed and added", () => {
    const step = fc.record({ kind: fc.constantFrom(...listSteps), at: fc.nat(4), to: fc.nat(4) });
    const items = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(items, fc.array(step, { minLength: 1, maxLength: 4 }), (secrets, steps) => {
        const before = secrets.map((isSecret, id): Item => ({ id, n: 0, pin: isSecret ? "secret" : "none" }));
        const after = steps.reduce<readonly Item[]>(takeStep, before);
        const change: Change = { kind: "text", text: listText(after, () => mask) };
        const result = outcomeOf(() => revised(listText(before, secretOf), change));
        expect([listText(after, secretOf), "edit.mask_sent", "edit.nothing_changed"]).toContain(result);
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps a name that was masked, unless it could be another's", () => {
    const list = '{"to": {"ann@example.com": {"n":1}}, "n":1}';
    const text = `{"to": {"${mask}": {"n":2}}, "n":1}`;
    expect(revised(list, { kind: "text", text })).toBe(list.replace('{"n":1}', '{"n":2}'));
    const two = '{"to": {"ann@example.com": 1, "bob@example.com": 1}, "n":1}';
    const masked = (second: number, n: number) => `{"to": {"${mask}": 1, "${mask}": ${second}}, "n":${n}}`;
    expect(revised(two, { kind: "text", text: masked(1, 2) })).toBe(two.replace('"n":1', '"n":2'));
    expect(() => revised(two, { kind: "text", text: masked(2, 1) })).toThrow(refusedWith("edit.mask_sent"));
    const elsewhere = `{"to": {}, "${mask}": {"n":1}}`;
    expect(() => revised(list, { kind: "text", text: elsewhere })).toThrow(refusedWith("edit.mask_sent"));
  });

  it("stays JSON", () => {
    expect(() => revised(order, { kind: "text", text: "{" })).toThrow(refusedWith("edit.not_json"));
    expect(revised("<a>1</a>", { kind: "text", text: "<a>2</a>" })).toBe("<a>2</a>");
  });
});

describe("a patch", () => {
  it("changes what it names and no other byte, though that is masked", () => {
    const steps = '[{"op":"replace","path":"/password","value":"other"},{"op":"remove","path":"/total"}]';
    expect(revised(order, patch(steps))).toBe(order.replace("hunter2", "other").replace('"total": 1.10,  ', ""));
  });

  it.each([
    '[{"op":"test","path":"/password","value":"hunter2"}]',
    '[{"op":"copy","from":"/password","path":"/note"}]',
    '[{"op":"move","from":"/note","path":"/free"}]',
    '[{"op":"copy","from":"","path":"/free"}]',
  ])("does not read what is masked: %s", (document) => {
    expect(() => revised(order, patch(document))).toThrow(refusedWith("edit.path_masked"));
  });

  it("reads what is not", () => {
    expect(revised('{"a":1,"b":2}', patch('[{"op":"copy","from":"/a","path":"/b"}]'))).toBe('{"a":1,"b":1}');
  });
});

describe("any edit", () => {
  it("of a binary or missing body can only replace all of it", () => {
    const gzip = Uint8Array.of(0x1f, 0x8b, 8, 0);
    const change = patch('[{"op":"remove","path":"/a"}]');
    expect(() => revise(gzip, change, defaultMasking)).toThrow(refusedWith("edit.not_text"));
    expect(() => revise(null, change, defaultMasking)).toThrow(refusedWith("edit.not_text"));
    const body = Uint8Array.of(0, 159);
    expect(revise(gzip, { kind: "body", body }, defaultMasking)).toEqual({ body, changes: null, written: [] });
  });

  it("is refused where it would change nothing, is too large, or holds a mask or a rounded number", () => {
    const body = (text: string): Change => ({ kind: "body", body: encode(text) });
    expect(() => revised("{}", body("{}"))).toThrow(refusedWith("edit.nothing_changed"));
    expect(() => revised(order, body("x".repeat(largestEdit + 1)))).toThrow(refusedWith("edit.too_large"));
    expect(() => revised(order, body(shown))).toThrow(refusedWith("edit.mask_sent"));
    const rounded = order.replace("12345678901234567890", "12345678901234567000");
    expect(() => revised(order, body(rounded))).toThrow(refusedWith("edit.precision_lost"));
  });
});

describe("a guess of what is masked", () => {
  /** What somebody is told of an edit that puts this password there. */
  const told = (way: (password: string) => Change, password: string) => {
    const before = encode(order);
    const { body, written } = revise(before, way(password), defaultMasking);
    return showChanges(before, body, defaultMasking, written);
  };
  const isPassword = { path: "/password", before: `"${mask}"`, after: `"${mask}"` };

  it.each<[string, (password: string) => Change]>([
    ["patch", (password) => patch(`[{"op":"replace","path":"/password","value":"${password}"}]`)],
    ["text", (password) => ({ kind: "text", text: shown.replace(mask, password) })],
    ["body", (password) => ({ kind: "body", body: encode(order.replace("hunter2", password)) })],
    [
      "patch of something else as well",
      (password) => {
        const other = '{"op":"replace","path":"/total","value":2}';
        return patch(`[${other},{"op":"replace","path":"/password","value":"${password}"}]`);
      },
    ],
  ])("by a %s is told as any other value", (_title, way) => {
    expect(told(way, "hunter2")).toEqual(told(way, "hunter3"));
    expect(told(way, "hunter2").changes).toContainEqual(isPassword);
  });

  it("is none where a mask was left alone", () => {
    const seen = told((text) => ({ kind: "text", text }), shown.replace("1.10", "2"));
    expect(seen.changes).toEqual([{ path: "/total", before: "1.10", after: "2" }]);
  });
});

describe("the changes of an edit", () => {
  const changes = (before: string, after: string) => showChanges(encode(before), encode(after), defaultMasking);

  it("are shown by place and by line, and never what is masked", () => {
    const after = order.replace("1.10", "2").replace("hunter2", "other").replace("ann@", "bob@");
    const seen = changes(order, after);
    expect(seen.changes).toEqual([
      { path: "/total", before: "1.10", after: "2" },
      { path: "/password", before: `"${mask}"`, after: `"${mask}"` },
      { path: "/note", before: `"ask ${mask}"`, after: `"ask ${mask}"` },
    ]);
    expect(seen.lines?.map(({ sign }) => sign)).toEqual(["-", "+"]);
    expect(JSON.stringify(seen)).not.toMatch(/hunter2|other|ann@|bob@/u);
  });

  it("are at places whose names are masked, too", () => {
    const seen = changes('{"ann@example.com":{"n":1}}', '{"ann@example.com":{"n":2}}');
    expect(seen.changes?.map(({ path }) => path)).toEqual([`/${mask}/n`]);
    expect(JSON.stringify(seen)).not.toContain("ann@");
  });

  it("show a few lines around what changed, and say when nothing was meant by it", () => {
    const lines = Array.from({ length: 20 }, (_, index) => String(index)).join("\n");
    const seen = changes(lines, lines.replace("\n9\n", "\nnine\n"));
    expect(seen.lines?.map(({ sign, text }) => `${sign}${text}`)).toEqual([
      " 6",
      " 7",
      " 8",
      "-9",
      "+nine",
      " 10",
      " 11",
      " 12",
    ]);
    expect(changes('{"a":1}', '{ "a": 1.0 }').findings).toEqual([
      "Only spaces, order or spelling changed, not what it says.",
    ]);
    expect(changes('{"a":1}', "a=1").findings).toEqual(["It was JSON and is not any more."]);
  });
});

import { describe, expect, it } from "vitest";
import type { HeaderChange } from "../../domain/header-changes.ts";
import { type Header, textHeader } from "../../domain/message.ts";
import { defaultMasking } from "../../domain/redaction.ts";
import {
  type AskedHeader,
  draftHeaders,
  headerFindings,
  type LetterHeaders,
  reviseHeaders,
  showHeaderChanges,
} from "./revise-headers.ts";

const headers: readonly Header[] = [
  textHeader("x-tenant", "globex"),
  { name: "priority", value: { type: "integer", value: 7n } },
  textHeader("authorization", "Bearer secret"),
  textHeader("x-death", "rejected"),
  textHeader("dlo-key", "k"),
  textHeader("traceparent", "00-1-2-01"),
];
const letter = { headers, strip: ["x-death"] };
const revised = (of: LetterHeaders, before: readonly HeaderChange[] | null, asked: readonly AskedHeader[]) =>
  reviseHeaders(of, { before, asked }, defaultMasking);
const set = (name: string, value: string | null) => ({ name, value });

describe("headers of an edit", () => {
  it("are all that is other than what the letter came with, whatever came before", () => {
    const first = revised(letter, null, [set("x-tenant", "acme"), set("new", "1")]);
    expect(first).toEqual([set("new", "1"), set("x-tenant", "acme")]);
    const second = revised(letter, first, [set("x-tenant", "globex"), set("priority", null)]);
    expect(second).toEqual([set("new", "1"), set("priority", null)]);
    expect(revised(letter, [set("new", "1")], [set("new", null)])).toBeNull();
  });

  it("are text: a number that is written again is a change, and said to be one", () => {
    const after = revised(letter, null, [set("priority", "7")]);
    expect(after).toEqual([set("priority", "7")]);
    const shown = showHeaderChanges(headers, { before: null, after }, defaultMasking);
    expect(shown).toEqual([{ name: "priority", before: "7", after: "7" }]);
    expect(headerFindings(shown, headers, after)).toEqual(["priority came as an integer, and goes as one text."]);
  });

  it.each([
    ["dlo-key", "x", "edit.header_locked", "It is the office's own"],
    ["DLO-replay", null, "edit.header_locked", "It is the office's own"],
    ["x-death", null, "edit.header_locked", "a mark of the failure"],
    ["traceparent", "00-9", "edit.header_locked", "ties the message to its trace"],
    ["X-B3-TraceId", "1", "edit.header_locked", "ties the message to its trace"],
    ["Nats-Msg-Id", "7", "edit.header_locked", "a replay never sends it on"],
    [" x-tenant", "a", "edit.header_invalid", "without spaces around it"],
    ["x-tenant\r\nx-admin", "a", "edit.header_invalid", "one line"],
    ["x-\u200btenant", "a", "edit.header_invalid", "can be seen"],
    ["x-\u202etnanet", "a", "edit.header_invalid", "can be seen"],
    ["x-tenant", "a\r\nx-admin: yes", "edit.header_invalid", "must be one line"],
    ["x-tenant", "a".repeat(8_193), "edit.header_invalid", "at most 8192 bytes"],
    ["authorization", "•••", "edit.mask_sent", "would be sent as it stands there"],
  ])("refuse what nobody may send: %j", (name, value, code, sentence) => {
    expect(() => revised(letter, null, [set(name, value)])).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(sentence) as string }),
    );
  });

  it("are shown masked, with those that cannot be edited and why, and with a word of care", () => {
    const changes = [set("idempotency-key", "k2"), set("authorization", null)];
    const draft = draftHeaders(letter, changes, defaultMasking);
    const shown = Object.fromEntries(
      draft.map(({ name, came, value, locked }) => [name, [came, value, locked !== null]]),
    );
    expect(shown).toEqual({
      "x-tenant": ["globex", "globex", false],
      priority: ["7", "7", false],
      authorization: ["•••", null, false],
      "x-death": ["rejected", "rejected", true],
      "dlo-key": ["k", "k", true],
      traceparent: ["00-1-2-01", "00-1-2-01", true],
      "idempotency-key": [null, "k2", false],
    });
    expect(draft.find(({ name }) => name === "idempotency-key")?.careful).toContain("it may be done twice");
  });

  it.each([
    ["as it came", null, "Bearer secret"],
    ["as somebody wrote it", "Bearer other", "Bearer other"],
  ])("do not tell that what is masked was guessed: %s", (_title, wrote, guess) => {
    const before = wrote === null ? null : revised(letter, null, [set("authorization", wrote)]);
    const told = (value: string) => {
      const after = revised(letter, before, [set("authorization", value)]);
      return showHeaderChanges(headers, { before, after }, defaultMasking);
    };
    expect(told(guess)).toEqual([{ name: "authorization", before: "•••", after: "•••" }]);
    expect(told(guess)).toEqual(told("Bearer wrong"));
  });

  it("are refused where one is named twice: which was meant, nobody knows", () => {
    expect(() => revised(letter, null, [set("x-tenant", "a"), set("x-tenant", null)])).toThrow("named twice");
  });

  it("go back to what they came with, be it a number or masked", () => {
    const before = revised(letter, null, [set("priority", "9"), set("authorization", null), set("new", "1")]);
    const restored = ["priority", "authorization"].map((name) => ({ name, restore: true as const }));
    const after = revised(letter, before, restored);
    expect(after).toEqual([set("new", "1")]);
    const shown = showHeaderChanges(headers, { before, after }, defaultMasking);
    expect(shown).toEqual([
      { name: "authorization", before: null, after: "•••" },
      { name: "priority", before: "9", after: "7" },
    ]);
    expect(headerFindings(shown, headers, after)).toEqual([]);
  });

  it("say what is lost of bytes and of repeated ones, and which differ in capitals alone", () => {
    const came: readonly Header[] = [
      { name: "raw", value: { type: "bytes", value: Uint8Array.of(0xff, 0) } },
      textHeader("t", "one"),
      textHeader("t", "two"),
      textHeader("x-tenant", "globex"),
    ];
    const asked = [set("raw", "0xff01"), set("t", "one, three"), set("X-Tenant", "acme")];
    const after = revised({ headers: came, strip: [] }, null, asked);
    const shown = showHeaderChanges(came, { before: null, after }, defaultMasking);
    expect(headerFindings(shown, came, after)).toEqual([
      "X-Tenant goes beside x-tenant: which of them counts is up to its consumer.",
      "raw came as bytes, and goes as one text.",
      "t came 2 times, and goes as one text.",
    ]);
  });

  it.each(["NServiceBus.MessageId", "rbs2-msg-id", "message-id", "ce-id", "x-idempotency-key"])(
    "are said to be what a consumer knows a message by: %s",
    (name) => {
      const after = revised(letter, null, [set(name, "2")]);
      const shown = showHeaderChanges(headers, { before: null, after }, defaultMasking);
      expect(headerFindings(shown, headers, after)[0]).toContain("it may be done twice");
    },
  );

  it("may be called as a plain object calls what it has of its own", () => {
    const names = ["constructor", "__proto__", "toString"];
    const came = { headers: names.map((name) => textHeader(name, "a")), strip: [] };
    expect(draftHeaders(came, null, defaultMasking)).toEqual(
      names.map((name) => ({ name, came: "a", value: "a", locked: null, careful: null })),
    );
    const after = revised(came, null, [set("__proto__", "b"), set("constructor", "b")]);
    const shown = showHeaderChanges(came.headers, { before: null, after }, defaultMasking);
    expect(shown.map(({ name }) => name)).toEqual(["__proto__", "constructor"]);
    expect(headerFindings(shown, came.headers, after)).toEqual([]);
  });

  it("take no longer for each of many than for the first", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => textHeader(`h-${index}`, `mail a${index}@b.example`));
    const started = performance.now();
    expect(draftHeaders({ headers: many, strip: [] }, [set("h-7", "x")], defaultMasking)).toHaveLength(20_000);
    expect(showHeaderChanges(many, { before: null, after: [set("h-7", "x")] }, defaultMasking)).toHaveLength(1);
    // Each against all others would take minutes.
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

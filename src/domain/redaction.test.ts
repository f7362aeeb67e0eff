import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskInSteps, maskPayload } from "./mask-json.ts";
import { type HeaderValue, textHeader } from "./message.ts";
import { defaultMasking, isMaskedPath, mask, maskHeaders, maskText } from "./redaction.ts";

describe("text", () => {
  it.each([
    ["card 4111 1111 1111 1111 was declined", "card ••• was declined"],
    ["order 4111111111111112 is a number", "order 4111111111111112 is a number"],
    ["no user a.b+c@shop.example here", "no user ••• here"],
    ["connect postgres://dlo:hunter2@db:5432/x failed", "connect postgres://•••@db:5432/x failed"],
    ["authorization: Bearer abcdef123456.xyz", `authorization: ${mask} ${mask}`],
    ["sent Bearer abcdef123456", `sent Bearer ${mask}`],
    ["jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl bad", "jwt ••• bad"],
    ["key AKIAIOSFODNN7EXAMPLE used", "key ••• used"],
    ["token=abc123; path=/", "token=•••; path=/"],
    ['{"password":"hunter2"}', '{"password":"•••"}'],
    ["DB_PASSWORD=hunter2 is set", "DB_PASSWORD=••• is set"],
    ["GET /x?access_token=abc123&n=1", "GET /x?access_token=•••&n=1"],
    ['cannot use {"password": "correct horse", "n": 1}', 'cannot use {"password": "•••", "n": 1}'],
    ["{'password': 'it is \\'mine\\'', 'n': 1}", "{'password': '•••', 'n': 1}"],
    [String.raw`{\"token\":\"abc 123\",\"n\":1}`, String.raw`{\"token\":\"•••\",\"n\":1}`],
    [String.raw`\"m\":\"{\\\"secret\\\":\\\"x\\\"}\"`, String.raw`\"m\":\"{\\\"secret\\\":\\\"•••\\\"}\"`],
    ["<u:Password type='text'>hunter2</u:Password><n>1</n>", "<u:Password type='text'>•••</u:Password><n>1</n>"],
    [String.raw`"https:\/\/bob:hunter2@db\/x"`, String.raw`"https:\/\/•••@db\/x"`],
    ["monkey=1 passwords: none <tokens>2</tokens>", "monkey=1 passwords: none <tokens>2</tokens>"],
    ["IBAN DE89 3704 0044 0532 0130 00 unknown", "IBAN ••• unknown"],
    ["POST payments-api /charge timed out after 3000ms", "POST payments-api /charge timed out after 3000ms"],
  ])("masks %j", (text, masked) => expect(maskText(text)).toBe(masked));

  it("never shows a secret wherever it stands", () => {
    const around = fc.string({ maxLength: 40 }).map((text) => text.replace(/[\w.+@-]/g, " "));
    const secret = fc.constantFrom(
      "4111111111111111",
      "AKIAIOSFODNN7EXAMPLE",
      "a@shop.example",
      "eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2ln",
    );
    fc.assert(
      fc.property(around, secret, around, (before, hidden, after) => {
        expect(maskText(before + hidden + after)).not.toContain(hidden);
      }),
    );
  });

  it("takes no longer for hostile text than for any other", () => {
    for (const piece of [
      "a@",
      "1 ",
      "x:y",
      "://",
      "AA00 ",
      "eyJ",
      "eyJ-",
      "eyJaaaaaaaa.eyJ-",
      "-----BEGIN ",
      "password=",
      'password="',
      "<password ",
      "key ",
      '\\\\"',
      "a.a@a.",
      "a@1.1.",
      "git@a.b:",
      "1-",
      "1",
      "1111 ",
      "11111111-1111-4111-8111-",
    ]) {
      const started = performance.now();
      maskText(piece.repeat(20_000));
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });
});

describe("places", () => {
  const masking = {
    paths: ["body.customer.card", "body.items[*].code", "header.X-Tenant"],
    detectors: "default",
  } as const;

  it.each([
    ["body.customer.card", true],
    ["body.customer.card.number", true],
    ["body.customer.cardboard", false],
    ["body.items[3].code", true],
    ["body.items[3].sku", false],
    ["header.x-tenant", true],
    ["header.Authorization", true],
    ["body.user.accessToken", true],
    ["header.x-auth-token", true],
    ["body.nextToken", false],
    ["body.secretary", false],
  ])("masks %s: %s", (path, masked) => expect(isMaskedPath(path, masking)).toBe(masked));

  it("takes secrets out of headers, by name and by look", () => {
    const headers = [
      textHeader("Cookie", "a=b"),
      textHeader("x-note", "mail a@b.example"),
      textHeader("type", "Order"),
    ];
    expect(maskHeaders(headers, masking).map(({ value }) => value.value)).toEqual([mask, `mail ${mask}`, "Order"]);
  });

  it.each<[string, HeaderValue, HeaderValue]>([
    [
      "a list",
      {
        type: "list",
        value: [
          { type: "text", value: "a@b.example" },
          { type: "boolean", value: true },
        ],
      },
      {
        type: "list",
        value: [
          { type: "text", value: mask },
          { type: "boolean", value: true },
        ],
      },
    ],
    ["bytes", { type: "bytes", value: Buffer.from("to a@b.example") }, { type: "text", value: `to ${mask}` }],
    ["a whole number", { type: "integer", value: 4111111111111111n }, { type: "text", value: mask }],
    ["a number", { type: "double", value: 4111111111111111 }, { type: "text", value: mask }],
  ])("takes secrets out of %s in a header", (_title, value, shown) => {
    expect(maskHeaders([{ name: "x", value }], defaultMasking)).toEqual([{ name: "x", value: shown }]);
  });

  it.each<HeaderValue>([
    { type: "bytes", value: Uint8Array.of(0xff, 0) },
    { type: "integer", value: 1_700_000_000_004n },
    { type: "list", value: [{ type: "text", value: "Order" }] },
  ])("leaves a header that hides nothing as it is: $type", (value) => {
    expect(maskHeaders([{ name: "x", value }], defaultMasking)).toEqual([{ name: "x", value }]);
  });

  it("leaves the rest of a payload as it is written, to the last digit and space", () => {
    const text =
      '{ "id":9007199254740993, "customer": {"card" : {"n": [1, 2]}, "name":"x"},\n "items":[{"code": 7,"sku":"A-1"}] , "mail":"a@b.example"}';
    expect(maskPayload(text, masking)).toBe(
      '{ "id":9007199254740993, "customer": {"card" : "•••", "name":"x"},\n "items":[{"code": "•••","sku":"A-1"}] , "mail":"•••"}',
    );
  });

  it("takes secrets out of names, and out of JSON that stands in JSON or is Python's", () => {
    const inner = JSON.stringify({ password: "hunter2", n: 1 });
    expect(JSON.parse(maskPayload(JSON.stringify({ Message: inner }), masking))).toEqual({
      Message: inner.replace("hunter2", mask),
    });
    expect(maskPayload('{"a@b.example": 1, "n": 2}', masking)).toBe(`{"${mask}": 1, "n": 2}`);
    expect(maskPayload("{'password': 'hunter2', 'n': 1}", masking)).toBe(`{'password': "${mask}", 'n': 1}`);
  });

  it.each(["plain 4111 1111 1111 1111", '{"a": "x', "[[[[", '"', "{", '{"password": {"a":'])(
    "copes with %j",
    (text) => {
      expect(maskPayload(text, defaultMasking)).not.toContain("4111");
    },
  );

  it("hides a secret a hundred thousand levels down, and takes no longer for each than for the first", () => {
    const levels = 100_000;
    const text = `${'{"a":['.repeat(levels / 2)}{"password":"hunter2","b":1}${"]}".repeat(levels / 2)}`;
    // Not shown where it fails: it is long.
    expect(maskPayload(text, defaultMasking) === text.replace("hunter2", mask)).toBe(true);
  });

  it.each([
    ["64 MB of letters", () => `{"a":"${"x".repeat(64_000_000)}","password":"hunter2"}`],
    ["8 MB of escapes", () => `{"a":"${String.raw`\"1`.repeat(2_666_666)}","password":"hunter2"}`],
    ["8 MB of digits", () => `{"a":"${"1".repeat(8_000_000)}","password":"hunter2"}`],
    ["400,000 levels", () => `${'{"a":['.repeat(200_000)}{"password":"hunter2"}${"]}".repeat(200_000)}`],
    ["a name of 8 MB", () => `{"${"n".repeat(8_000_000)}":[${"1,".repeat(1_000)}{"password":"hunter2"}]}`],
  ])("hides what is behind %s", (_what, make) => {
    const text = make();
    // Not shown where it fails: it is long.
    expect(maskPayload(text, defaultMasking) === text.replace("hunter2", mask)).toBe(true);
  });

  it("hides what lies where a long text is cut, whole", () => {
    const filler = "lorem ipsum ".repeat(2_730);
    const secret = "card 4111 1111 1111 1111 of ana@shop.example, Bearer abcdefgh12345678, AKIAIOSFODNN7EXAMPLE";
    for (let shift = 0; shift < secret.length + 10; shift += 7) {
      const text = `${"x".repeat(shift)} ${filler}${secret} ${filler}${filler}${secret}`;
      const shown = maskPayload(JSON.stringify({ text }), defaultMasking);
      expect(shown).not.toMatch(/4111|1111|ana@|shop|abcdefgh|AKIA|EXAMPLE/);
      expect(shown.split(mask)).toHaveLength(1 + 2 * 4);
    }
  });

  const characters = "abcXYZ019_-".repeat(8_000);
  const endless: readonly (readonly [string, (length: number) => string])[] = [
    ["a JSON Web Token", (length) => `eyJhbGciOiJI.${characters.slice(0, length)}.c2ln`],
    ["the first part of one", (length) => `eyJ${characters.slice(0, length)}.c2lnbmF0dXJl`],
    ["what follows a bearer", (length) => `Bearer ${"aB3.~+/=".repeat(length / 8)}`],
    ["a key", (length) => `sk-${characters.slice(0, length)}`],
    ["a key in a path", (length) => `shop/x=AIza${characters.slice(0, length)}`],
    ["cards", (length) => "4111 1111 1111 1111 ".repeat(length / 20)],
  ];

  it.each(endless)("hides %s wherever it begins in a long text, and however long it is", (_what, make) => {
    for (const length of [8_900, 20_000, 33_000, 60_000, 70_000])
      for (const before of [0, 7, 9_000, 20_000, 23_700, 31_000, 32_760, 56_000]) {
        const secret = make(length);
        const rest = "and so on ".repeat(2_500);
        const shown = maskText(`${"lorem ipsum ".repeat(before / 12)} ${secret} ${rest}`);
        const left = shown.replace(/lorem ipsum |and so on |shop\/x=/g, "");
        // Not shown where it fails: it is long.
        expect({
          length,
          before,
          left: left
            .replace(/•••|Bearer/g, "")
            .trim()
            .slice(0, 60),
        }).toEqual({
          ...{ length, before },
          left: expect.stringMatching(/^[a-z ]{0,24}$/) as string,
        });
      }
  });

  it.each(["x", "aB3+/=", " ", "1, 2, ", "x: y\n"])("shows %j as often as it comes", (piece) => {
    const text = piece.repeat(120_000 / piece.length);
    expect(maskText(text) === text).toBe(true);
  });

  it("does it in steps of bounded length", () => {
    const text = JSON.stringify({
      text: "lorem ipsum ".repeat(100_000),
      list: Array.from({ length: 500_000 }, () => 1),
    });
    const steps = maskInSteps(text, defaultMasking, 100_000);
    let count = 0;
    for (let step = steps.next(); step.done !== true; step = steps.next()) count += 1;
    expect(count).toBeGreaterThan(text.length / 100_000);
  });

  it("masks no JSON that has nothing to hide", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const harmless = text.replace(/[@\d_-]/g, "");
        if (!/pass|pwd|secret|token|key|auth|cookie|pin|cv|ssn|iban|[A-Z]{2}/i.test(harmless))
          expect(maskPayload(harmless, defaultMasking)).toBe(harmless);
      }),
    );
  });
});

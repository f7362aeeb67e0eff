import { gzipSync } from "node:zlib";

const text = (value: string) => Buffer.from(value, "utf8");

/** Bodies that something on the way might be tempted to parse, repair, mask or cut. */
export const oddBodies: readonly (readonly [what: string, body: Uint8Array])[] = [
  ["nothing", Buffer.alloc(0)],
  ["a byte of zero", Buffer.from([0])],
  ["every byte", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  ["text that is not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ["a cut UTF-8 sequence", Buffer.from([0xe2, 0x82])],
  ["Latin-1", Buffer.from("M\u00fcller", "latin1")],
  ["a byte order mark", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text('{"a":1}')])],
  ["UTF-16", Buffer.from('{"a":1}', "utf16le")],
  ["NUL in text", text("before\0after")],
  ["an escaped NUL", text(String.raw`{"a":"\u0000"}`)],
  ["a lone surrogate", text(String.raw`{"a":"\ud800"}`)],
  ["a number beyond all numbers", text('{"a":1e200000,"b":-1E-999}')],
  ["integers beyond doubles", text('{"id":9007199254740993,"big":123456789012345678901234567890}')],
  ["numbers with idle digits", text('{"a":1.0,"b":1e2,"c":-0,"d":0.10}')],
  ["keys that come twice", text('{"a":1,"a":2}')],
  ["its own prototype", text('{"__proto__":{"admin":true},"constructor":1}')],
  ["odd white space", text('\r\n\t{ "a" :\t1 ,\n"b": [ ]}\r\n\r\n')],
  ["20,000 levels", text("[".repeat(20_000) + "]".repeat(20_000))],
  ["a script", text('<script>alert(1)</script>"onmouseover="alert(1)')],
  ["escapes for a terminal and text that runs backwards", text("\u001b[31mred\u001b]0;title\u0007 \u202eevil")],
  ["a formula", text("=cmd|' /C calc'!A0")],
  ["an expression that takes for ever", text(`${"a".repeat(28)}!`)],
  ["aliases without end", text("a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n")],
  [
    "secrets",
    text('{"card":"4111 1111 1111 1111","key":"AKIAIOSFODNN7EXAMPLE","jwt":"eyJhbGciOiJIUzI1NiJ9.e30.c2ln"}'),
  ],
  ["a masked value", text('{"card":"\u2022\u2022\u2022"}')],
  ["what a compressor made", gzipSync(Buffer.alloc(1_000_000))],
  ["an object of Java", Buffer.from("aced0005737200116a6176612e7574696c2e486173684d6170", "hex")],
  ["an object of Python", Buffer.from("80049517000000000000008c08", "hex")],
  ["an object of PHP", text('O:8:"stdClass":1:{s:1:"a";i:1;}')],
  ["an envelope of others", text('{"error":"x","originalTopic":"other"}')],
  ["900,000 bytes", Buffer.alloc(900_000, "0123456789abcdef")],
];

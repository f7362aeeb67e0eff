import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readDeadLetter } from "../../src/dialects/read-dead-letter.ts";
import { type Header, type Message, makeMessage } from "../../src/domain/message.ts";
import { defaultMasking } from "../../src/domain/redaction.ts";
import { wire } from "../../src/domain/wire.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { findLetters } from "../../src/ledger/search/find-letters.ts";
import { readLetter } from "../../src/ledger/search/read-letter.ts";
import { verifyAudit } from "../../src/ledger/verify-audit.ts";
import { drain } from "../../src/office/intake/drain.ts";
import { showLetter } from "../../src/office/operations/show-letter.ts";
import { systemHost } from "../../src/system/host.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { classify } from "../../src/triage/classify.ts";
import { fingerprint } from "../../src/triage/fingerprint/fingerprint.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import { tester, testRoom } from "./letters.ts";

const failure = (message: string, stack = message) => ({
  [wire.queue]: "orders",
  [wire.reason]: "unprocessable",
  [wire.error]: JSON.stringify({ class: "Error", message, stack }),
});

/** Any value that a header can have, under any name. */
const header = (name: string, value: Header["value"]): Header => ({ name, value });

/** What TESTING says a drain must live through, as bodies and headers of messages. */
const bad: Readonly<Record<string, Message>> = {
  "a script in body, error and stack": makeMessage({
    body: "<script>alert(1)</script>",
    headers: failure("<script>alert(1)</script>"),
  }),
  "a link that is a program": makeMessage({ headers: { ...failure("x"), link: "javascript:alert(1)" } }),
  "a drawing with a program in it": makeMessage({
    body: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  }),
  "terminal and bidi escapes": makeMessage({ headers: failure("\u001b[2J\u001b]0;x\u0007\u202Eevil\u2066") }),
  "a formula for a spreadsheet": makeMessage({ headers: failure("=cmd|' /C calc'!A0") }),
  "serialized Java, pickle and PHP": makeMessage({
    body: Buffer.from("rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA==", "base64"),
    headers: [
      header("pickle", { type: "bytes", value: Buffer.from("\x80\x04cos\nsystem\n", "latin1") }),
      header("php", { type: "text", value: 'O:8:"Evil":0:{}' }),
    ],
  }),
  "an error that stalls careless patterns": makeMessage({
    headers: failure(`${"a".repeat(28)}!`, `${" ".repeat(5_000)}at x`),
  }),
  "YAML that would grow": makeMessage({ body: "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]" }),
  "a small gzip of 100 MB": makeMessage({
    body: gzipSync(Buffer.alloc(100_000_000)),
    headers: { "content-encoding": "gzip" },
  }),
  "JSON 20,000 deep": makeMessage({ body: "[".repeat(20_000) + "]".repeat(20_000) }),
  "an object that would change all objects": makeMessage({
    body: '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}',
    headers: failure("x"),
  }),
  "NUL, half characters, a huge number and a byte order mark": makeMessage({
    body: '\uFEFF{"n":1e200000,"s":"\\ud800\\u0000"}',
    headers: failure("a\u0000b\ud800c"),
  }),
  "bytes that are no text": makeMessage({
    body: Uint8Array.from([0xff, 0xfe, 0xc0, 0x80, 0x00]),
    headers: [header("raw", { type: "bytes", value: Uint8Array.from([0xff]) })],
  }),
  "line ends in a reason": makeMessage({ headers: { ...failure("x"), [wire.reason]: "one\r\ntwo: three" } }),
  "card numbers, tokens and keys": makeMessage({
    body: '{"card":"4111 1111 1111 1111","aws":"AKIAIOSFODNN7EXAMPLE"}',
    headers: { ...failure("card 4111111111111111 of x@example.com refused"), authorization: "Bearer abcdefgh12345678" },
  }),
  "nothing at all": makeMessage({}),
};

/** Too much for the headers of RabbitMQ's client, or for its frames. */
const huge: Readonly<Record<string, Message>> = {
  "10,000 headers": makeMessage({
    headers: Array.from({ length: 10_000 }, (_, n) => header(`h-${n}`, { type: "text", value: String(n) })),
  }),
  "a header of 1 MB": makeMessage({ headers: { ...failure("x"), big: "x".repeat(1_100_000) } }),
  "a key of 32 KB": makeMessage({ key: "k".repeat(32_768), headers: failure("x") }),
  "a body of 16 MB": makeMessage({ body: Buffer.alloc(16 * 1024 * 1024, 0x61) }),
};

describeServer("a drain of bad letters", noPostgres ?? noRabbitmq, () => {
  const postgres = usePostgres();
  const rabbitmq = useRabbitmq();
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: postgres.database });
  });

  const places: readonly (readonly [string, () => Transport, Readonly<Record<string, Message>>])[] = [
    ["RabbitMQ", () => rabbitmqTransport({ url: rabbitmq.url }), bad],
    ["PostgreSQL", () => postgresTransport({ database: postgres.database }), { ...bad, ...huge }],
  ];

  describe.each(places)("of %s", (_name, open, messages) => {
    it("holds each of them inert, and all that comes between", { timeout: 120_000 }, async () => {
      const transport = open();
      onTestFinished(() => transport.close());
      const queue = `bad-${crypto.randomUUID()}.dlq`;
      for (const message of Object.values(messages)) {
        await transport.send({ name: queue }, message);
        await transport.send({ name: queue }, makeMessage({ body: "a good one", headers: failure("a good one") }));
      }
      const room = { ...testRoom(), read: readDeadLetter, triage: { classify, fingerprint } };
      const { signal } = new AbortController();
      const parts = {
        ledger,
        transport,
        source: "s",
        room,
        actor: tester,
        host: systemHost,
        from: { name: queue },
        signal,
      };
      const sent = Object.keys(messages).length * 2;
      expect(await drain(parts, { idleMs: 2_000 })).toMatchObject({ held: sent, known: 0, unacknowledged: 0 });

      const { rows } = await postgres.pool.query<{ body: Buffer }>(
        "select b.body from dlo.bodies b join dlo.letters l on l.id = b.letter_id where l.drained_from = $1 order by l.id",
        [queue],
      );
      const kept = rows.map(({ body }) => body).filter((body) => body.toString() !== "a good one");
      expect(kept).toHaveLength(sent / 2);
      for (const [name, { body }] of Object.entries(messages)) {
        expect(
          kept.some((other) => Buffer.compare(other, body) === 0),
          name,
        ).toBe(true);
      }
      expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
      expect((await verifyAudit(ledger, null)).problem).toBe(null);
    });
  });

  it("shows no card number, token or key of any of them", async () => {
    const now = Date.now();
    const { items } = await findLetters(ledger, {
      q: "",
      sort: "arrived",
      limit: 200,
      after: null,
      now,
      retentionMs: 1e12,
    });
    for (const { id } of items) {
      const shown = JSON.stringify(
        await showLetter(await readLetter(ledger, id), { ledger, masking: defaultMasking, bodies: null }),
      );
      expect(shown).not.toMatch(/4111 ?1111|AKIAIOSFODNN7|abcdefgh12345678|x@example/);
    }
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import type { BodyStore } from "../../src/domain/body-store.ts";
import { decodeHeaders } from "../../src/domain/header-codec.ts";
import { makeId } from "../../src/domain/ids.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { beginSession, type DrainSession, endSession, extendSession } from "../../src/ledger/drain-session.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { oldestPerQueue } from "../../src/ledger/search/count-queues.ts";
import type { ReadingRoom } from "../../src/office/intake/read-letters.ts";
import { deadLetter, hold, tester, testRoom } from "../ledger/letters.ts";
import { onEachDatabase } from "../servers/each-database.ts";

onEachDatabase("intake", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  const ask = async <Row>(sql: string, values: readonly unknown[] = []) =>
    (await ledger.database.query<Row>(sql, values)).rows;
  const count = async (table: string) =>
    Number((await ask<{ n: string }>(`select count(*) as n from dlo.${table}`))[0]?.n);
  const at = (position: string) => ({ kind: "position", position }) as const;

  it("keeps bytes, headers and key exactly as they came", async () => {
    const body = Uint8Array.from({ length: 256 }, (_, index) => index);
    const headers = [
      { name: "same", value: { type: "text", value: "1" } },
      { name: "same", value: { type: "integer", value: 9007199254740993n } },
      { name: "table", value: { type: "table", value: [{ name: "nul\0", value: { type: "bytes", value: body } }] } },
    ] as const;
    await hold(ledger, [{ letter: deadLetter({ body, headers, key: body.subarray(0, 9) }), found: at("exact") }]);
    const [row] = await ask<{ body: Uint8Array; headers: Uint8Array; message_key: Uint8Array }>(
      "select body, headers, message_key from dlo.bodies where position = 'exact'",
    );
    expect(row?.body).toEqual(body);
    expect(decodeHeaders(row?.headers ?? null)).toEqual(headers);
    expect(row?.message_key).toEqual(body.subarray(0, 9));
  });

  it("knows a letter again by its position, and another letter at that position as another", async () => {
    const first = { letter: deadLetter({ body: "a" }), found: at("1:1") };
    const second = { letter: deadLetter({ body: "b" }), found: at("1:2") };
    expect(await hold(ledger, [first])).toEqual(["new"]);
    expect(await hold(ledger, [first, second, second])).toEqual(["known", "new", "known"]);
    expect(await hold(ledger, [{ ...first, letter: deadLetter({ body: "recreated" }) }])).toEqual(["new"]);
  });

  it("writes one audit row a batch, and none for what it knew", async () => {
    const letters = [1, 2, 3].map((n) => ({ letter: deadLetter({ body: `audit ${n}` }), found: at(`audit ${n}`) }));
    const before = await count("audit_log");
    await hold(ledger, letters);
    await hold(ledger, letters);
    expect(await count("audit_log")).toBe(before + 1);
  });

  it("knows the oldest open letter of a queue, whatever comes, goes and comes back", async () => {
    const now = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    const arrive = async (hoursAgo: number) => {
      const letter = deadLetter({ body: `aged ${hoursAgo}`, headers: { queue: "aging", class: "Error" } });
      const room = testRoom(() => now - hoursAgo * 3_600_000);
      await hold(ledger, [{ letter, found: at(`aged ${hoursAgo}`) }], { room });
    };
    const oldest = async () => {
      const found = (await oldestPerQueue(ledger)).find(({ queue }) => queue === "aging");
      return found === undefined ? null : (now - Date.parse(found.failedAt)) / 3_600_000;
    };
    const move = (hoursAgo: number, from: string, to: string) =>
      ask(`select dlo.move_letters(array(select letter_id from dlo.bodies where position = $1), array[$2], $3)`, [
        `aged ${hoursAgo}`,
        from,
        to,
      ]);
    await arrive(2);
    await arrive(1);
    expect(await oldest()).toBe(2);
    await arrive(3);
    expect(await oldest()).toBe(3);
    await move(3, "open", "dropped");
    expect(await oldest()).toBe(2);
    await move(2, "open", "dropped");
    await move(1, "open", "dropped");
    expect(await oldest()).toBeNull();
    await move(2, "dropped", "open");
    expect(await oldest()).toBe(2);
  });

  it("stores a stack once, however many letters have it", async () => {
    const stack = "Error: x\n    at one (a.js:1:1)";
    const before = await count("stacks");
    const letters = Array.from({ length: 20 }, (_, n) => ({
      letter: deadLetter({ body: `s${n}`, headers: { stack: n === 7 ? "other" : stack } }),
      found: at(`stack ${n}`),
    }));
    await hold(ledger, letters.slice(0, 10));
    await hold(ledger, letters.slice(10));
    expect(await count("stacks")).toBe(before + 2);
  });

  it("counts groups and queues as the letters are", async () => {
    const queue = `counted-${crypto.randomUUID()}`;
    const letters = Array.from({ length: 30 }, (_, n) => ({
      letter: deadLetter({
        body: `c${n}`,
        headers: {
          queue,
          class: n % 3 === 0 ? "TypeError" : "TimeoutError",
          message: `after ${n} ms`,
          "dlo-category": "transient",
        },
      }),
      found: at(`counted ${queue} ${n}`),
    }));
    await hold(ledger, letters.slice(0, 20));
    await hold(ledger, letters.slice(10));
    await ask("select dlo.fold_counters(100000)");
    expect(
      await ask("select error_class, total::int, open::int from dlo.groups where queue = $1 order by 1", [queue]),
    ).toEqual([
      { error_class: "TimeoutError", total: 20, open: 20 },
      { error_class: "TypeError", total: 10, open: 10 },
    ]);
    expect(await ask("select category, state, n::int from dlo.counters where queue = $1", [queue])).toEqual([
      { category: "transient", state: "open", n: 30 },
    ]);
    const hours = await ask<{ n: number }>(
      "select sum(h.n)::int as n from dlo.group_hours h join dlo.groups g on g.id = h.group_id where g.queue = $1",
      [queue],
    );
    expect(hours).toEqual([{ n: 30 }]);
    expect(await ask("select dlo.fold_counters(100000) as n")).toEqual([{ n: 0 }]);
  });

  it("keeps a large body by reference, durable before its row", async () => {
    const kept = new Map<string, Uint8Array>();
    const bodies: BodyStore = {
      name: "test",
      keep: async (sha256, body) => void kept.set(sha256, body),
      read: async (sha256) => kept.get(sha256) ?? null,
      forget: async () => {},
    };
    const letter = deadLetter({ body: "x".repeat(300_000) });
    await hold(ledger, [{ letter, found: at("large") }], { room: { ...testRoom(), bodies } });
    const [row] = await ask<{ body: null; body_ref: string }>(
      "select body, body_ref from dlo.bodies where position = 'large'",
    );
    expect(row?.body).toBeNull();
    expect(row?.body_ref).toMatch(/^test:[\da-f]{64}$/);
    expect([...kept.values()]).toEqual([letter.message.body]);
  });

  it("makes a partition for letters of any time", async () => {
    const room = testRoom(() => Date.UTC(2019, 1, 3));
    expect(await hold(ledger, [{ letter: deadLetter({ body: "old" }), found: at("old") }], { room })).toEqual(["new"]);
  });

  describe("where the broker has no positions", () => {
    const newSession = async (queue = "orders.dlq", leaseMs = 60_000): Promise<DrainSession> => {
      const session = { id: makeId(Date.now(), crypto.randomUUID()), source: "rabbit", queue };
      await beginSession(ledger, session, { actor: tester, leaseMs });
      return session;
    };
    const delivered = ({ id }: DrainSession, body: string, ordinal: number, redelivered = false) => ({
      letter: deadLetter({ body }, { redelivered }),
      found: { kind: "delivery", session: id, ordinal, redelivered } as const,
    });

    it("takes what was not given out before for new, however equal", async () => {
      const session = await newSession();
      const twins = [delivered(session, "twin", 1), delivered(session, "twin", 2)];
      expect(await hold(ledger, twins, { session })).toEqual(["new", "new"]);
      // The answer to the commit was lost, and it is asked again.
      expect(await hold(ledger, twins, { session })).toEqual(["known", "known"]);
      await endSession(ledger, session.id);
    });

    it("merges a second delivery with a letter of an ended drain, each once, and takes the rest for new", async () => {
      const dead = await newSession();
      await hold(ledger, [delivered(dead, "again", 1), delivered(dead, "again", 2)], { session: dead });
      await endSession(ledger, dead.id);
      const next = await newSession();
      const again = [1, 2, 3].map((ordinal) => delivered(next, "again", ordinal, true));
      expect(await hold(ledger, again, { session: next })).toEqual(["merged", "merged", "new"]);
      await endSession(ledger, next.id);
      const last = await newSession();
      expect(await hold(ledger, [delivered(last, "again", 1, true)], { session: last })).toEqual(["merged"]);
      expect(await hold(ledger, [delivered(last, "never seen", 2, true)], { session: last })).toEqual(["new"]);
      await endSession(ledger, last.id);
    });

    it("cannot say while the drain that had it may still live, and can when its lease is over", async () => {
      const frozen = await newSession("orders.dlq", 60_000);
      await hold(ledger, [delivered(frozen, "held back", 1)], { session: frozen });
      const next = await newSession();
      const again = [delivered(next, "held back", 1, true)];
      expect(await hold(ledger, again, { session: next })).toEqual(["undecided"]);
      await ask("update dlo.drain_sessions set lease_until = now() - interval '1 s' where id = $1", [uuid(frozen)]);
      expect(await hold(ledger, again, { session: next })).toEqual(["merged"]);
      await endSession(ledger, next.id);
    });

    it("refuses to commit for a drain that lapsed or ended", async () => {
      const lapsed = await newSession("other.dlq", 0);
      await expect(hold(ledger, [delivered(lapsed, "late", 1)], { session: lapsed })).rejects.toMatchObject({
        code: "DRAIN_LOST",
      });
      expect(await extendSession(ledger, lapsed.id, 1_000)).toBe(false);
      const ended = await newSession("other.dlq");
      expect(await extendSession(ledger, ended.id, 1_000)).toBe(true);
      await endSession(ledger, ended.id);
      await expect(hold(ledger, [delivered(ended, "late", 1)], { session: ended })).rejects.toMatchObject({
        code: "DRAIN_LOST",
      });
    });
  });

  const uuid = ({ id }: DrainSession) => Buffer.from(id).toString("hex");

  describe("letters that nobody should have sent", () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const hostile: readonly [string, Parameters<typeof makeMessage>[0]][] = [
      [
        "a script",
        { body: "<script>alert(1)</script>", headers: { class: "<img onerror=x>", message: '"onmouseover="alert(1)' } },
      ],
      ["NUL everywhere", { body: "\0", headers: { class: "a\0b", message: "\0\0", stack: "\0", queue: "q\0" } }],
      ["lone surrogates", { body: "x", headers: { class: "\ud800", message: "\udfff", queue: "\ud800" } }],
      ["a number PostgreSQL cannot take", { body: '{"n":1e200000}', headers: { message: "1e200000" } }],
      ["20,000 levels of JSON", { body: deep }],
      ["its own __proto__", { body: '{"__proto__":{"id":"x"},"id":{"toString":1}}' }],
      [
        "10,000 headers",
        { headers: Array.from({ length: 10_000 }, (_, n) => ({ name: `h${n}`, value: { type: "text", value: "v" } })) },
      ],
      ["a header of 1 MB", { headers: { big: "x".repeat(1 << 20) } }],
      [
        "a group key of 32 KB",
        { headers: { class: "C".repeat(32_768), message: "m".repeat(32_768), queue: "q".repeat(32_768) } },
      ],
      ["a body of 16 MB", { body: new Uint8Array(16 << 20) }],
      ["bytes that are no text", { body: Uint8Array.of(0xff, 0xfe, 0x80), key: Uint8Array.of(0xff) }],
      ["a byte order mark", { body: "\ufeff{}" }],
      ["line breaks in a reason", { headers: { message: "a\r\nSet-Cookie: x", "dlo-reason": "x\r\ny" } }],
      ["escapes for terminals", { headers: { class: "\u001b[31m", message: "\u202egnp.exe" } }],
      ["a pattern's nightmare", { headers: { message: "a".repeat(28) } }],
      ["nothing at all", {}],
    ];

    it.each(hostile)("are held inert: %s", async (title, parts) => {
      const good = { letter: deadLetter({ body: `beside ${title}` }), found: at(`beside ${title}`) };
      const bad = { letter: deadLetter(parts), found: at(`hostile ${title}`) };
      expect(await hold(ledger, [good, bad])).toEqual(["new", "new"]);
      const [row] = await ask<{ body: Uint8Array; size_bytes: number; cut: string | null }>(
        "select b.body, l.size_bytes, b.cut from dlo.bodies b join dlo.letters l on l.id = b.letter_id where b.position = $1",
        [`hostile ${title}`],
      );
      expect(Buffer.compare(row?.body ?? Buffer.from("missing"), makeMessage(parts).body)).toBe(0);
      if (title === "a header of 1 MB") expect(row?.cut).toMatch(/^\{"headers":\d+\}$/);
    });

    it.each(["cannot be stored", "makes the reader throw"])(
      "are held even if what is read from them %s",
      async (what) => {
        const plain = testRoom();
        const isOdd = (text: string | null) => text === "odd";
        const room: ReadingRoom = {
          ...plain,
          read(letter) {
            const reading = plain.read(letter);
            if (what !== "cannot be stored" && isOdd(reading.errorMessage)) throw new Error("a bug");
            return reading;
          },
          triage: {
            ...plain.triage,
            classify(evidence) {
              const classification = plain.triage.classify(evidence);
              return isOdd(evidence.message)
                ? { ...classification, category: "nonsense" as "unknown" }
                : classification;
            },
          },
        };
        const letters = Array.from({ length: 20 }, (_, n) => ({
          letter: deadLetter({ body: `${n}`, headers: { message: n === 13 ? "odd" : "even" } }),
          found: at(`${what} ${n}`),
        }));
        expect(new Set(await hold(ledger, letters, { room }))).toEqual(new Set(["new"]));
        const rows = await ask<{ rule: string; body: Uint8Array }>(
          `select l.rule, b.body from dlo.letters l join dlo.bodies b on b.letter_id = l.id
         where b.position like $1 and l.category = 'unknown' and l.error_message is null`,
          [`${what} %`],
        );
        expect(rows.map(({ body }) => Buffer.from(body).toString())).toEqual(["13"]);
      },
    );
  });
});

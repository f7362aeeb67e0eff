import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { OfficeError } from "../../src/domain/errors.ts";
import { idOfUuid, makeId, showId, uuidOf } from "../../src/domain/ids.ts";
import { type Header, makeMessage, textHeader } from "../../src/domain/message.ts";
import { beginSession, endSession } from "../../src/ledger/drain-session.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { moveLetters } from "../../src/ledger/move-letters.ts";
import { readAudit } from "../../src/ledger/read-audit.ts";
import { readCandidates } from "../../src/ledger/read-candidates.ts";
import { decideLetters } from "../../src/office/decide/decide-letters.ts";
import { type GivingParts, giveBack } from "../../src/office/decide/give-back.ts";
import { settleCompensation } from "../../src/office/decide/send-compensation.ts";
import { drain } from "../../src/office/intake/drain.ts";
import { releaseSending, stopSending } from "../../src/office/replay/stop-sending.ts";
import type { OpenParts } from "../../src/sources/opened-source.ts";
import { postgresSource } from "../../src/sources/postgres-source.ts";
import { openRabbitmq } from "../../src/sources/rabbitmq-source.ts";
import { openRedis } from "../../src/sources/redis-source.ts";
import { systemHost } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { routingRabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { RedisConnection } from "../../src/transports/redis/connection.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { terminal } from "../cli/terminal.ts";
import { deadLetter, hold, tester, testRoom } from "../ledger/letters.ts";
import { describeServer } from "../servers/describe-server.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { noRedis } from "../servers/redis.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import { useRedis } from "../servers/use-redis.ts";
import {
  bodiesOf,
  holdLetters,
  itemsOf,
  letterStates,
  operator,
  planned,
  replayWorld,
  type WorldOptions,
} from "./world.ts";

const reason = "only tried it out";
const newId = () => makeId(Date.now(), crypto.randomUUID());

interface Drained {
  readonly transport: Transport;
  readonly queue: string;
  /** How many letters will have come from it in all. */
  readonly count: number;
}

/** Drains a queue, as often as that takes, and gives the letters that ever came from it. */
async function drained(ledger: Ledger, { transport, queue, count }: Drained): Promise<readonly Uint8Array[]> {
  const { signal } = new AbortController();
  const parts = { transport, from: { name: queue }, source: "s", room: testRoom(), actor: tester, host: systemHost };
  await eventually(async () => {
    await drain({ ...parts, ledger, signal }, { idleMs: 300, lingerMs: 5 });
    expect(await lettersFrom(ledger, queue)).toHaveLength(count);
  });
  return lettersFrom(ledger, queue);
}

async function lettersFrom({ database, at }: Ledger, queue: string): Promise<readonly Uint8Array[]> {
  const { rows } = await database.query<{ id: string }>(
    `select id from ${at}.letters where drained_from = $1 order by id`,
    [queue],
  );
  return rows.map(({ id }) => idOfUuid(id));
}

onEachDatabase("a letter that is given back", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  const giving = (letters: readonly Uint8Array[], options: WorldOptions = {}, more: Partial<GivingParts> = {}) => {
    const world = replayWorld(ledger, options);
    const parts = { ...world.parts, ...more };
    return { parts, sent: world.sent, give: () => giveBack(parts, operator, { letters, reason, reference: null }) };
  };
  const lastActions = async () =>
    (await readAudit(ledger, { before: null, limit: 2 })).map(({ text }): unknown => JSON.parse(text));
  const refusal = (because: string) => ({ code: "GIVE_BACK_REFUSED", details: { because } });

  /** As if whoever was sending it had been silent for a minute. */
  const waitForSender = (letter: Uint8Array) =>
    ledger.database.query(
      `update ${ledger.at}.compensations set attempted_at = attempted_at - interval '1 minute' where letter_id = $1`,
      [uuidOf(letter)],
    );

  it("lies in its queue as it was, is dropped here, and comes as a new letter when it is drained again", async () => {
    const { database } = tested;
    const transport = postgresTransport({ database });
    onTestFinished(() => transport.close());
    const queue = `given-${crypto.randomUUID()}.dlq`;
    const headers = [
      { name: "x-tried", value: { type: "integer", value: 9_007_199_254_740_993n } },
      { name: "dlo-category", value: { type: "text", value: "transient" } },
      { name: "x-tried", value: { type: "bytes", value: Uint8Array.of(0, 255) } },
    ] as const;
    await transport.send({ name: queue }, makeMessage({ body: Uint8Array.of(0, 255, 128), headers, key: "k-1" }));
    await transport.send({ name: queue }, makeMessage({ body: "second" }));
    const first = await drained(ledger, { transport, queue, count: 2 });
    const source = postgresSource(transport, { database, schema: "dlo", clock: systemHost.clock });
    const { give } = giving(first, {}, { line: async (_source, id) => source.line(id, async () => true) });
    expect((await give()).map(({ outcome }) => outcome)).toEqual(["sent", "sent"]);
    expect(await letterStates(ledger, first)).toEqual(["dropped", "dropped"]);
    expect(await lastActions()).toMatchObject([
      { action: "letters.given_back", reason, actor: { id: "ops-1" } },
      { action: "letters.given_back" },
    ]);

    const again = (await drained(ledger, { transport, queue, count: 4 })).slice(2);
    expect(await letterStates(ledger, again)).toEqual(["open", "open"]);
    const messages = async (ids: readonly Uint8Array[]) =>
      (await readCandidates(ledger, ids)).map(({ message }) => message);
    expect(await messages(again)).toEqual(await messages(first));
    const reopened = decideLetters(giving([]).parts, operator, "reopen", { letters: first, reason, reference: null });
    await expect(reopened).rejects.toThrow("2 of 2 letters are back in the dead-letter queue");
    // As a process of an older version does, which asks nobody whether they were.
    expect(await moveLetters(ledger, ledger.database, { ids: first, from: ["dropped"], to: "open" })).toEqual([]);
    expect(await letterStates(ledger, first)).toEqual(["dropped", "dropped"]);
  });

  it("is not taken for known when a broker without positions hands it out a second time", async () => {
    const queue = `redelivered-${crypto.randomUUID()}.dlq`;
    const letter = deadLetter({ body: "a", headers: { "x-delivery-count": "1" } }, { queue });
    const comes = async (redelivered: boolean) => {
      const session = { id: newId(), source: "rabbit", queue };
      await beginSession(ledger, session, { actor: operator, leaseMs: 600_000 });
      const found = { kind: "delivery", session: session.id, ordinal: 1, redelivered } as const;
      const outcomes = await hold(ledger, [{ letter, found }], { session });
      await endSession(ledger, session.id);
      return outcomes;
    };
    expect(await comes(false)).toEqual(["new"]);
    await giving(await lettersFrom(ledger, queue)).give();
    expect(await comes(true)).toEqual(["new"]);
    expect(await comes(true)).toEqual(["merged"]);
  });

  it("goes once however many ask for it at once", async () => {
    const letters = await holdLetters(ledger, ["a"]);
    const { sent, give } = giving(letters);
    const asked = await Promise.allSettled([give(), give(), give()]);
    const outcomes = asked.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    expect(outcomes.filter(({ outcome }) => outcome === "sent")).toHaveLength(1);
    expect([bodiesOf(sent), await letterStates(ledger, letters)]).toEqual([["a"], ["dropped"]]);
  });

  it("whose sender dies before it is sent is in doubt, goes no second time, and leaves those behind it as they were", async () => {
    const letters = await holdLetters(ledger, ["a", "b"]);
    const [letter = new Uint8Array()] = letters;
    // It never comes back from there, as one that is dead.
    void giving(letters, { onSend: () => new Promise<void>(() => {}) }).give();
    await eventually(async () => expect(await letterStates(ledger, letters)).toEqual(["in_doubt", "open"]));
    const next = giving([letter]);
    await expect(next.give()).rejects.toMatchObject({ code: "LETTER_DECIDED" });
    const [item] = await itemsOf(next.parts, await planned(next.parts, [letter]));
    expect([item?.reason, next.sent]).toEqual(["claimed", []]);
    const word = { letter, outcome: "unsent", reason: "it is not in the queue" } as const;
    await expect(settleCompensation(next.parts, operator, word)).rejects.toMatchObject({ code: "SENDER_MAY_WAKE" });
    await waitForSender(letter);
    await settleCompensation(next.parts, operator, word);
    expect(await letterStates(ledger, letters)).toEqual(["open", "open"]);
    expect((await lastActions())[0]).toMatchObject({ action: "letters.give_back_failed" });
    expect(await next.give()).toMatchObject([{ outcome: "sent" }]);
  });

  it("without an answer is in doubt until somebody says that it is there", async () => {
    const letters = await holdLetters(ledger, ["a"]);
    const [letter = new Uint8Array()] = letters;
    const { parts, give } = giving(letters, { onSend: () => Promise.reject(new Error("socket hang up")) });
    expect(await give()).toMatchObject([{ outcome: "in_doubt", why: "socket hang up" }]);
    expect(await letterStates(ledger, letters)).toEqual(["in_doubt"]);
    await waitForSender(letter);
    await settleCompensation(parts, operator, { letter, outcome: "sent", reason: "it is in the queue" });
    expect(await letterStates(ledger, letters)).toEqual(["dropped"]);
    expect((await lastActions())[0]).toMatchObject({ action: "letters.given_back" });
  });

  it("stays open where its broker refuses it, or all sending is stopped before its turn", async () => {
    const letters = await holdLetters(ledger, ["a", "b"]);
    const onSend = () => Promise.reject(new OfficeError("QUEUE_NOT_FOUND", "There is no queue orders.dlq."));
    expect(await giving(letters.slice(0, 1), { onSend }).give()).toMatchObject([{ outcome: "unsent" }]);
    expect(await letterStates(ledger, letters)).toEqual(["open", "open"]);
    const stopped = giving(letters, { onSend: async () => void (await stopSending(stopped.parts, operator, "wait")) });
    const outcomes = await stopped.give();
    await expect(giving(letters.slice(1)).give()).rejects.toMatchObject({ code: "SENDING_STOPPED" });
    await releaseSending(stopped.parts, operator, "go on");
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["sent", "unsent"]);
    expect(await letterStates(ledger, letters)).toEqual(["dropped", "open"]);
  });

  it("must be open, all of them", async () => {
    const letters = await holdLetters(ledger, ["a", "b"]);
    const { parts, sent, give } = giving(letters);
    await decideLetters(parts, operator, "escalate", { letters: letters.slice(1), reason, reference: null });
    await expect(give()).rejects.toThrow("Only 1 of 2 letters is open, as they must be to give them back.");
    expect([sent, await letterStates(ledger, letters)]).toEqual([[], ["open", "escalated"]]);
  });

  it("is refused where it lies in a log still, or its queue is drained, with the way out", async () => {
    const letters = await holdLetters(ledger, ["a"]);
    const there = giving(letters, {}, { takesBack: async () => "there" });
    await expect(there.give()).rejects.toMatchObject(refusal("there"));
    const drained = giving(letters, {}, { takesBack: async () => "drained" });
    await expect(drained.give()).rejects.toMatchObject(refusal("drained"));
    await expect(drained.give()).rejects.toThrow("Set `mode: observe` for that queue");

    const session = { id: newId(), source: "rabbit", queue: "orders.dlq" };
    await beginSession(ledger, session, { actor: operator, leaseMs: 600_000 });
    await expect(giving(letters).give()).rejects.toMatchObject(refusal("drained"));
    await endSession(ledger, session.id);
    expect(await giving(letters).give()).toMatchObject([{ outcome: "sent" }]);
    expect([there.sent, drained.sent]).toEqual([[], []]);
  });

  it("is refused where it came from a file, or is not whole", async () => {
    const ids: Uint8Array[] = [];
    const room = {
      ...testRoom(),
      newLetterId: () => ({ id: ids[ids.push(newId()) - 1] ?? newId(), arrivedAt: Date.now() }),
    };
    const found = { kind: "key", key: crypto.getRandomValues(new Uint8Array(32)) } as const;
    await hold(ledger, [{ letter: deadLetter({ body: "a" }), found }], { room });
    await expect(giving(ids).give()).rejects.toMatchObject(refusal("imported"));
    const [cut] = await holdLetters(ledger, ["b"], { long: "x".repeat(1_100_000) });
    await expect(giving([cut ?? newId()]).give()).rejects.toMatchObject(refusal("incomplete"));
    await expect(giving([cut ?? newId()]).give()).rejects.toThrow(showId("letter", cut ?? newId()));
  });
});

describeServer("giving back from the terminal", noPostgres, () => {
  const postgres = usePostgres();

  it("needs a queue that is not drained all the time, and leaves it as it was", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dlo-give-back-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "dlo.config.yaml");
    const configure = (mode: string) =>
      writeFileSync(
        file,
        `version: 1\nsources:\n  - { name: s, broker: postgres, url: "${postgres.url}", queues: [{ match: "*.dlq", mode: ${mode} }] }\n`,
      );
    const type = (...line: string[]) =>
      terminal([...line, "--config", file], { env: { DATABASE_URL: postgres.url, USER: "ops-1" } });
    const transport = postgresTransport({ database: postgres.database });
    onTestFinished(() => transport.close());
    for (const body of ["a", "b"]) await transport.send({ name: "orders.dlq" }, makeMessage({ body }));
    const bodiesThere =
      "select convert_from(body, 'UTF8') as body from dlo.messages where queue = 'orders.dlq' order by id";
    const give = ["give-back", "-q", "queue:orders", "--reason", reason];

    const drainAll = () =>
      eventually(async () => {
        await type("drain", "s/orders.dlq", "--idle", "300ms");
        const { stdout } = await type("letters", "-q", "state:open", "--json");
        expect((JSON.parse(stdout) as { readonly items: readonly unknown[] }).items).toHaveLength(2);
      });

    configure("drain");
    await drainAll();
    const refused = await type(...give, "--expect-count", "2");
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining("mode: observe")]);
    configure("observe");
    expect((await type(...give)).stderr).toContain("This is about 2 letters.");
    expect(await type(...give, "--expect-count", "2")).toMatchObject({ code: 0, stdout: "2 letters given back.\n" });
    expect((await postgres.database.query(bodiesThere, [])).rows).toEqual([{ body: "a" }, { body: "b" }]);
    expect(await type(...give, "--expect-count", "2")).toMatchObject({ code: 3 });
    await drainAll();
  });
});

describeServer("a letter that is given back to RabbitMQ", noPostgres ?? noRabbitmq, () => {
  const postgres = usePostgres();
  const rabbitmq = useRabbitmq();

  it("lies there with the deaths its broker had noted, and is a new letter when it is drained again", async () => {
    const ledger = await openLedger({ database: postgres.database });
    const transport = routingRabbitmqTransport({ url: rabbitmq.url });
    const opened = await openRabbitmq({ url: rabbitmq.url, clock: systemHost.clock } as OpenParts);
    onTestFinished(async () => void (await Promise.all([transport.close(), opened.close()])));
    const queue = `given-${crypto.randomUUID()}.dlq`;
    const death = [textHeader("queue", "orders"), textHeader("reason", "rejected")];
    const headers: Header[] = [
      { name: "x-death", value: { type: "list", value: [{ type: "table", value: death }] } },
      textHeader("x-first-death-queue", "orders"),
    ];
    await transport.sendBack({ name: queue }, makeMessage({ body: "a", headers, key: "k" }));
    const [letter = newId()] = await drained(ledger, { transport, queue, count: 1 });
    const { parts } = replayWorld(ledger);
    const line = async (_source: string, id: Uint8Array) => opened.line(id, async () => true);
    const request = { letters: [letter], reason, reference: null };
    expect(await giveBack({ ...parts, line }, operator, request)).toMatchObject([{ outcome: "sent" }]);
    const letters = await drained(ledger, { transport, queue, count: 2 });
    expect(await letterStates(ledger, letters)).toEqual(["dropped", "open"]);
    const [was, is] = await readCandidates(ledger, letters);
    expect(was?.message.headers).toEqual(headers);
    expect(is?.message).toEqual(was?.message);
  });
});

describeServer("what a Redis stream keeps", noRedis, () => {
  const redis = useRedis();

  it("is what is there of what was drained", async () => {
    const opened = await openRedis({ url: redis.url, clock: systemHost.clock } as OpenParts);
    const way = { url: redis.url, tls: null, name: "test", silenceMs: 10_000, random: systemHost.random };
    const connection = new RedisConnection(way);
    onTestFinished(async () => void (await Promise.all([opened.close(), connection.close()])));
    const stream = `kept-${crypto.randomUUID()}.dlq`;
    const id = String(await connection.call("XADD", [stream, "*", "body", "a"]));
    expect(await opened.keepsDrained?.(stream, id)).toBe(true);
    await connection.call("XDEL", [stream, id]);
    expect(await opened.keepsDrained?.(stream, id)).toBe(false);
  });
});

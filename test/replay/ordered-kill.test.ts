import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Pool } from "pg";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { openOffice } from "../../src/compose.ts";
import type { Actor } from "../../src/domain/actor.ts";
import { pause } from "../../src/domain/clock.ts";
import { isOfficeError } from "../../src/domain/errors.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { queueNames } from "../../src/domain/wire.ts";
import { postgresBlockedKeys, postgresTransport } from "../../src/postgres.ts";
import { systemClock } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { tester } from "../ledger/letters.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { type Dice, seededDice } from "../simulation/dice.ts";
import type { NumberedMessage, OrderedConsumerTask } from "./ordered-consumer-process.ts";
import type { OrderedServerTask } from "./ordered-server-process.ts";

/** In the usual run; DLO_ORDER_KILLS=200 for the long one. */
const kills = Number(process.env.DLO_ORDER_KILLS ?? 6);
const keys = 50;
const messagesPerKey = 6;
const approver: Actor = { id: "ops-2", roles: ["approver"], kind: "human" };
const queue = "accounts";
const deadLetters = {
  ...{ source: "ours", queue: queueNames.deadLetters(queue), actor: tester },
  tuning: { idleMs: 500, leaseMs: 3_000 },
};

const policy = `version: 1
protocols:
  transient: { bulk: true, rate: 100, ramp: { steps: [], onUnknown: continue }, settle: { min: 1s }, maxReplays: 100 }
`;

describeServer("an ordered queue whose letters are dropped and replayed while all is killed", noPostgres, () => {
  const [postgres, ledger] = [usePostgres(), usePostgres()];
  const children = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
  });

  function start(name: "consumer" | "server", task: OrderedConsumerTask | OrderedServerTask): ChildProcess {
    const script = fileURLToPath(import.meta.resolve(`./ordered-${name}-process.ts`));
    const child = spawn(process.execPath, [script, JSON.stringify(task)], { stdio: ["ignore", "ignore", "inherit"] });
    children.add(child);
    child.once("exit", () => children.delete(child));
    return child;
  }

  it("keeps the order of every key, and leaves nothing parked", { timeout: 300_000 + kills * 20_000 }, async () => {
    const { database } = postgres;
    const [dice, books] = [seededDice(`${kills} kills`), booksOf(postgres)];
    const [transport, store] = [postgresTransport({ database }), postgresBlockedKeys({ database })];
    const office = await openedOffice();
    const all = Array.from({ length: keys * messagesPerKey }, (_, at) => {
      return { key: `k${at % keys}`, n: 1 + Math.floor(at / keys) };
    });
    const failing = all.filter(() => dice.chance(0.15));
    const dropped = new Set(failing.filter(() => dice.chance(0.4)).map(nameOf));
    const neverMeant = [...dropped];
    await books.open(failing);
    for (const message of all)
      await transport.send({ name: queue }, makeMessage({ body: JSON.stringify(message), key: message.key }));
    const operator = operatorOf(office.call, { dropped, mend: books.mend });
    const killing = killAll(dice, office);
    const settle = async () => {
      await office.drain({ ...deadLetters, signal: new AbortController().signal });
      await operator.act();
      const [blocked, done, parked] = [
        await store.list(queue),
        new Set(await books.firstSuccesses()),
        await books.parked(),
      ];
      const missing = all.map(nameOf).filter((name) => !dropped.has(name) && !done.has(name));
      expect([blocked, missing, parked, killing.isOver()]).toEqual([[], [], 0, true]);
    };
    await eventually(settle, { withinMs: 240_000 + kills * 15_000 });
    await killing.ended;
    await transport.close();
    const order = await books.firstSuccesses();
    for (let key = 0; key < keys; key++) {
      const numbers = order.filter((name) => name.startsWith(`k${key}/`)).map((name) => Number(name.split("/")[1]));
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    }
    expect(order.filter((name) => neverMeant.includes(name))).toEqual([]);
    expect(Math.min(...Object.values(operator.counts))).toBeGreaterThan(5);
  });

  /** A consumer dies every second or two, the server with every third. */
  function killAll(dice: Dice, { configFile, folder }: { readonly configFile: string; readonly folder: string }) {
    const startConsumer = () => start("consumer", { postgresUrl: postgres.url, queue });
    const startServer = () => start("server", { databaseUrl: ledger.url, configFile, dataFolder: folder });
    let [consumer, server, killed] = [startConsumer(), startServer(), 0];
    const run = async () => {
      while (killed < kills) {
        await pause(systemClock, dice.between(1_500, 4_000));
        consumer.kill("SIGKILL");
        consumer = startConsumer();
        killed += 1;
        if (killed % 3 !== 0) continue;
        server.kill("SIGKILL");
        server = startServer();
      }
    };
    return { isOver: () => killed === kills, ended: run() };
  }

  async function openedOffice() {
    const folder = mkdtempSync(join(tmpdir(), "dlo-order-kill-"));
    const configFile = join(folder, "dlo.config.yaml");
    writeFileSync(configFile, `version: 1\nsources: [{ name: ours, broker: postgres, url: "${postgres.url}" }]\n`);
    const settings = { databaseUrl: ledger.url, configFile, dataFolder: folder, env: {}, version: "0.0.0" };
    const office = await openOffice(settings);
    onTestFinished(async () => {
      await office.close();
      rmSync(folder, { recursive: true, force: true });
    });
    await office.call("policy.apply", tester, { text: policy });
    return { ...office, folder, configFile };
  }
});

/** What the consumers do to their database, and what is to fail. */
function booksOf({ pool }: { readonly pool: Pool }) {
  return {
    async open(failing: readonly NumberedMessage[]) {
      await pool.query(`create table effects (id serial, key text, n int);
        create table broken (key text, n int, primary key (key, n))`);
      for (const { key, n } of failing) await pool.query("insert into broken values ($1, $2)", [key, n]);
    },
    async mend({ key, n }: NumberedMessage): Promise<void> {
      await pool.query("delete from broken where key = $1 and n = $2", [key, n]);
    },
    /** In the order in which they first succeeded. */
    async firstSuccesses(): Promise<readonly string[]> {
      const sql = "select key, n from effects group by key, n order by min(id)";
      return (await pool.query<NumberedMessage>(sql)).rows.map(nameOf);
    },
    async parked(): Promise<number> {
      const sql = "select count(*)::integer as n from dlo.messages where queue = $1";
      return (await pool.query<{ n: number }>(sql, [queueNames.parked(queue)])).rows[0]?.n ?? 0;
    },
  };
}

type Call = Awaited<ReturnType<typeof openOffice>>["call"];

interface Fates {
  /** Names of messages whose letters are dropped. */
  readonly dropped: Set<string>;
  readonly mend: (message: NumberedMessage) => Promise<void>;
}

/** Decides about every open letter: each is dropped, or mended and replayed. */
function operatorOf(call: Call, { dropped, mend }: Fates) {
  const known = new Map<string, NumberedMessage>();
  const counts = { replayed: 0, dropped: 0 };
  const messageOf = async (id: string): Promise<NumberedMessage> => {
    const { base64 } = await call("letters.body", tester, { id });
    const message = known.get(id) ?? (JSON.parse(Buffer.from(base64, "base64").toString()) as NumberedMessage);
    known.set(id, message);
    return message;
  };
  const drop = async (letters: readonly Decided[]) => {
    if (letters.length === 0) return;
    const ids = letters.map(({ id }) => id);
    await call("letters.drop", tester, { letters: ids, expectCount: ids.length, reason: "closed" });
    for (const { message } of letters) {
      dropped.add(nameOf(message));
      // From now on it would succeed, if it ran.
      await mend(message);
    }
    counts.dropped += letters.length;
  };
  const act = async () => {
    const { items } = await call("letters.list", tester, { q: "is:open", limit: 200 });
    const letters = await Promise.all(items.map(async ({ id }) => ({ id, message: await messageOf(id) })));
    const isDropped = ({ message }: Decided) => dropped.has(nameOf(message));
    await drop(letters.filter(isDropped));
    const others = letters.filter((letter) => !isDropped(letter));
    for (const { message } of others) await mend(message);
    if (others.length === 0) return;
    const ids = others.map(({ id }) => id);
    const { id, counts: planned } = await call("replays.plan", tester, { letters: ids });
    counts.replayed += await replay(call, id);
    if (planned.skipped === 0) return;
    const { items: skipped } = await call("replays.items", tester, { id, decision: "skip" });
    const never = new Set(skipped.filter(({ reason }) => !passing.includes(reason.code)).map(({ letter }) => letter));
    await drop(others.filter((letter) => never.has(letter.id)));
  };
  return { act, counts };
}

interface Decided {
  readonly id: string;
  readonly message: NumberedMessage;
}

/** What keeps a letter from going now, and not for long. */
const passing = ["claimed", "send.in_doubt", "order.predecessor_dead", "lag.high", "already.resolved"];

/** Answered for, asked for and approved, whatever that takes; what may not go yet stays for the next time. */
async function replay(call: Call, id: string): Promise<number> {
  const reason = "the bank is back";
  try {
    const { reasons } = await call("replays.get", tester, { id });
    for (const { decision, code } of reasons)
      if (decision === "ack_required") await call("replays.acknowledge", tester, { id, code, reason });
    const { state, approvalHash: hash, counts } = await call("replays.ask", tester, { id, reason });
    if (state === "awaiting_approval") await call("replays.approve", approver, { id, hash, reason });
    await call("replays.start", tester, { id, expectCount: counts.toSend, allowFewer: true });
    return counts.toSend;
  } catch (error) {
    if (isOfficeError(error, "PLAN_CHANGED") || isOfficeError(error, "REPLAY_NOT_READY")) return 0;
    throw error;
  }
}

function nameOf({ key, n }: NumberedMessage): string {
  return `${key}/${n}`;
}

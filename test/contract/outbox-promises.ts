import { expect, it } from "vitest";
import { type Database, quoteName } from "../../src/domain/database.ts";
import { OfficeError } from "../../src/domain/errors.ts";
import { makeMessage, textHeader } from "../../src/domain/message.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { bodyOf, hasLooked, keyOf, type OutboxBench, openOutbox, refusal, text } from "./outbox-subject.ts";

/** What the outbox promises on every database, one test a promise. */
export function outboxPromises(database: () => Database): void {
  const promise = (title: string, run: (bench: OutboxBench) => Promise<void>) =>
    it(title, async () => {
      const bench = await openOutbox(database());
      try {
        await run(bench);
      } finally {
        await bench.close();
      }
    });
  for (const [title, run] of Object.entries({ ...writing, ...sending, ...ordering, ...refusing, ...running })) {
    promise(title, run);
  }
}

type Promises = Readonly<Record<string, (bench: OutboxBench) => Promise<void>>>;

const sentAll = (bench: OutboxBench, ...bodies: string[]) =>
  eventually(() => expect(bench.bodies().toSorted()).toEqual(bodies.toSorted()));
const emptied = (bench: OutboxBench) => eventually(async () => expect(await bench.rows()).toEqual([]));
const ofKey = (bench: OutboxBench, key: string) =>
  bench.broker.taken.filter(({ message }) => Buffer.from(message.key ?? []).toString() === key);

const writing: Promises = {
  "sends what was committed, exactly as it was added": async ({ broker, relay, database, box }) => {
    const message = makeMessage({
      body: new Uint8Array([0, 255, 10]),
      headers: [textHeader("a", "1"), { name: "n", value: { type: "integer", value: 9_007_199_254_740_993n } }],
      key: new Uint8Array([1, 0, 2]),
      properties: [textHeader("content-type", "x/y")],
    });
    const to = { name: "orders", group: "eu" };
    await database.transaction((tx) => box.add(tx, { to, message, idempotencyKey: "order-7" }));
    void relay().start();
    const headers = [...message.headers, textHeader("dlo-key", "order-7")];
    await eventually(() => expect(broker.taken).toEqual([{ to, message: { ...message, headers } }]));
  },

  "sends nothing of a transaction that was rolled back": async (bench) => {
    const rolledBack = bench.database.transaction(async (tx) => {
      await bench.box.add(tx, { to: "orders", message: text("never") });
      throw new Error("changed my mind");
    });
    await expect(rolledBack).rejects.toThrow("changed my mind");
    await bench.add(text("later"));
    void bench.relay().start();
    await emptied(bench);
    expect(bench.bodies()).toEqual(["later"]);
  },

  "takes a function that asks the transaction": async (bench) => {
    await bench.database.transaction(async (tx) => {
      await bench.box.add((sql, values) => tx.query(sql, values), { to: "orders", message: text("by function") });
    });
    void bench.relay().start();
    await sentAll(bench, "by function");
  },

  "refuses a database in the place of a transaction": async ({ database, box }) => {
    const added = box.add(database, { to: "orders", message: text("x") });
    await expect(added).rejects.toMatchObject({ code: "INVALID_OPTION", details: { option: "transaction" } });
  },

  "refuses a function that did not run the query": async ({ box }) => {
    const added = box.add(async () => ({ rows: [] }), { to: "orders", message: text("x") });
    await expect(added).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  },

  "keeps the idempotency key that a message carries, and gives one to those without": async (bench) => {
    const carried = makeMessage({ body: "carried", headers: { "idempotency-key": "mine" } });
    await bench.add(carried, text("without"));
    void bench.relay().start();
    await sentAll(bench, "carried", "without");
    const [first, second] = bench.broker.taken.map(({ message }) => message);
    expect(first?.headers).toEqual(carried.headers);
    expect(keyOf(second ?? text(""))).toMatch(/^[0-9a-f-]{36}$/);
  },

  "leaves behind what headers copied from a message of another queue say of that one": async (bench) => {
    const copied = { "dlo-queue": "carts", "dlo-key": "cart-1", "dlo-attempt": "4", traceparent: "00-1" };
    await bench.add(makeMessage({ body: "a", headers: copied }), makeMessage({ body: "b", headers: copied }));
    void bench.relay().start();
    await sentAll(bench, "a", "b");
    const [first, second] = bench.broker.taken.map(({ message }) => message.headers);
    expect(first).toEqual([textHeader("traceparent", "00-1"), expect.objectContaining({ name: "dlo-key" })]);
    expect(first).not.toEqual(second);
  },
};

const sending: Promises = {
  "deletes a message when the broker has it": async (bench) => {
    await bench.add(text("a"), text("b", "k"), text("c", "k"));
    void bench.relay().start();
    await emptied(bench);
    expect(bench.bodies()).toHaveLength(3);
  },

  "sends again, under the same identity, what the broker did not confirm": async (bench) => {
    let confirmed = false;
    bench.broker.after = () => {
      if (confirmed) return;
      confirmed = true;
      throw new Error("connection lost");
    };
    await bench.add(text("twice"));
    void bench.relay().start();
    await emptied(bench);
    const keys = bench.broker.taken.map(({ message }) => keyOf(message));
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(bench.events).toContainEqual(expect.objectContaining({ type: "send-failed", tries: 1 }));
  },

  "gives up a send that is never answered, and repeats it": async (bench) => {
    let asked = 0;
    bench.broker.before = () => {
      asked += 1;
      return asked === 1 ? new Promise(() => {}) : undefined;
    };
    await bench.add(text("silence"));
    void bench.relay({ sendWithinMs: 50 }).start();
    await emptied(bench);
    expect(asked).toBe(2);
  },

  "takes over what a dead relay had claimed, once its lease is over": async (bench) => {
    await bench.add(text("1", "k"), text("2", "k"), text("3"));
    const { rows } = await bench.database.query(
      `select id from ${quoteName(bench.schema)}.claim_outbox('the dead', 10, 1000, 300)`,
    );
    expect(rows).toHaveLength(3);
    void bench.relay().start();
    await emptied(bench);
    expect(ofKey(bench, "k").map(({ message }) => bodyOf(message))).toEqual(["1", "2"]);
  },

  "changes nothing in the name of a claim that was lost": async (bench) => {
    const at = quoteName(bench.schema);
    await bench.add(text("1", "k"));
    await bench.database.query(`select id from ${at}.claim_outbox('first', 10, 1000, 0)`);
    await bench.database.query(`select id from ${at}.claim_outbox('second', 10, 1000, 60000)`);
    const id = String((await bench.rows())[0]?.id);
    const settle = `select id from ${at}.settle_outbox('{${id}}', '{first}', '{sent}', '{0}', array[''], 0)`;
    expect((await bench.database.query(settle)).rows).toEqual([]);
    expect(await bench.rows()).toMatchObject([{ fence: "second" }]);
  },

  "keeps what was sent for as long as it is told to": async (bench) => {
    const at = quoteName(bench.schema);
    const kept = async () => (await bench.database.query(`select * from ${at}.outbox_sent`)).rows;
    await bench.add(text("a"));
    void bench.relay({ keepSentMs: 1_000 }).start();
    await eventually(async () => expect(await kept()).toMatchObject([{ destination: "orders" }]));
    await eventually(async () => {
      await bench.add(text("b"));
      const bodies = (await kept()).map(({ body }) => Buffer.from(body as Uint8Array).toString());
      expect(bodies).not.toContain("a");
    });
  },
};

const ordering: Promises = {
  "sends the messages of a key in order, with several relays and a broker that fails now and then": async (bench) => {
    let sends = 0;
    bench.broker.before = () => {
      sends += 1;
      if (sends % 7 === 0) throw new Error("not now");
    };
    const keys = ["a", "b", "c", "d"];
    const wanted = Array.from({ length: 25 }, (_, index) => String(index));
    for (const body of wanted) await bench.add(...keys.map((key) => text(body, key)));
    for (const batch of [3, 10, 100]) void bench.relay({ batch }).start();
    await emptied(bench);
    for (const key of keys) expect(ofKey(bench, key).map(({ message }) => bodyOf(message))).toEqual(wanted);
  },

  "lets a message that keeps failing hold up its own key and no other": async (bench) => {
    bench.broker.before = (_to, message) => {
      if (bodyOf(message) === "bad") throw new Error("not this one");
    };
    await bench.add(text("bad", "k"), text("behind", "k"), text("free", "other"), text("loose"));
    void bench.relay().start();
    await sentAll(bench, "free", "loose");
    await eventually(() => expect(bench.events.filter(({ type }) => type === "send-failed").length).toBeGreaterThan(2));
    expect(await bench.rows()).toHaveLength(2);
    bench.broker.before = () => {};
    await emptied(bench);
    expect(ofKey(bench, "k").map(({ message }) => bodyOf(message))).toEqual(["bad", "behind"]);
  },
};

const refuseBad = (bench: OutboxBench) => {
  bench.broker.before = (_to, message) => {
    if (bodyOf(message) === "bad") throw refusal();
  };
};
const setAsideOne = async (bench: OutboxBench) => {
  refuseBad(bench);
  await bench.add(text("bad", "k"), text("behind", "k"), text("bad"), text("free", "other"));
  const relay = bench.relay({ maxRefusals: 3 });
  void relay.start();
  await eventually(async () => expect(await relay.setAside()).toHaveLength(2));
  await sentAll(bench, "free");
  return relay;
};

const refusing: Promises = {
  "sets aside what the broker refuses, with its key, and says so": async (bench) => {
    const relay = await setAsideOne(bench);
    const [first] = await relay.setAside();
    expect(first).toMatchObject({ to: { name: "orders" }, tries: 3, error: "OfficeError: Too large for this broker." });
    expect(bench.events.filter(({ type }) => type === "set-aside")).toHaveLength(2);
    expect(await relay.lag()).toMatchObject({ waiting: 1, setAside: 2 });
  },

  "goes on in order with a key whose message is tried again": async (bench) => {
    const relay = await setAsideOne(bench);
    bench.broker.before = () => {};
    const ids = (await relay.setAside()).map(({ id }) => id);
    expect((await relay.retry(ids)).toSorted()).toEqual(ids);
    await emptied(bench);
    expect(ofKey(bench, "k").map(({ message }) => bodyOf(message))).toEqual(["bad", "behind"]);
    expect(await relay.retry(ids)).toEqual([]);
  },

  "goes on with a key without the message that is dropped": async (bench) => {
    const relay = await setAsideOne(bench);
    const ids = (await relay.setAside()).map(({ id }) => id);
    expect((await relay.drop(ids)).toSorted()).toEqual(ids);
    await emptied(bench);
    expect(bench.bodies().toSorted()).toEqual(["behind", "free"]);
  },

  "sets nothing aside for an outage, however long": async (bench) => {
    bench.broker.before = () => {
      throw new OfficeError("TRANSPORT_UNAVAILABLE", "away");
    };
    await bench.add(text("a", "k"), text("b"));
    const relay = bench.relay({ maxRefusals: 1, maxRetryMs: 20 });
    void relay.start();
    await eventually(() => expect(bench.events.filter(({ type }) => type === "send-failed").length).toBeGreaterThan(9));
    expect(relay.health().status).toBe("disconnected");
    expect(await relay.setAside()).toEqual([]);
    bench.broker.before = () => {};
    await emptied(bench);
  },
};

const running: Promises = {
  "measures how far it is behind": async (bench) => {
    await bench.add(text("a", "k"), text("b"));
    await bench.database.query(`update ${quoteName(bench.schema)}.outbox set added_at = added_at - interval '1 min'`);
    const relay = bench.relay({ lagEveryMs: 50 });
    expect((await relay.lag()).waiting).toBe(2);
    expect((await relay.lag()).oldestMs).toBeGreaterThan(59_000);
    void relay.start();
    const none = { waiting: 0, oldestMs: 0, setAside: 0 };
    await eventually(() => expect(bench.events).toContainEqual(expect.objectContaining({ type: "lag", ...none })));
    await eventually(() => expect(relay.health()).toMatchObject({ status: "idle", inHand: 0, lag: none }));
  },

  "finds a message at once when it is woken": async (bench) => {
    const relay = bench.relay({ pollMs: 600_000 });
    void relay.start();
    await hasLooked(relay);
    await bench.add(text("news"));
    relay.wake();
    await sentAll(bench, "news");
  },

  "waits for sends under way when it is stopped, and gives back the rest at once": async (bench) => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    bench.broker.before = () => answered;
    await bench.add(text("1", "k"), text("2", "k"), text("3", "k"));
    const relay = bench.relay();
    const running = relay.start();
    await eventually(() => expect(relay.health()).toMatchObject({ status: "working", inHand: 3 }));
    const stopped = relay.stop();
    answer();
    await Promise.all([stopped, running, relay.stop()]);
    expect(bench.bodies()).toEqual(["1"]);
    expect(await bench.rows()).toMatchObject([{ fence: null }, { fence: null }]);
    expect(relay.health().status).toBe("stopped");
    await expect(relay.start()).rejects.toMatchObject({ code: "CONSUMER_ALREADY_STARTED" });
  },

  "ends with the transport it sends to, and keeps everything": async (bench) => {
    bench.broker.before = () => {
      throw new OfficeError("TRANSPORT_CLOSED", "closed");
    };
    await bench.add(text("a"));
    await expect(bench.relay().start()).rejects.toMatchObject({ code: "TRANSPORT_CLOSED" });
    expect(await bench.rows()).toMatchObject([{ fence: null, tries: 0 }]);
  },

  "goes on when the database comes back": async (bench) => {
    let away = true;
    const { database } = bench;
    const flaky: Database = {
      ...database,
      query: (sql, values) => (away ? Promise.reject(new Error("gone")) : database.query(sql, values)),
    };
    await bench.add(text("a"));
    const relay = bench.relay({ database: flaky });
    void relay.start();
    await eventually(() => expect(relay.health().status).toBe("disconnected"));
    away = false;
    await emptied(bench);
    const told = bench.events.map(({ type }) => type).filter((type) => type.startsWith("database"));
    expect(told).toEqual(["database-lost", "database-restored"]);
  },

  "takes up at once what a claim got whose answer was lost": async (bench) => {
    let losing = true;
    const { database } = bench;
    const deaf: Database = {
      ...database,
      async query<Row>(sql: string, values?: readonly unknown[]) {
        const answer = await database.query<Row>(sql, values);
        if (losing && sql.includes("claim_outbox") && answer.rows.length > 0) {
          losing = false;
          throw new Error("connection lost");
        }
        return answer;
      },
    };
    await bench.add(text("a", "k"), text("b", "k"));
    void bench.relay({ database: deaf, leaseMs: 600_000 }).start();
    await emptied(bench);
    expect(bench.bodies()).toEqual(["a", "b"]);
  },

  "says again what it could not say about a send, until its lease is over": async (bench) => {
    let losses = 0;
    const { database } = bench;
    const deaf: Database = {
      ...database,
      async query<Row>(sql: string, values?: readonly unknown[]) {
        const answer = await database.query<Row>(sql, values);
        if (!sql.includes("settle_outbox") || losses === 2) return answer;
        losses += 1;
        throw new Error("connection lost");
      },
    };
    await bench.add(text("a", "k"), text("b", "k"));
    const relay = bench.relay({ database: deaf });
    void relay.start();
    await sentAll(bench, "a", "b");
    await eventually(() => expect(relay.health()).toMatchObject({ status: "idle", inHand: 0 }));
    expect(losses).toBe(2);
    expect(bench.bodies()).toEqual(["a", "b"]);
    expect(bench.events.filter(({ type }) => type === "lease-lost")).toEqual([]);
  },
};

import { beforeAll, expect, it } from "vitest";
import { readDeadLetter } from "../../src/dialects/read-dead-letter.ts";
import { idsInOrder, showId } from "../../src/domain/ids.ts";
import { type Header, headerText, textHeader } from "../../src/domain/message.ts";
import type { Protocol } from "../../src/domain/protocol.ts";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { makeEdit } from "../../src/office/edit/edit-letter.ts";
import { parsePolicy } from "../../src/policy-file/policy-file.ts";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { itemsOf, operator, planned, replayWorld, run, started } from "./world.ts";

interface Held {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

describeServer("letters whose duplicates may not be recognized", noPostgres, () => {
  const postgres = usePostgres();
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: postgres.database });
  });

  /** Letters of a queue of their own, refused there an hour ago as RabbitMQ writes it down. */
  async function dead(queue: string, held: readonly Held[]): Promise<readonly Uint8Array[]> {
    const failedAt = Date.now() - 3_600_000;
    const next = idsInOrder(() => crypto.randomUUID());
    const ids: Uint8Array[] = [];
    const newLetterId = () => {
      const id = next(failedAt);
      ids.push(id);
      return { id, arrivedAt: failedAt };
    };
    const death: Header[] = [
      ...[textHeader("queue", queue), textHeader("reason", "rejected")],
      { name: "time", value: { type: "timestamp", value: BigInt(failedAt) } },
    ];
    const deaths: Header = { name: "x-death", value: { type: "list", value: [{ type: "table", value: death }] } };
    const session = next(failedAt);
    const holdings = held.map(({ headers = {}, body = "{}" }, ordinal) => ({
      letter: deadLetter({
        body,
        headers: [
          ...[textHeader("dlo-category", "transient"), deaths],
          ...Object.entries(headers).map(([name, value]) => textHeader(name, value)),
        ],
      }),
      found: { kind: "delivery", session, ordinal, redelivered: false } as const,
    }));
    await hold(ledger, holdings, { room: { ...testRoom(), read: readDeadLetter, newLetterId } });
    return ids;
  }

  function worldOf(protocol: Partial<Protocol> = {}) {
    const world = replayWorld(ledger, { protocol });
    return { ...world, parts: { ...world.parts, read: readDeadLetter } };
  }

  /** A consumer of ours that remembers keys for long. */
  async function hasInbox(queue: string, inboxWindowS: number | null = 1_000_000): Promise<void> {
    const who = { v: 1, service: "shop", version: "1", instance: queue, at: new Date().toISOString() } as const;
    const beat = { queue, schemas: [], inboxWindowS, retryHorizonS: 1, probe: false };
    await noteHeartbeat(ledger, "rabbit", { ...who, kind: "heartbeat", queues: [beat] });
  }

  const newQueue = () => `orders-${crypto.randomUUID()}`;
  const keyHeader = "idempotency-key";

  /** What a plan says of letters with these, in order. */
  async function codesOf(held: readonly Held[], protocol: Partial<Protocol> = {}): Promise<readonly string[]> {
    const queue = newQueue();
    await hasInbox(queue);
    const { parts } = worldOf(protocol);
    const replay = await planned(parts, await dead(queue, held));
    return (await itemsOf(parts, replay)).map(({ reason }) => reason);
  }

  it("have a key only where their consumer would read it in what is sent", async () => {
    const held = [
      { headers: { [keyHeader]: "o-1" } },
      { headers: { "Idempotency-Key": "o-2" } },
      { headers: { "dlo-key": "o-3" } },
      // Copied along with a message of another queue.
      { headers: { "dlo-key": "o-4", "dlo-queue": "baskets" } },
    ];
    expect(await codesOf(held)).toEqual(["ready", "key.missing", "ready", "key.missing"]);
  });

  it("have one where their policy says that it is", async () => {
    const held = [{ headers: { "x-order": "o-1" } }, { body: '{"order":{"id":7}}' }, { body: '{"order":{}}' }];
    const said = (text: string) => {
      const file = parsePolicy(`version: 1\nprotocols: { transient: { key: ${text} } }\n`);
      return { keyAt: file.protocols?.transient?.key ?? null };
    };
    expect(await codesOf(held, said("{ header: x-order }"))).toEqual(["ready", "key.missing", "key.missing"]);
    expect(await codesOf(held, said("{ pointer: /order/id }"))).toEqual(["key.missing", "ready", "key.missing"]);
  });

  it("have the key that an edit gave them, and none that it took", async () => {
    const queue = newQueue();
    await hasInbox(queue);
    const { parts, sent } = worldOf();
    const letters = await dead(queue, [{}, { headers: { [keyHeader]: "o-2" } }]);
    const [given = new Uint8Array(), taken = new Uint8Array()] = letters;
    const edit = (letter: Uint8Array, value: string | null) =>
      makeEdit(parts, operator, {
        ...{ letter, from: 0, change: null, headers: [{ name: keyHeader, value }] },
        reason: "its key was wrong",
      });
    await edit(given, "o-1");
    await edit(taken, null);
    const replay = await planned(parts, letters);
    expect((await itemsOf(parts, replay)).map(({ reason }) => reason)).toEqual(["ready", "key.missing"]);
    await started(parts, replay);
    await run(parts, replay);
    // Without any it would be new to its consumer each time.
    const keys = sent.map(({ headers }) => [headerText(headers, keyHeader), headerText(headers, "dlo-key")]);
    expect(keys).toEqual([
      ["o-1", undefined],
      [undefined, showId("letter", taken)],
    ]);
  });

  it("have the key that an edit put where their policy says that it is", async () => {
    const queue = newQueue();
    await hasInbox(queue);
    const { parts } = worldOf({ keyAt: { pointer: "/id" } });
    const replay = await planned(parts, await dead(queue, [{ body: '{"a":1}' }]), {
      patch: '[{"op":"add","path":"/id","value":"o-1"}]',
    });
    expect((await itemsOf(parts, replay)).map(({ reason }) => reason)).toEqual(["ready"]);
  });
});

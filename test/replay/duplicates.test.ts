import { describe, expect, it } from "vitest";
import { readDeadLetter } from "../../src/dialects/read-dead-letter.ts";
import { idsInOrder, showId } from "../../src/domain/ids.ts";
import { type Header, headerText, textHeader } from "../../src/domain/message.ts";
import { defaultProtocols, type Protocol } from "../../src/domain/protocol.ts";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import { revokeAcceptance } from "../../src/ledger/duplicate-acceptances.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { readReplay } from "../../src/ledger/read-replay.ts";
import { makeEdit } from "../../src/office/edit/edit-letter.ts";
import { acknowledge, approve, ask } from "../../src/office/replay/approve-replay.ts";
import { describeReplay } from "../../src/office/replay/describe-replay.ts";
import { findDrift } from "../../src/office/replay/find-drift.ts";
import { judgeAlone } from "../../src/office/replay/judge-alone.ts";
import { approvalHash } from "../../src/office/replay/plan-hash.ts";
import type { ReplayParts } from "../../src/office/replay/replay-parts.ts";
import { start } from "../../src/office/replay/steer-replay.ts";
import { parsePolicy } from "../../src/policy-file/policy-file.ts";
import { useLedger } from "../http/open-server.ts";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";
import {
  acceptDuplicatesIn,
  approver,
  itemsOf,
  operator,
  planned,
  replayWorld,
  run,
  started,
  stateOf,
} from "./world.ts";

const ledgers = useLedger();
const keyHeader = "idempotency-key";
const reason = "payments is back";

interface Held {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly key?: string;
}

/** Letters of that queue, refused there an hour ago as RabbitMQ writes it down. */
async function holdDead(ledger: Ledger, queue: string, held: readonly Held[]): Promise<readonly Uint8Array[]> {
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
  const holdings = held.map(({ headers = {}, body = "{}", key = null }, ordinal) => ({
    letter: deadLetter({
      ...{ body, key },
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

/** A queue of its own, its letters and its consumer, under that protocol. */
async function openQueue(protocol: Partial<Protocol> = {}) {
  const { ledger } = await ledgers.open();
  const queue = `orders-${crypto.randomUUID()}`;
  const world = replayWorld(ledger, { protocol });
  const parts = { ...world.parts, read: readDeadLetter };
  return {
    ...{ queue, sent: world.sent, parts, dead: (held: readonly Held[]) => holdDead(ledger, queue, held) },
    /** A consumer of ours, which remembers keys for long unless it says otherwise. */
    async isConsumed(inboxWindowS: number | null = 1_000_000): Promise<void> {
      const who = { v: 1, service: "shop", version: "1", instance: queue, at: new Date().toISOString() } as const;
      const beat = { queue, schemas: [], inboxWindowS, retryHorizonS: 1, probe: false };
      await noteHeartbeat(ledger, "rabbit", { ...who, kind: "heartbeat", queues: [beat] });
    },
    accept: () => acceptDuplicatesIn(ledger, queue),
    revoke: () => revokeAcceptance(ledger, ledger.database, { source: "rabbit", queue, by: operator.id }),
    async drift(replay: Uint8Array) {
      const record = await readReplay(ledger, ledger.database, { id: replay });
      return (await findDrift(parts, record, operator)).items.map(({ against }) => against);
    },
    codes: async (replay: Uint8Array) => (await itemsOf(parts, replay)).map((item) => item.reason),
  };
}

/** What a plan says of letters with these, in order, where a consumer has an inbox. */
async function codesOf(held: readonly Held[], protocol: Partial<Protocol> = {}): Promise<readonly string[]> {
  const { isConsumed, parts, dead, codes } = await openQueue(protocol);
  await isConsumed();
  return codes(await planned(parts, await dead(held)));
}

it("says in the summary of letters without a key what else is said of them", async () => {
  const { parts, dead, queue } = await openQueue();
  // Of an ordered consumer that keeps its blocked keys nobody says where.
  const replay = await planned(parts, await dead([{ key: "a", headers: { "dlo-queue": queue, "dlo-lane": "1" } }]));
  const { reasons } = await describeReplay(
    parts,
    await readReplay(parts.ledger, parts.ledger.database, { id: replay }),
  );
  expect(reasons.map(({ code, sentence }) => [code, sentence])).toEqual([
    [
      "key.missing",
      "This letter has no idempotency key. No sign that an earlier attempt took effect. Not checked what waits behind it: the " +
        "configuration doesn't say where consumers of rabbit keep blocked keys (`keys`).",
    ],
  ]);
});

describe("the key of a letter", () => {
  it("counts only where its consumer would read it in what is sent", async () => {
    const held = [
      { headers: { [keyHeader]: "o-1" } },
      { headers: { "Idempotency-Key": "o-2" } },
      { headers: { "dlo-key": "o-3" } },
      // Copied along with a message of another queue.
      { headers: { "dlo-key": "o-4", "dlo-queue": "baskets" } },
    ];
    expect(await codesOf(held)).toEqual(["ready", "key.missing", "ready", "key.missing"]);
  });

  it("counts where the policy says that it is", async () => {
    const held = [{ headers: { "x-order": "o-1" } }, { body: '{"order":{"id":7}}' }, { body: '{"order":{}}' }];
    const said = (text: string) => {
      const { protocols } = parsePolicy(`version: 1\nprotocols: { transient: { key: ${text} } }\n`);
      return { keyAt: protocols?.transient?.key ?? null };
    };
    expect(await codesOf(held, said("{ header: x-order }"))).toEqual(["ready", "key.missing", "key.missing"]);
    expect(await codesOf(held, said("{ pointer: /order/id }"))).toEqual(["key.missing", "ready", "key.missing"]);
  });

  it("is there once an edit gave it, and missing once an edit took it", async () => {
    const { isConsumed, parts, sent, dead, codes } = await openQueue();
    await isConsumed();
    const letters = await dead([{}, { headers: { [keyHeader]: "o-2" } }]);
    const [given = new Uint8Array(), taken = new Uint8Array()] = letters;
    const edit = (letter: Uint8Array, value: string | null) =>
      makeEdit(parts, operator, { letter, from: 0, change: null, headers: [{ name: keyHeader, value }], reason });
    await edit(given, "o-1");
    await edit(taken, null);
    const replay = await planned(parts, letters);
    expect(await codes(replay)).toEqual(["ready", "key.missing"]);
    await started(parts, replay);
    await run(parts, replay);
    // Without any it would be new to its consumer each time.
    expect(sent.map(({ headers }) => [headerText(headers, keyHeader), headerText(headers, "dlo-key")])).toEqual([
      ["o-1", undefined],
      [undefined, showId("letter", taken)],
    ]);
  });

  it("is there once an edit put it where the policy says that it is", async () => {
    const { isConsumed, parts, dead, codes } = await openQueue({ keyAt: { pointer: "/id" } });
    await isConsumed();
    const patch = '[{"op":"add","path":"/id","value":"o-1"}]';
    expect(await codes(await planned(parts, await dead([{ body: '{"a":1}' }]), { patch }))).toEqual(["ready"]);
  });
});

/** Approved by another person with the risks of these items accepted, started and run to its end. */
async function approveAndRun(
  parts: ReplayParts,
  replay: Uint8Array,
  { accepted, expectCount }: { readonly accepted: readonly number[]; readonly expectCount: number },
): Promise<void> {
  await ask(parts, operator, { replay, reason });
  const { planHash } = await readReplay(parts.ledger, parts.ledger.database, { id: replay });
  await approve(parts, approver, { replay, reason, hash: approvalHash(planHash, accepted) });
  await start(parts, operator, { replay, expectCount });
  await run(parts, replay);
}

describe("letters whose duplicates may not be recognized", () => {
  const { approvals } = defaultProtocols.transient;

  it.each(["accepted", "recognized"] as const)(
    "stay if they were approved while duplicates were %s, and are not any more",
    async (before) => {
      const queue = await openQueue({ approvals: { ...approvals, exemptUpTo: 0 } });
      const { parts, sent } = queue;
      await (before === "accepted" ? queue.accept() : queue.isConsumed());
      const replay = await planned(parts, await queue.dead([{ headers: { [keyHeader]: "o-1" } }]));
      await started(parts, replay);
      await (before === "accepted" ? queue.revoke() : queue.isConsumed(null));
      expect(await queue.drift(replay)).toMatchObject([
        { code: "approval.missing", change: expect.stringContaining("Plan it again") as string },
      ]);
      await run(parts, replay);
      expect([await stateOf(parts, replay), sent]).toEqual(["halted", []]);
    },
  );

  it("are shown as drift before a small plan without approval is started, once nobody accepts duplicates", async () => {
    const { parts, accept, revoke, dead, drift } = await openQueue();
    await accept();
    const replay = await planned(parts, await dead([{}, {}]));
    expect(await drift(replay)).toEqual([]);
    await revoke();
    expect((await drift(replay)).map(({ code }) => code)).toEqual(["approval.missing", "approval.missing"]);
  });

  it("go as approved where the plan said so, also besides a risk that somebody accepted", async () => {
    const { parts, sent, dead, drift, codes } = await openQueue();
    const old = { headers: { "expires-at": new Date(Date.now() - 60_000).toISOString() } };
    const replay = await planned(parts, await dead([{}, old]));
    expect(await codes(replay)).toEqual(["key.missing", "ttl.expired"]);
    expect((await itemsOf(parts, replay))[1]?.details.sentence).toContain("It has no idempotency key.");
    await acknowledge(parts, operator, { replay, reason, numbers: [2] });
    expect(await drift(replay)).toEqual([]);
    await approveAndRun(parts, replay, { accepted: [2], expectCount: 2 });
    expect(sent).toHaveLength(2);
  });

  it("go once a person answers for them together with another risk of the same letter", async () => {
    const { parts, sent, dead, drift } = await openQueue({ duplicates: "ask" });
    const old = { headers: { "expires-at": new Date(Date.now() - 60_000).toISOString() } };
    const replay = await planned(parts, await dead([old]));
    const [item] = await itemsOf(parts, replay);
    expect([item?.reason, item?.details.risks]).toEqual(["ttl.expired", ["key.missing"]]);
    expect(item?.details.sentence).toContain("It has no idempotency key.");
    await acknowledge(parts, operator, { replay, reason, numbers: [1] });
    expect(await drift(replay)).toEqual([]);
    await approveAndRun(parts, replay, { accepted: [1], expectCount: 1 });
    expect(sent).toHaveLength(1);
  });

  it("need somebody's word in each plan where plans need no approval", async () => {
    const { parts, dead } = await openQueue({ approvals: { ...approvals, n: 0 } });
    const items = await itemsOf(parts, await planned(parts, await dead([{}])));
    expect(items.map((item) => [item.reason, item.decision])).toEqual([["key.missing", "ack_required"]]);
  });

  it("need an approval, and are not listed as ready", async () => {
    const { parts, dead } = await openQueue();
    const [judged] = await judgeAlone(parts, operator, await dead([{}]));
    expect([judged?.judgement.code, judged?.outlook]).toEqual(["key.missing", "needs-approval"]);
  });
});

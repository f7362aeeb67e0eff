import type { Actor } from "../../src/domain/actor.ts";
import type { DeadLetter } from "../../src/domain/dead-letter.ts";
import { idOfUuid, makeId, uuidOf } from "../../src/domain/ids.ts";
import { type Address, headerText, type Message } from "../../src/domain/message.ts";
import { defaultProtocols, type Protocol } from "../../src/domain/protocol.ts";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import { insertAcceptance } from "../../src/ledger/duplicate-acceptances.ts";
import { insertFix } from "../../src/ledger/fixes.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { readReplay } from "../../src/ledger/read-replay.ts";
import { countStandings, readItems } from "../../src/ledger/replay-items.ts";
import { approve, ask } from "../../src/office/replay/approve-replay.ts";
import type { KnownDestination } from "../../src/office/replay/facts.ts";
import { approvalHash } from "../../src/office/replay/plan-hash.ts";
import { type PlanRequest, planReplay } from "../../src/office/replay/plan-replay.ts";
import { countItems } from "../../src/office/replay/replay-counts.ts";
import type { ReplayParts } from "../../src/office/replay/replay-parts.ts";
import { type RunEnd, type RunTuning, runReplay } from "../../src/office/replay/run-replay.ts";
import { start } from "../../src/office/replay/steer-replay.ts";
import { plainLine } from "../../src/sources/send-line.ts";
import { systemHost } from "../../src/system/host.ts";
import type { LetterFacts } from "../../src/triage/conditions/letter-facts.ts";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";

export const operator: Actor = { id: "ops-1", roles: ["operator"], kind: "human" };
export const approver: Actor = { id: "ops-2", roles: ["approver"], kind: "human" };

const suspendTokensAfterMs = 30 * 86_400_000;

/** Quick to notice, slow to lose: a busy machine must not look like a dead leader. */
const quick: RunTuning = { leaseMs: 30_000, beatMs: 10, awayMs: 60_000 };

/** A replay that is killed over and over: small windows, and successors that do not wait long. */
export const killed = {
  protocol: { batch: 5, ramp: [], rate: 200, settleS: 0 },
  tuning: { leaseMs: 1_000, beatMs: 50, awayMs: 60_000 },
} as const;

const well: KnownDestination = {
  ...{
    kind: "known",
    queue: "orders",
    via: null,
    keepsNextDeath: true,
    keepsOrder: "always",
    otherGroups: [],
    breakers: [],
    redChecks: [],
    lag: 0,
  },
};

export interface WorldOptions {
  readonly protocol?: Partial<Protocol>;
  /** What the broker does with a message: nothing (takes it), or throws. */
  readonly onSend?: (message: Message) => Promise<void> | void;
  readonly wasConsumed?: boolean;
}

/** An office over that ledger, a broker that remembers what it was sent, and letters as asked for. */
export function replayWorld(ledger: Ledger, { protocol = {}, onSend, wasConsumed = true }: WorldOptions = {}) {
  const room = testRoom();
  const sent: Message[] = [];
  const send = async (_to: Address, message: Message) => {
    await onSend?.(message);
    sent.push(message);
  };
  const quickProtocol = { ...defaultProtocols.transient, rate: 10_000, settleS: 0, ...protocol };
  const protocols = { ...defaultProtocols, transient: quickProtocol, poison: quickProtocol };
  const protocolFor = ({ category }: LetterFacts) => protocols[category ?? "unknown"];
  const parts: ReplayParts = {
    ledger,
    host: systemHost,
    roles: [],
    read(letter: DeadLetter) {
      const reading = room.read(letter);
      return { ...reading, replay: { destination: reading.source, alternatives: [], via: null, strip: ["x-death"] } };
    },
    bodies: null,
    policy: async () => ({
      version: null,
      hash: "ab",
      rules: [],
      hasAuto: quickProtocol.auto,
      suspendTokensAfterMs,
      protocolFor,
    }),
    schemaFor: async () => null,
    replayTo: () => null,
    keyAt: () => null,
    look: async (_source, { queue }) => ({ ...well, queue: queue ?? well.queue }),
    outlooks: async () => null,
    watch: async () => async () => wasConsumed,
    line: async () => plainLine((queue, message) => send({ name: queue }, message)),
    takesBack: async () => "yes",
    blockedKeysOf: async () => null,
    probe: async () => {},
    hear: async () => {},
    call: async () => ({ status: 404, body: new Uint8Array() }),
  };
  return { parts, sent };
}

/** Letters that failed in `orders`, one for each body. Gives their ids in the order of arrival. */
export async function holdLetters(
  ledger: Ledger,
  bodies: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Uint8Array[]> {
  const ids: Uint8Array[] = [];
  const room = testRoom();
  let ordinal = 0;
  const counting = {
    ...room,
    newLetterId() {
      ordinal += 1;
      // One after the other, even within a millisecond.
      const arrivedAt = Date.now() - 3_600_000 + ordinal;
      const id = makeId(arrivedAt, crypto.randomUUID());
      ids.push(id);
      return { id, arrivedAt };
    },
  };
  await acceptDuplicatesIn(ledger, headers.queue ?? "orders");
  const session = makeId(Date.now(), crypto.randomUUID());
  await hold(
    ledger,
    bodies.map((body, index) => ({
      letter: deadLetter({
        body,
        headers: { queue: "orders", class: "Error", "dlo-category": "transient", ...headers },
      }),
      found: { kind: "delivery", session, ordinal: index, redelivered: false },
    })),
    { room: counting },
  );
  return ids;
}

/** As if somebody had said that duplicates do no harm there: letters here have no keys, and nobody consumes them. */
export async function acceptDuplicatesIn(ledger: Ledger, queue: string): Promise<void> {
  const said = { source: "rabbit", queue, because: "harmless", reason: "a test", by: "ops-9" } as const;
  await insertAcceptance(ledger, ledger.database, makeId(Date.now(), crypto.randomUUID()), said);
}

export async function planned(
  parts: ReplayParts,
  letters: readonly Uint8Array[],
  more: Partial<PlanRequest> = {},
): Promise<Uint8Array> {
  return planReplay(parts, operator, { letters, query: "queue:orders", ...more });
}

/** Asked for, approved and started, whatever that takes. */
export async function started(parts: ReplayParts, replay: Uint8Array): Promise<void> {
  await ask(parts, operator, { replay, reason: "the payment service is back" });
  const { state, planHash } = await readReplay(parts.ledger, parts.ledger.database, { id: replay });
  if (state === "awaiting_approval") {
    await approve(parts, approver, { replay, reason: "looks right", hash: approvalHash(planHash, []) });
  }
  const { toSend } = await countsOf(parts, replay);
  await start(parts, operator, { replay, expectCount: toSend });
}

export function run(
  parts: ReplayParts,
  replay: Uint8Array,
  signal = new AbortController().signal,
  tuning = quick,
  actor = operator,
): Promise<RunEnd> {
  return runReplay(parts, { replay, actor, signal }, tuning);
}

/** As if whoever leads it had been silent for longer than its lease. */
export async function lapse({ database, at }: Ledger, replay: Uint8Array): Promise<void> {
  const sql = `update ${at}.replays set lease_until = ${at}.clock() - interval '1 s' where id = $1`;
  await database.query(sql, [uuidOf(replay)]);
}

export async function countsOf({ ledger }: ReplayParts, replay: Uint8Array) {
  return countItems(await countStandings(ledger, ledger.database, replay));
}

export function itemsOf({ ledger }: ReplayParts, replay: Uint8Array) {
  return readItems(ledger, ledger.database, { replay, limit: 10_000 });
}

export async function stateOf({ ledger }: ReplayParts, replay: Uint8Array): Promise<string> {
  return (await readReplay(ledger, ledger.database, { id: replay })).state;
}

export async function letterStates(
  { database, at }: Ledger,
  letters: readonly Uint8Array[],
): Promise<readonly string[]> {
  const { rows } = await database.query<{ state: string }>(
    `select state from ${at}.letters where id = any ($1::uuid[]) order by id`,
    [letters.map(uuidOf)],
  );
  return rows.map(({ state }) => state);
}

/** As if the handler of these letters had died in the middle of what it does. */
export async function makeUncertain({ database, at }: Ledger, letters: readonly Uint8Array[]): Promise<void> {
  const statement = `update ${at}.letters set side_effect = 'uncertain' where id = any ($1::uuid[])`;
  await database.query(statement, [letters.map(uuidOf)]);
}

/** A consumer of that queue, and of the source that letters here come from, says that it is at work and has a probe. */
export async function hasProbe(ledger: Ledger, queue: string): Promise<void> {
  const beat = { queue, schemas: [], inboxWindowS: null, retryHorizonS: 1, probe: true };
  const who = { v: 1, service: "shop", version: "1", instance: "a", at: new Date().toISOString() } as const;
  await noteHeartbeat(ledger, "rabbit", { ...who, kind: "heartbeat", queues: [beat] });
}

export function bodiesOf(messages: readonly Message[]): readonly string[] {
  return messages.map(({ body }) => new TextDecoder().decode(body));
}

/** `rpl_…/n` of a sent message. */
export function replayOf({ headers }: Message): string {
  return headerText(headers, "dlo-replay") ?? "";
}

/** For the groups of these letters. */
export async function recordFix(
  { ledger }: ReplayParts,
  letters: readonly Uint8Array[],
  fixedAt: number,
): Promise<void> {
  for (const groupId of await groupsOf(ledger, letters)) {
    const fix = { id: makeId(fixedAt, crypto.randomUUID()), groupId, fixedAt, called: "1.2.3" };
    await insertFix(ledger, ledger.database, fix, operator.id);
  }
}

export async function groupsOf(
  { database, at }: Ledger,
  letters: readonly Uint8Array[],
): Promise<readonly Uint8Array[]> {
  const { rows } = await database.query<{ group_id: string }>(
    `select distinct group_id from ${at}.letters where id = any ($1::uuid[])`,
    [letters.map(uuidOf)],
  );
  return rows.map(({ group_id: group }) => idOfUuid(group));
}

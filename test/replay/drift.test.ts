import { describe, expect, it } from "vitest";
import { readDeadLetter } from "../../src/dialects/read-dead-letter.ts";
import { makeId, showId } from "../../src/domain/ids.ts";
import { type Header, textHeader } from "../../src/domain/message.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { readReplay } from "../../src/ledger/read-replay.ts";
import { decideLetters } from "../../src/office/decide/decide-letters.ts";
import { makeEdit } from "../../src/office/edit/edit-letter.ts";
import { parsePatch } from "../../src/office/edit/patch-json.ts";
import { acknowledge } from "../../src/office/replay/approve-replay.ts";
import { findDrift } from "../../src/office/replay/find-drift.ts";
import type { ReplayParts } from "../../src/office/replay/replay-parts.ts";
import { systemHost } from "../../src/system/host.ts";
import { useLedger } from "../http/open-server.ts";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";
import { callsOn } from "../policy/office.ts";
import {
  acceptDuplicatesIn,
  countsOf,
  holdLetters,
  itemsOf,
  makeUncertain,
  operator,
  planned,
  replayWorld,
  run,
  started,
  stateOf,
} from "./world.ts";

const reason = "somebody was quicker";
const hourMs = 3_600_000;
const ledgers = useLedger();

async function driftOf(parts: ReplayParts, replay: Uint8Array) {
  const record = await readReplay(parts.ledger, parts.ledger.database, { id: replay });
  const { checked, isPartial, items } = await findDrift(parts, record, operator);
  return { checked, isPartial, against: items.map(({ item, against }) => [item.n, against.code]) };
}

/** Letters that were refused in `orders` at that moment, as RabbitMQ writes it down, with what each had to live. */
async function holdRefused(
  ledger: Ledger,
  refusedAt: number,
  lifetimes: readonly (number | null)[],
): Promise<readonly Uint8Array[]> {
  await acceptDuplicatesIn(ledger, "orders");
  const session = makeId(refusedAt, crypto.randomUUID());
  const ids = lifetimes.map((_, index) => makeId(refusedAt + index, crypto.randomUUID()));
  const left = [...ids];
  const newLetterId = () => ({ id: left.shift() ?? session, arrivedAt: refusedAt });
  const holdings = lifetimes.map((lifetime, ordinal) => {
    const death: Header[] = [
      ...[textHeader("queue", "orders"), textHeader("reason", "rejected")],
      { name: "time", value: { type: "timestamp", value: BigInt(refusedAt) } },
    ];
    const deaths: Header = { name: "x-death", value: { type: "list", value: [{ type: "table", value: death }] } };
    const own = lifetime === null ? [] : [textHeader("expires-at", new Date(refusedAt + lifetime).toISOString())];
    const letter = deadLetter({ body: "{}", headers: [textHeader("dlo-category", "transient"), deaths, ...own] });
    return { letter, found: { kind: "delivery", session, ordinal, redelivered: false } as const };
  });
  await hold(ledger, holdings, { room: { ...testRoom(), read: readDeadLetter, newLetterId } });
  return ids;
}

describe("a plan of letters that have a time to live", () => {
  it("wants somebody's word for what is past its time, and leaves out what is so when its turn comes", async () => {
    const { ledger } = await ledgers.open();
    const now = Date.now();
    const letters = await holdRefused(ledger, now - hourMs, [hourMs / 2, 2 * hourMs, null]);
    const parts = { ...replayWorld(ledger).parts, read: readDeadLetter };
    const replay = await planned(parts, letters);
    expect((await itemsOf(parts, replay)).map(({ decision, reason: code }) => [decision, code])).toEqual([
      ["ack_required", "ttl.expired"],
      ["replay", "ready"],
      ["replay", "ready"],
    ]);
    await acknowledge(parts, operator, { replay, reason: "the customer still waits for it", numbers: [1] });
    expect(await countsOf(parts, replay)).toMatchObject({ toSend: 3 });
    const found = await callsOn(ledger)("letters.list", operator, { q: "is:past-ttl" });
    expect(found.items).toMatchObject([{ state: "open", expiresAt: new Date(now - hourMs / 2).toISOString() }]);
    expect((await driftOf(parts, replay)).against).toEqual([]);
    const clock = { ...systemHost.clock, now: () => now + 2 * hourMs };
    const later = await driftOf({ ...parts, host: { ...systemHost, clock } }, replay);
    expect(later.against).toEqual([[2, "ttl.expired"]]);
  });
});

describe("a plan that others act beside", () => {
  it("names each letter that would not go any more and why, and marks none of them by looking", async () => {
    const { ledger } = await ledgers.open();
    const { parts, sent } = replayWorld(ledger);
    const letters = await holdLetters(ledger, ['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']);
    const [, dropped, edited] = letters;
    if (dropped === undefined || edited === undefined) throw new Error("Three letters were held.");
    const replay = await planned(parts, letters);
    expect(await driftOf(parts, replay)).toEqual({ checked: 4, isPartial: false, against: [] });
    await decideLetters(parts, operator, "drop", { letters: [dropped], reason, reference: null });
    const steps = parsePatch('[{"op":"replace","path":"/n","value":7}]');
    await makeEdit(parts, operator, { letter: edited, from: 0, change: { kind: "patch", steps }, reason });
    const stale = await driftOf(parts, replay);
    expect(stale.against).toEqual([
      [2, "already.resolved"],
      [3, "edit.superseded"],
    ]);
    expect(await countsOf(parts, replay)).toMatchObject({ toSend: 4, drifted: 0 });
    // What it says is what happens: the rest goes, these two stay.
    await started(parts, replay);
    await run(parts, replay);
    expect(sent).toHaveLength(2);
    expect(await countsOf(parts, replay)).toMatchObject({ sent: 2, drifted: 2 });
  });

  it("is looked at without asking anybody, and says of how many letters somebody will be", async () => {
    const { ledger } = await ledgers.open();
    const asked: string[] = [];
    const probe = { url: "https://shop.test/{letter}" };
    const { parts } = replayWorld(ledger, { protocol: { probe, health: ["https://shop.test/health"] } });
    const call: ReplayParts["call"] = async (url) => {
      asked.push(url);
      return { status: 200, body: new TextEncoder().encode('{"done":false}') };
    };
    const letters = await holdLetters(ledger, ['{"n":1}', '{"n":2}']);
    await makeUncertain(ledger, letters.slice(1));
    const replay = await planned({ ...parts, call }, letters);
    expect(asked.splice(0)).toHaveLength(3);
    const record = await readReplay(ledger, ledger.database, { id: replay });
    expect(await findDrift({ ...parts, call }, record, operator)).toMatchObject({ checked: 2, unasked: 2, items: [] });
    expect(asked).toEqual([]);
  });

  it("is told over HTTP by letter, with the sentence and what would change it", async () => {
    const server = await ledgers.open();
    const { parts } = replayWorld(server.ledger);
    const [letter = new Uint8Array()] = await holdLetters(server.ledger, ['{"n":9}']);
    const replay = await planned(parts, [letter]);
    await decideLetters(parts, operator, "drop", { letters: [letter], reason, reference: null });
    const url = `/api/v1/replays/${showId("replay", replay)}/drift`;
    const answer = await server.fromPage(await server.signedIn("eve", ["viewer"]), url);
    expect(answer.json()).toMatchObject({
      ...{ checked: 1, isPartial: false, unasked: 0, n: 1 },
      items: [{ n: 1, letter: showId("letter", letter), reason: { code: "already.resolved" } }],
    });
    expect(answer.json()).toHaveProperty("items.0.reason.sentence", "It is dropped already.");
    expect(await stateOf(parts, replay)).toBe("planned");
  });
});

import { describe, expect, it } from "vitest";
import { showId } from "../../src/domain/ids.ts";
import { readReplay } from "../../src/ledger/read-replay.ts";
import { decideLetters } from "../../src/office/decide/decide-letters.ts";
import { makeEdit } from "../../src/office/edit/edit-letter.ts";
import { parsePatch } from "../../src/office/edit/patch-json.ts";
import { findDrift } from "../../src/office/replay/find-drift.ts";
import type { ReplayParts } from "../../src/office/replay/replay-parts.ts";
import { useLedger } from "../http/open-server.ts";
import {
  countsOf,
  holdLetters,
  makeUncertain,
  operator,
  planned,
  replayWorld,
  run,
  started,
  stateOf,
} from "./world.ts";

const reason = "somebody was quicker";

async function driftOf(parts: ReplayParts, replay: Uint8Array) {
  const record = await readReplay(parts.ledger, parts.ledger.database, { id: replay });
  const { checked, isPartial, items } = await findDrift(parts, record, operator);
  return { checked, isPartial, against: items.map(({ item, against }) => [item.n, against.code]) };
}

describe("a plan that others act beside", () => {
  const ledgers = useLedger();

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
    expect(asked.splice(0)).toHaveLength(2);
    const record = await readReplay(ledger, ledger.database, { id: replay });
    expect(await findDrift({ ...parts, call }, record, operator)).toMatchObject({ checked: 2, unasked: 1, items: [] });
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

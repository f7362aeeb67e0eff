import { makeId } from "../../src/domain/ids.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { releasesOfPlaces } from "../../src/ledger/find-sequence-places.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { placesOfLetters } from "../../src/ledger/sequence-places.ts";
import { type DecisionName, decideLetters } from "../../src/office/decide/decide-letters.ts";
import { carryOutReleases, type ReleaseParts } from "../../src/office/keys/carry-out-releases.ts";
import type { BlockedKeysAdmin } from "../../src/stores/blocked-keys.ts";
import { memoryBlockedKeys } from "../../src/stores/memory-blocked-keys.ts";
import { systemClock } from "../../src/system/host.ts";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";
import { operator, replayWorld } from "./world.ts";

const queue = "orders";

/** Dead letters of one key, which have these places, in one go. */
export async function holdPlaces(
  ledger: Ledger,
  key: Uint8Array,
  { numbers, arrivedAt }: { readonly numbers: readonly number[]; readonly arrivedAt: number },
): Promise<readonly Uint8Array[]> {
  const ids = numbers.map(() => makeId(arrivedAt, crypto.randomUUID()));
  const headers = { queue, class: "Error", "dlo-category": "transient", "dlo-queue": queue };
  const found = numbers.map((number) => ({
    letter: deadLetter(
      {},
      { message: makeMessage({ body: "{}", headers: { ...headers, "dlo-lane": `${number}` }, key }) },
    ),
    found: { kind: "position" as const, position: crypto.randomUUID() },
  }));
  const given = [...ids];
  const newLetterId = () => ({ id: given.shift() ?? new Uint8Array(), arrivedAt });
  await hold(ledger, found, { room: { ...testRoom(), newLetterId } });
  return ids;
}

/** Dead letters of ordered keys, and what is done with them. */
export function placesIn(ledger: () => Ledger) {
  /** A key of its own with so many dead messages, whose letters the server has, and a message behind them. */
  async function blocked({ dead = 1, arrivedAt = Date.now() } = {}) {
    const store = memoryBlockedKeys();
    const key = new TextEncoder().encode(crypto.randomUUID());
    const lane = { queue, key };
    const place = async (fate: "dead" | "parked") => {
      const turn = crypto.randomUUID();
      const mark = new TextEncoder().encode(turn);
      const number = await store.enter(lane, { mark, turn });
      await store.confirm(lane, number, turn, fate);
      return number;
    };
    const letters: Uint8Array[] = [];
    for (let n = 0; n < dead; n++) letters.push(await held(key, await place("dead"), arrivedAt));
    await place("parked");
    const state = async () => (await store.list(queue)).map((each) => [each.state, each.behind]);
    return { store, lane, letters, state };
  }

  async function held(key: Uint8Array, number: number, arrivedAt: number): Promise<Uint8Array> {
    const [id = new Uint8Array()] = await holdPlaces(ledger(), key, { numbers: [number], arrivedAt });
    return id;
  }

  const partsWith = (store: BlockedKeysAdmin | null, sendRelease: ReleaseParts["sendRelease"] = async () => {}) => ({
    ...{ ledger: ledger(), clock: systemClock, sourceNames: () => ["rabbit"], sendRelease },
    blockedKeysOf: async () => store,
  });

  const decide = (name: DecisionName, letters: readonly Uint8Array[]) =>
    decideLetters(replayWorld(ledger()).parts, operator, name, { letters, reason: "closed", reference: null });

  async function releases(letters: readonly Uint8Array[]) {
    const places = await placesOfLetters(ledger(), ledger().database, letters);
    const noted = await releasesOfPlaces(ledger(), places);
    return [...noted.values()].map(({ because, state }) => `${because} ${state}`);
  }

  /** As often as it takes. */
  async function carryOutAll(parts: ReleaseParts): Promise<void> {
    await soon();
    while ((await carryOutReleases(parts)) > 0) await soon();
  }

  /** As if the time for the next try had come. */
  const soon = () =>
    ledger().database.query(
      `update ${ledger().at}.key_releases set due_at = ${ledger().at}.clock() where state = 'pending'`,
    );

  return { blocked, held, partsWith, decide, releases, soon, carryOutAll };
}

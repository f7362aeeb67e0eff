import { equal, ok } from "node:assert/strict";
import type { BlockedKeys, Lane, LaneArrival, LaneFate, LanePlace, LaneRelease } from "../../stores/blocked-keys.ts";
import type { ContractPromise } from "../contract.ts";

export interface Bench {
  readonly store: BlockedKeys;
  readonly other: BlockedKeys;
}

export type BlockedKeysPromise = ContractPromise<Bench>;

export const lane: Lane = { queue: "orders", key: bytes("account-7") };

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

interface Comer {
  readonly in?: Lane;
  readonly turn?: string;
  readonly revived?: boolean;
  readonly copy?: Uint8Array | null;
}

/** A message comes: a new one by its name, or one that carries its number. */
export function arrive(
  store: BlockedKeys,
  who: string | number,
  { in: where = lane, turn = `turn of ${who}`, revived = false, copy = null }: Comer = {},
): Promise<LanePlace> {
  const number = typeof who === "number" ? who : null;
  const arrival: LaneArrival = { number, revived, mark: bytes(String(who)), copy, turn };
  return store.arrive(where, arrival);
}

/** A message that failed blocks its key, and is sent on: its number. */
export async function block(
  store: BlockedKeys,
  who: string,
  fate: LaneFate = "waiting",
  where = lane,
): Promise<number> {
  const turn = `turn of ${who}`;
  const number = await store.enter(where, { mark: bytes(who), turn });
  equal(await store.confirm(where, number, turn, fate), "noted");
  return number;
}

/** A message that comes behind another is parked: its number. */
export async function park(store: BlockedKeys, who: string, where = lane): Promise<number> {
  const number = numberOf(await arrive(store, who, { in: where }), "behind");
  equal(await store.confirm(where, number, `turn of ${who}`, "parked"), "noted");
  return number;
}

/** Runs the message that carries this number to its end. */
export async function finish(store: BlockedKeys, number: number, where = lane): Promise<string> {
  numberOf(await arrive(store, number, { in: where }), "first");
  return store.leave(where, number, `turn of ${number}`);
}

/** What came of releasing the place of one dead message. */
export async function releaseOne(store: BlockedKeys, number: number, where = lane): Promise<LaneRelease> {
  const [outcome] = await store.release([{ ...where, number }]);
  ok(outcome, "it says what came of each");
  return outcome;
}

export function numberOf(place: LanePlace, kind: "first" | "behind"): number {
  equal(place.kind, kind);
  return "number" in place ? place.number : Number.NaN;
}

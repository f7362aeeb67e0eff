import { OfficeError } from "../../domain/errors.ts";
import type { ReportedBreaker } from "../../ledger/list-breakers.ts";
import { readSnapshot } from "../../policies/breaker-snapshot.ts";
import { type BreakerSnapshot, CircuitBreaker } from "../../policies/circuit-breaker.ts";
import type { SharedState } from "../../stores/shared-state.ts";
import { sentenceOf } from "../keep-trying.ts";

/** Where consumers of that source may keep what they share; null: nowhere that the office could reach. */
export type SharedBy = (source: string) => Promise<SharedState | null>;

/** Which breaker, and the source whose PostgreSQL or Redis has its state; null: the one its consumers report on. */
export interface BreakerPlace {
  readonly name: string;
  readonly store: string | null;
}

/** A breaker's state where its processes share it. */
export interface HeldBreaker {
  readonly store: string;
  readonly state: SharedState;
  readonly version: number | null;
  /** By the store's clock. */
  readonly now: number;
  /** As it stands at `now`, though nobody has looked since its time was over. */
  readonly snapshot: BreakerSnapshot;
}

/** What the sources said that may have the state of one breaker. */
export interface SharedLook {
  readonly name: string;
  readonly sources: readonly string[];
  readonly held: readonly HeldBreaker[];
  readonly away: readonly { readonly source: string; readonly error: unknown }[];
}

/** Asks all that may have it: one that does not answer keeps nobody from what the others know. */
export async function lookForShared(
  sharedBy: SharedBy,
  { name, store }: BreakerPlace,
  reported: readonly ReportedBreaker[],
): Promise<SharedLook> {
  const sources = store === null ? [...new Set(reported.map(({ source }) => source))] : [store];
  const held: HeldBreaker[] = [];
  const away: { source: string; error: unknown }[] = [];
  const ask = async (source: string) => {
    const state = await sharedBy(source);
    const found = state === null ? null : await readHeld(state, name, source);
    if (found !== null) held.push(found);
  };
  await Promise.all(sources.map((source) => ask(source).catch((error: unknown) => away.push({ source, error }))));
  return { name, sources, held, away };
}

/** Null: nothing there that could be a breaker's state. */
export async function readHeld(state: SharedState, name: string, store: string): Promise<HeldBreaker | null> {
  const { value, version, now } = await state.read(name);
  const snapshot = readSnapshot(value);
  if (snapshot === undefined) return null;
  const circuit = new CircuitBreaker();
  circuit.restore(snapshot);
  circuit.refresh(now);
  return { store, state, version, now, snapshot: circuit.snapshot() };
}

/** The one that is meant. Two breakers may have one name, and to open the other one stops what works. */
export function requireOne({ name, sources, held, away }: SharedLook): HeldBreaker {
  const [first, second] = held;
  if (first !== undefined && second !== undefined) throw ambiguous(name, held);
  const [lost] = away;
  if (lost !== undefined && sources.length === 1) throw lost.error;
  if (lost !== undefined)
    throw new OfficeError(
      "STORE_UNAVAILABLE",
      `${lost.source} may have the state of the breaker ${name}, and does not answer: ${sentenceOf(lost.error)} ` +
        "Name the source that has it: --store NAME.",
    );
  if (first === undefined) throw notShared(name, sources);
  return first;
}

function ambiguous(name: string, held: readonly HeldBreaker[]): OfficeError {
  const stores = held.map(({ store }) => store).toSorted();
  return new OfficeError(
    "BREAKER_AMBIGUOUS",
    `${stores.join(" and ")} each have a breaker ${name}, and these are not one. Name the source whose it is: --store ${stores[0]}.`,
    { details: { breaker: name, stores } },
  );
}

export function notShared(name: string, looked: readonly string[]): OfficeError {
  return new OfficeError(
    "BREAKER_NOT_SHARED",
    `${looked.join(" and ")} has no state of the breaker ${name}: it is in each process alone, or in a database the office knows by another name, ` +
      "or nothing went through it yet. Give the breaker a store (postgresSharedState or redisSharedState), or name the source that has it: --store NAME.",
    { details: { breaker: name, looked } },
  );
}

import type { Actor } from "../../domain/actor.ts";
import type { Clock } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { recordAction } from "../../ledger/audit.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { listBreakers, type ReportedBreaker } from "../../ledger/list-breakers.ts";
import { readSnapshot } from "../../policies/breaker-snapshot.ts";
import { type BreakerSnapshot, CircuitBreaker } from "../../policies/circuit-breaker.ts";
import type { SharedState } from "../../stores/shared-state.ts";

export interface BreakerParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Where consumers of that source may keep what they share; null: nowhere that the office could reach. */
  readonly sharedBy: (source: string) => Promise<SharedState | null>;
}

/** Which breaker, and the source whose PostgreSQL or Redis has its state; null: the one its consumers report on. */
export interface BreakerPlace {
  readonly name: string;
  readonly store: string | null;
}

/** How a breaker stands in the store that its processes share, by that store's clock. */
export interface SharedBreaker {
  readonly store: string;
  readonly snapshot: BreakerSnapshot;
  /** Somebody opened it, and it is not over. */
  readonly isForced: boolean;
}

export interface ShownBreaker {
  readonly reported: readonly ReportedBreaker[];
  readonly shared: SharedBreaker | null;
  /** Why the office cannot open or release it; null where it can. */
  readonly why: string | null;
}

/** What somebody does to a breaker. There is no way to close one: only probes that succeed do. */
export type BreakerOrder =
  | { readonly kind: "force_open"; readonly forMs: number; readonly reason: string }
  | { readonly kind: "release"; readonly reason: string }
  | { readonly kind: "probe"; readonly reason: string };

/** How often it is tried again when a consumer was faster. */
const maxTries = 10;
const byHand = "by hand";

/** A breaker as its consumers report it and, where they share its state, as that stands. */
export async function showBreaker(parts: BreakerParts, place: BreakerPlace): Promise<ShownBreaker> {
  const reported = await reportedOf(parts, place);
  try {
    const { store, state } = await sharedOf(parts, place, reported);
    const { snapshot } = await read(state, place.name, store);
    return { reported, shared: { store, snapshot, isForced: isForced(snapshot) }, why: null };
  } catch (error) {
    if (error instanceof OfficeError && error.code === "BREAKER_NOT_SHARED")
      return { reported, shared: null, why: error.message };
    throw error;
  }
}

/**
 * Moves a breaker where its state is shared, by the state machine and the compare-and-set of the consumers themselves: they
 * follow within a second. An opening has its end in the state, so it ends though the office is gone by then.
 */
export async function steerBreaker(
  parts: BreakerParts,
  actor: Actor,
  { order, ...place }: BreakerPlace & { readonly order: BreakerOrder },
): Promise<SharedBreaker> {
  const reported = await reportedOf(parts, place);
  const { store, state } = await sharedOf(parts, place, reported);
  const { snapshot: before } = await read(state, place.name, store);
  requireSense(place.name, before, order);
  // Before it is done: two stores have no transaction together, and nothing may be done that is in no record.
  await noteOrder(parts, actor, { breaker: place.name, store }, order);
  for (let tries = 0; tries < maxTries; tries++) {
    const { version, now, snapshot } = await read(state, place.name, store);
    const circuit = new CircuitBreaker();
    circuit.restore(snapshot);
    circuit.refresh(now);
    steer(circuit, order, { now, who: actor.id });
    const after = circuit.snapshot();
    if (await state.replace(place.name, version, after)) return { store, snapshot: after, isForced: isForced(after) };
  }
  throw new OfficeError(
    "STORE_UNAVAILABLE",
    `Its consumers changed the breaker ${place.name} faster than the office could, ${maxTries} times. Nothing was changed; try again.`,
  );
}

function steer(circuit: CircuitBreaker, order: BreakerOrder, { now, who }: { now: number; who: string }): void {
  const because = `${byHand}, ${who}${order.reason === "" ? "" : `: ${order.reason}`}`;
  if (order.kind === "force_open") circuit.openUntil(now + order.forMs, now, because);
  else circuit.letProbe(now, because);
}

/** What would change nothing is refused, so that nobody takes it for done. */
function requireSense(name: string, snapshot: BreakerSnapshot, { kind }: BreakerOrder): void {
  if (kind === "force_open") return;
  if (snapshot.phase !== "open")
    throw new OfficeError("INVALID_OPTION", `The breaker ${name} is ${snapshot.phase}, so there is nothing to end.`);
  if (kind === "release" && !isForced(snapshot))
    throw new OfficeError(
      "INVALID_OPTION",
      `The breaker ${name} opened by itself, and nobody forced it. \`dlo breakers probe ${name}\` lets a message through at once, to try.`,
    );
}

/** By the office, or by a consumer's own `forceOpen`, which has no end. */
function isForced({ phase, openUntil, transitions }: BreakerSnapshot): boolean {
  return phase === "open" && (openUntil === null || (transitions.at(-1)?.because.startsWith(byHand) ?? false));
}

async function noteOrder(
  { ledger, clock }: BreakerParts,
  actor: Actor,
  details: Readonly<Record<"breaker" | "store", string>>,
  { kind, reason, ...order }: BreakerOrder,
): Promise<void> {
  const limits = "forMs" in order ? { forSeconds: order.forMs / 1_000 } : {};
  await ledger.database.transaction((transaction) =>
    recordAction(ledger, transaction, {
      ...{ at: clock.now(), actor, action: `breakers.${kind}` },
      details: { ...details, ...limits, reason },
    }),
  );
}

async function reportedOf(
  { ledger }: BreakerParts,
  { name, store }: BreakerPlace,
): Promise<readonly ReportedBreaker[]> {
  const reported = (await listBreakers(ledger)).filter((each) => each.name === name);
  if (reported.length > 0 || store !== null) return reported;
  throw new OfficeError(
    "BREAKER_NOT_FOUND",
    `No consumer has reported a breaker \`${name}\`. \`dlo breakers\` lists those there are.`,
  );
}

async function sharedOf(
  { sharedBy }: BreakerParts,
  { name, store }: BreakerPlace,
  reported: readonly ReportedBreaker[],
): Promise<{ readonly store: string; readonly state: SharedState }> {
  const sources = store === null ? [...new Set(reported.map(({ source }) => source))] : [store];
  for (const source of sources) {
    const state = await sharedBy(source);
    if (state !== null && readSnapshot((await state.read(name)).value) !== undefined) return { store: source, state };
  }
  throw notShared(name, sources);
}

async function read(state: SharedState, name: string, store: string) {
  const { value, version, now } = await state.read(name);
  const snapshot = readSnapshot(value);
  if (snapshot === undefined) throw notShared(name, [store]);
  return { version, now, snapshot };
}

function notShared(name: string, looked: readonly string[]): OfficeError {
  return new OfficeError(
    "BREAKER_NOT_SHARED",
    `${looked.join(" and ")} has no state of the breaker ${name}: it is in each process alone, or in a database the office knows by another name, ` +
      "or nothing went through it yet. Give the breaker a store (postgresSharedState or redisSharedState), or name the source that has it: --store NAME.",
    { details: { breaker: name, looked } },
  );
}

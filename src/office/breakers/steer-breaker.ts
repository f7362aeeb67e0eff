import type { Actor } from "../../domain/actor.ts";
import type { Clock } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { recordAction } from "../../ledger/audit.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { listBreakers, type ReportedBreaker } from "../../ledger/list-breakers.ts";
import { type BreakerSnapshot, CircuitBreaker } from "../../policies/circuit-breaker.ts";
import { sentenceOf } from "../keep-trying.ts";
import {
  type BreakerPlace,
  type HeldBreaker,
  lookForShared,
  notShared,
  readHeld,
  requireOne,
  type SharedBy,
} from "./shared-breaker.ts";

export interface BreakerParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly sharedBy: SharedBy;
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

/** A breaker as its consumers report it and, where they share its state and that can be asked for, as that stands. */
export async function showBreaker(parts: BreakerParts, place: BreakerPlace): Promise<ShownBreaker> {
  const reported = await reportedOf(parts, place);
  const look = await lookForShared(parts.sharedBy, place, reported);
  try {
    return { reported, shared: sharedOf(requireOne(look)), why: null };
  } catch (error) {
    const [only, ...others] = look.held;
    const isOne = only !== undefined && others.length === 0;
    return { reported, shared: isOne ? sharedOf(only) : null, why: sentenceOf(error) };
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
  const { name } = place;
  const look = await lookForShared(parts.sharedBy, place, await reportedOf(parts, place));
  const found = requireOne(look);
  requireSense(name, found.snapshot, order);
  // Before it is done: two stores have no transaction together, and nothing may be done that is in no record.
  await noteOrder(parts, actor, { breaker: name, store: found.store }, order);
  for (let tries = 0; tries < maxTries; tries++) {
    const held = await readHeld(found.state, name, found.store);
    if (held === null) throw notShared(name, [found.store]);
    const circuit = new CircuitBreaker();
    circuit.restore(held.snapshot);
    steer(circuit, order, { now: held.now, who: actor.id });
    const after = circuit.snapshot();
    if (await held.state.replace(name, held.version, after)) return sharedOf({ ...held, snapshot: after });
  }
  throw new OfficeError(
    "STORE_UNAVAILABLE",
    `Its consumers changed the breaker ${name} faster than the office could, ${maxTries} times. Nothing was changed; try again.`,
  );
}

function sharedOf({ store, snapshot }: HeldBreaker): SharedBreaker {
  return { store, snapshot, isForced: isForced(snapshot) };
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

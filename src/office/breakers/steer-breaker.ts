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
  | {
      readonly kind: "force_open";
      readonly forMs: number;
      /** Also where it would be open for longer than that. */
      readonly mayShorten: boolean;
      readonly reason: string;
    }
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
  const found = requireOne(await lookForShared(parts.sharedBy, place, await reportedOf(parts, place)));
  requireSense(name, found, order);
  const note = noteOf(parts, actor, { breaker: name, store: found.store }, order);
  // Before it is done: two stores have no transaction together, and nothing may be done that is in no record.
  await note(order.kind);
  try {
    return sharedOf(await move(name, found, { order, who: actor.id }));
  } catch (error) {
    await note(`${order.kind}_failed`, { error: sentenceOf(error) });
    throw error;
  }
}

interface OrderOf {
  readonly order: BreakerOrder;
  readonly who: string;
}

async function move(name: string, { state, store }: HeldBreaker, { order, who }: OrderOf): Promise<HeldBreaker> {
  for (let tries = 0; tries < maxTries; tries++) {
    const held = await readHeld(state, name, store);
    if (held === null) throw notShared(name, [store]);
    requireSense(name, held, order);
    const circuit = new CircuitBreaker();
    circuit.restore(held.snapshot);
    steer(circuit, order, { now: held.now, who });
    const snapshot = circuit.snapshot();
    if (await state.replace(name, held.version, snapshot)) return { ...held, snapshot };
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

/** What would change nothing is refused, so that nobody takes it for done; and what ends sooner than somebody wanted it to. */
function requireSense(name: string, { snapshot, now }: HeldBreaker, order: BreakerOrder): void {
  if (order.kind === "force_open") {
    requireLater(name, snapshot, now + order.forMs, order.mayShorten);
    return;
  }
  if (snapshot.phase !== "open")
    throw new OfficeError("INVALID_OPTION", `The breaker ${name} is ${snapshot.phase}, so there is nothing to end.`);
  if (order.kind === "release" && !isForced(snapshot))
    throw new OfficeError(
      "INVALID_OPTION",
      `The breaker ${name} opened by itself, and nobody forced it. \`dlo breakers probe ${name}\` lets a message through at once, to try.`,
    );
}

function requireLater(name: string, snapshot: BreakerSnapshot, until: number, mayShorten: boolean): void {
  const { phase, openUntil, transitions } = snapshot;
  if (mayShorten || phase !== "open" || (openUntil !== null && openUntil <= until)) return;
  const end = openUntil === null ? "until it is released" : `until ${new Date(openUntil).toISOString()}`;
  throw new OfficeError(
    "INVALID_OPTION",
    `The breaker ${name} is open ${end} already (${transitions.at(-1)?.because ?? "nothing says why"}), which is later than that. ` +
      "Say a longer time, or that it may end sooner: --shorten.",
  );
}

/** By the office, or by a consumer's own `forceOpen`, which has no end. */
function isForced({ phase, openUntil, transitions }: BreakerSnapshot): boolean {
  return phase === "open" && (openUntil === null || (transitions.at(-1)?.because.startsWith(byHand) ?? false));
}

function noteOf(
  { ledger, clock }: BreakerParts,
  actor: Actor,
  place: Readonly<Record<"breaker" | "store", string>>,
  order: BreakerOrder,
) {
  const limits = order.kind === "force_open" ? { forSeconds: order.forMs / 1_000 } : {};
  return (action: string, more: Readonly<Record<string, string>> = {}) =>
    ledger.database.transaction((transaction) =>
      recordAction(ledger, transaction, {
        ...{ at: clock.now(), actor, action: `breakers.${action}` },
        details: { ...place, ...limits, reason: order.reason, ...more },
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

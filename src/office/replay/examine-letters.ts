import { type Actor, isInScope, scopeOf } from "../../domain/actor.ts";
import type { LetterReading, ReplayVia } from "../../domain/dead-letter.ts";
import type { HeaderChange } from "../../domain/header-changes.ts";
import { hexOf, showId } from "../../domain/ids.ts";
import { clockSkewMs, type Protocol } from "../../domain/protocol.ts";
import { type TrippedBreaker, trippedBreakers } from "../../ledger/breakers.ts";
import { type WorkingConsumer, workingConsumers } from "../../ledger/consumers.ts";
import { type Deploy, latestDeploys } from "../../ledger/deploys.ts";
import { acceptedQueues } from "../../ledger/duplicate-acceptances.ts";
import { type LatestEdit, latestEdits } from "../../ledger/edits.ts";
import { type Fix, latestFixes } from "../../ledger/fixes.ts";
import { type Candidate, isNamedByPerson, readCandidates } from "../../ledger/read-candidates.ts";
import { probableRepeats } from "../../ledger/repeats.ts";
import { sha256Of } from "../../ledger/sha256.ts";
import type { PatchStep } from "../edit/patch-json.ts";
import { type RevisedLetter, reviseLetter } from "../edit/revise-letter.ts";
import { type OpenedLetter, openLetter } from "../open-letter.ts";
import { conditionFacts } from "../policy/condition-facts.ts";
import type { PolicyInForce } from "../policy/policy-in-force.ts";
import { askEffects, hasWhomToAsk, redChecks, type Uncertain, unaskedEffect } from "./ask-outside.ts";
import { type Deployed, deployFacts } from "./deploy-facts.ts";
import { duplicateFacts } from "./duplicate-facts.ts";
import { knownEffect } from "./effect-facts.ts";
import type {
  ApprovalFacts,
  BreakerFacts,
  DestinationFacts,
  DuplicateFacts,
  EffectFacts,
  LetterStanding,
  PayloadStanding,
  ReplayFacts,
} from "./facts.ts";
import { judgeLetter } from "./judge-letter.ts";
import { type BoundLetter, type LookLimits, lookAround, wantedOf } from "./look-around.ts";
import { orderOf, readOrder } from "./order-facts.ts";
import { putBackFacts } from "./put-back-outlooks.ts";
import type { Judgement } from "./reasons.ts";
import type { ReplayParts } from "./replay-parts.ts";

export interface ExamineRequest {
  readonly ids: readonly Uint8Array[];
  readonly policy: PolicyInForce;
  readonly actor: Actor;
  /** Letters in the whole plan. */
  readonly planned: number;
  readonly redirect: string | null;
  readonly approval: ApprovalFacts;
  /** Risks a person has answered for, by the letter's id in hexadecimal digits. */
  readonly acknowledged: ReadonlyMap<string, ReadonlySet<string>>;
  /** Letters of the plan that go, in hexadecimal digits; those that are found to go are added. They hold up nobody. */
  readonly going: Set<string>;
  /** Letters this very replay holds: theirs is not somebody else's claim. */
  readonly ownReplay: Uint8Array | null;
  /** What each of them is edited by before it goes; null: each goes as it is. */
  readonly patch: readonly PatchStep[] | null;
  /** The revisions that were planned, by the letter's id in hexadecimal digits; null: the latest, whatever it is. */
  readonly revisions: ReadonlyMap<string, number> | null;
  /** They go by themselves: those that their policy does not let go so need a person. @default false */
  readonly isAuto?: boolean;
  /** Their plan needs no approval, being small or going by itself. @default false */
  readonly isExempt?: boolean;
  /**
   * Whoever can say what nobody here knows is asked: probes of policies and of consumers, and health checks. Where not, what is
   * uncertain stays so: looking at letters must not be heard in somebody's production. @default true
   */
  readonly asks?: boolean;
  /** Whether probes are among those who are asked. @default as `asks` */
  readonly probes?: boolean;
  /** Queues whose consumers do not answer, by `source/queue`: not asked again; those that do not answer now are added. */
  readonly silent?: Set<string>;
  /** Brokers have to show how things are there: what cannot be asked is thrown. @default false: each letter says why it was not checked */
  readonly mustSee?: boolean;
  /** Sources that could not be asked, each with why; they are not asked again, and others are added. @default none */
  readonly notAsked?: Map<string, string>;
}

/** A letter with what was found out about it and what may become of it. */
export interface ExaminedLetter {
  readonly candidate: Candidate;
  readonly reading: LetterReading;
  /** The body that would be sent; null when it is not at hand. */
  readonly payload: Uint8Array | null;
  readonly payloadSha256: Uint8Array | null;
  /** What its edit puts in the place of headers; null: they go as they came. */
  readonly headers: readonly HeaderChange[] | null;
  /** 0 is the original. */
  readonly revision: number;
  /** The plan's patch made it just now: it is kept before it is sent. */
  readonly isNewRevision: boolean;
  readonly destination: string | null;
  /** The exchange and key by which it goes there; null: straight to the queue. */
  readonly via: ReplayVia | null;
  /** How things are where it would go could not be seen at this moment. */
  readonly isUnseen: boolean;
  /** Why its broker could not be asked; null where it was. */
  readonly notAsked: string | null;
  /** What the policy says of it in this plan. */
  readonly protocol: Protocol;
  readonly judgement: Judgement;
  /** Null for a failed job. */
  readonly duplicates: DuplicateFacts | null;
  /** Somebody could be asked whether it took effect, and was not. */
  readonly isUnasked: boolean;
}

/** Looks at letters and judges each, in the order of their arrival. Nothing is changed. */
export async function examineLetters(parts: ReplayParts, request: ExamineRequest): Promise<readonly ExaminedLetter[]> {
  const { asks = true, probes = asks } = request;
  const candidates = await readCandidates(parts.ledger, request.ids);
  const named = ({ source, drainedFrom }: Candidate) => request.redirect ?? parts.replayTo(source, drainedFrom);
  /** As its consumers name where it would go. */
  const placeOf = (candidate: Candidate) => ({ source: candidate.source, queue: named(candidate) ?? candidate.queue });
  const queues = candidates.map((candidate) => placeOf(candidate).queue);
  const { working, tripped, recorded, fixes, edits, order, accepted, repeats } = await readKnown(
    parts,
    candidates,
    queues,
  );
  const now = parts.host.clock.now();
  const checks = new Map<string, Promise<boolean>>();
  const examined: ExaminedLetter[] = [];
  const uncertain = await openAll(
    parts,
    request,
    candidates.map((candidate) => ({ candidate, ...placeOf(candidate) })),
    { working, recorded },
  );
  const { bound, destinations, outlooks, effects } = await askAround(parts, request, uncertain, named);
  for (const [index, letter] of uncertain.entries()) {
    const { candidate, opened, protocol, effect } = letter;
    const edit = edits.get(hexOf(candidate.id));
    const revised = await revisedOf(parts, request, { candidate, opened, edit });
    const place = placeOf(candidate);
    const found = destinations[index] ?? { kind: "unknown" };
    const duplicates = outlooks.has(candidate)
      ? null
      : duplicateFacts(letter, { ...place, accepted, working: consumersOf(place, { working, recorded }).working, now });
    const facts: ReplayFacts = {
      ...staticFacts(parts, request, {
        ...{ candidate, protocol, revised, edit, effect: effects[index] ?? effect, isAtHand: opened.payload !== null },
        reading: opened.reading,
        fix: fixes.get(hexOf(candidate.groupId)) ?? null,
        repeatOf: repeats.get(hexOf(candidate.id)) ?? null,
        ...consumersOf(place, { working, recorded }),
      }),
      destination: withBreakers(
        found,
        tripped.get(`${place.source}/${place.queue}`) ?? [],
        await redChecks(parts, checks, asks ? protocol.health : []),
      ),
      order: orderOf(candidate, order, request.going, found),
      duplicates,
      outlook: putBackFacts(outlooks.get(candidate), { revised, opened, named: named(candidate) }),
    };
    const judgement = judgeLetter(facts);
    if (judgement.decision === "replay") request.going.add(hexOf(candidate.id));
    const { payload, headers, revision, isNew } = revised;
    examined.push({
      ...{ candidate, reading: opened.reading, payload, headers, payloadSha256: digestOf(payload), revision },
      ...{ isNewRevision: isNew, ...whereTo(found, bound[index]?.wanted ?? []) },
      ...{ protocol, judgement, duplicates, isUnasked: !probes && hasWhomToAsk(letter) },
    });
  }
  return examined;
}

/** What brokers show of the letters and of where they would go, and what consumers say of effects. */
async function askAround(
  parts: ReplayParts,
  request: ExamineRequest,
  letters: readonly Uncertain[],
  named: (candidate: Candidate) => string | null,
) {
  const { asks = true, probes = asks, silent = new Set<string>() } = request;
  const bound = letters.map(({ candidate, opened }) => ({
    candidate,
    wanted: wantedOf(opened.reading, named(candidate)),
  }));
  const { destinations, outlooks } = await lookAround(parts, bound, lookLimitsOf(request));
  for (const place of notReached(letters, destinations)) silent.add(place);
  const effects = probes ? await askEffects(parts, letters, silent) : letters.map(unaskedEffect);
  return { bound, destinations, outlooks, effects };
}

/** Consumers at a broker that cannot be asked do not hear a probe either. */
function notReached(letters: readonly Uncertain[], destinations: readonly DestinationFacts[]): readonly string[] {
  return letters.flatMap(({ candidate: { source, queue } }, index) =>
    destinations[index]?.kind === "not_asked" ? [`${source}/${queue}`] : [],
  );
}

/** What the ledger has of them, of where they would go, and of who is there. */
async function readKnown({ ledger }: ReplayParts, candidates: readonly Candidate[], queues: readonly string[]) {
  const ids = candidates.map(({ id }) => id);
  const groups = candidates.map(({ groupId }) => groupId);
  const [working, tripped, recorded, fixes, edits, order, accepted, repeats] = await Promise.all([
    workingConsumers(ledger, queues),
    trippedBreakers(ledger, queues),
    latestDeploys(ledger, queues),
    latestFixes(ledger, groups),
    latestEdits(ledger, ids),
    readOrder(ledger, candidates),
    acceptedQueues(ledger, queues),
    probableRepeats(ledger, ids),
  ]);
  return { working, tripped, recorded, fixes, edits, order, accepted, repeats };
}

/** How long a broker's answer is waited for by whoever looks at a page, and by whoever plans, in milliseconds. */
const patienceMs = { page: 3_000, plan: 12_000 } as const;

function lookLimitsOf({
  asks = true,
  mustSee = false,
  notAsked = new Map<string, string>(),
}: ExamineRequest): LookLimits {
  if (mustSee) return { withinMs: null, notAsked: null };
  return { withinMs: asks ? patienceMs.plan : patienceMs.page, notAsked };
}

interface Unopened {
  readonly candidate: Candidate;
  readonly source: string;
  /** As its consumers name where it would go. */
  readonly queue: string;
}

/** One after the other: bodies may be large. */
async function openAll(
  parts: ReplayParts,
  request: ExamineRequest,
  letters: readonly Unopened[],
  known: Known,
): Promise<readonly Uncertain[]> {
  const opened: Uncertain[] = [];
  for (const letter of letters) {
    const { working: atWork } = consumersOf(letter, known);
    opened.push(await opening(parts, request, { ...letter, atWork }));
  }
  return opened;
}

/** A letter with its message, the policy for it, and what is known of its effect before anybody is asked. */
async function opening(
  parts: ReplayParts,
  request: ExamineRequest,
  { candidate, queue, atWork }: Omit<Unopened, "source"> & { readonly atWork: readonly WorkingConsumer[] },
): Promise<Uncertain> {
  const opened = await openLetter(parts, candidate);
  const now = parts.host.clock.now();
  return {
    ...{ candidate, opened, protocol: protocolOf(request, candidate, opened, now) },
    ...knownEffect(candidate, { queue, working: atWork }, now),
  };
}

interface Known {
  readonly working: ReadonlyMap<string, readonly WorkingConsumer[]>;
  readonly recorded: ReadonlyMap<string, readonly Deploy[]>;
}

/** As it would go: edited, if it was, or is by this very plan. */
async function revisedOf(
  { ledger: { masking }, schemaFor }: ReplayParts,
  { patch, ownReplay }: ExamineRequest,
  { candidate, opened, edit }: { candidate: Candidate; opened: OpenedLetter; edit: LatestEdit | undefined },
): Promise<RevisedLetter> {
  const { category, cutTo, queue } = candidate;
  // What is left of a cut body may well be read, and would be sent as the whole.
  const original = patch !== null && cutTo !== null ? null : opened.payload;
  const schema = patch === null ? null : await schemaFor({ queue, type: opened.reading.schema });
  return reviseLetter({ original, latest: edit, category, patch, ownReplay, schema, masking });
}

/** Who consumes where it would go. */
function consumersOf({ source, queue }: { readonly source: string; readonly queue: string }, known: Known): Deployed {
  return { working: known.working.get(`${source}/${queue}`) ?? [], recorded: known.recorded.get(queue) ?? [] };
}

/**
 * Consumers let only their probes through while a breaker is half-open, so all that goes then is a trial: without any, a
 * breaker whose queue is empty would never close.
 */
function withBreakers(
  destination: DestinationFacts,
  tripped: readonly TrippedBreaker[],
  red: readonly string[],
): DestinationFacts {
  if (destination.kind !== "known") return destination;
  const breakers = tripped.map(
    ({ name: breaker, state, since }): BreakerFacts =>
      state === "open" ? { kind: "open", breaker, since } : { kind: "half_open", breaker, since, trial: true },
  );
  return {
    ...{ ...destination, breakers: [...destination.breakers, ...breakers] },
    redChecks: [...destination.redChecks, ...red],
  };
}

function digestOf(payload: Uint8Array | null): Uint8Array | null {
  return payload === null ? null : sha256Of(payload);
}

function protocolOf(
  { policy, planned, actor }: ExamineRequest,
  candidate: Candidate,
  { letter, reading }: OpenedLetter,
  now: number,
): Protocol {
  return policy.protocolFor(conditionFacts(letter, reading, { ...candidate, now }), { n: planned, actor });
}

/** Shown also where it cannot go, and as its letter says where nobody could ask. */
function whereTo(
  found: DestinationFacts,
  wanted: BoundLetter["wanted"],
): Pick<ExaminedLetter, "destination" | "via" | "isUnseen" | "notAsked"> {
  const isUnseen = "isUnseen" in found && found.isUnseen === true;
  const notAsked = "why" in found ? found.why : "unseenBecause" in found ? (found.unseenBecause ?? null) : null;
  if (found.kind === "known") return { destination: found.queue, via: found.via, isUnseen, notAsked };
  const via = found.kind === "not_asked" ? found.via : null;
  return { destination: "queue" in wanted ? wanted.queue : null, via, isUnseen, notAsked };
}

interface Looked extends Deployed {
  readonly candidate: Candidate;
  readonly protocol: Protocol;
  readonly revised: RevisedLetter;
  readonly edit: LatestEdit | undefined;
  readonly effect: EffectFacts;
  /** Its body is there to be sent. */
  readonly isAtHand: boolean;
  readonly fix: Fix | null;
  readonly repeatOf: Uint8Array | null;
  readonly reading: LetterReading;
}

/** Asked again before each window is sent: who started it may have been shut out, or moved to other queues, since. */
function mayReplay(actor: Actor, { source, queue }: Candidate): boolean {
  return isInScope(scopeOf(actor, "operator"), source, queue);
}

/** What a letter lacks that would go by itself, and may not. */
const aPerson: ApprovalFacts = { kind: "missing", needed: 1, given: 0 };

function staticFacts(
  { host }: ReplayParts,
  { actor, planned, approval, acknowledged, ownReplay, revisions, isAuto = false, isExempt = false }: ExamineRequest,
  { candidate, protocol, revised, edit, effect, isAtHand, fix, repeatOf, reading, working, recorded }: Looked,
): Omit<ReplayFacts, "destination" | "order" | "outlook" | "duplicates"> {
  const { category, queue, failedAt, failedAtBy, replays } = candidate;
  return {
    letter: {
      ...{ queue, category, expiresAt: reading.expiresAt, replays },
      cameBackAs: candidate.state === "returned" ? category : null,
      state: standingOf(candidate, ownReplay),
      failedAt: failedAtBy === "arrival" ? { kind: "bound", before: failedAt } : { kind: "known", at: failedAt },
      payload: isAtHand ? payloadOf(candidate) : { kind: "missing" },
      revision: { planned: plannedRevision(candidate, revisions, revised), latest: revised.revision },
      editRefused: revised.refused,
      repeatOf: repeatOf === null ? null : showId("letter", repeatOf),
    },
    policy: {
      ...{ allows: protocol.allows, deniedBy: protocol.deniedBy, maxReplays: protocol.maxReplays },
      ...{ maxLag: protocol.halt.lag, effects: protocol.effects, duplicates: protocol.duplicates, clockSkewMs },
    },
    ...{
      planned,
      approval: isAuto && (!protocol.auto || isNamedByPerson(candidate)) ? aPerson : approval,
      mayReplay: mayReplay(actor, candidate),
      ...{ restoredTo: candidate.restoredTo, isExempt },
    },
    fix: fix === null ? null : { fix: fix.called, fixedAt: fix.fixedAt },
    deploy: deployFacts(reading.schema, { working, recorded }, protocol.gates.trust),
    effect: edit?.wasSuppressed ? { kind: "done" } : effect,
    acknowledged: acknowledged.get(hexOf(candidate.id)) ?? new Set(),
    now: host.clock.now(),
  };
}

function plannedRevision(
  { id }: Candidate,
  revisions: ExamineRequest["revisions"],
  { revision }: RevisedLetter,
): number {
  return revisions === null ? revision : (revisions.get(hexOf(id)) ?? 0);
}

function standingOf({ state, claimedBy }: Candidate, ownReplay: Uint8Array | null): LetterStanding {
  if (state === "open" || state === "returned") return { kind: "open" };
  if (state !== "in_replay" && state !== "in_doubt") return { kind: "decided", state };
  if (claimedBy === null) return { kind: "claimed", replay: null };
  if (ownReplay !== null && hexOf(ownReplay) === hexOf(claimedBy)) return { kind: "open" };
  return { kind: state === "in_doubt" ? "in_doubt" : "claimed", replay: showId("replay", claimedBy) };
}

function payloadOf({ cutTo }: Candidate): PayloadStanding {
  return cutTo === null ? { kind: "whole" } : { kind: "cut", keptBytes: cutTo };
}

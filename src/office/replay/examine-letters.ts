import type { LetterReading, ReplayVia } from "../../domain/dead-letter.ts";
import type { HeaderChange } from "../../domain/header-changes.ts";
import { hexOf } from "../../domain/ids.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { type TrippedBreaker, trippedBreakers } from "../../ledger/breakers.ts";
import { type WorkingConsumer, workingConsumers } from "../../ledger/consumers.ts";
import { type Deploy, latestDeploys } from "../../ledger/deploys.ts";
import { acceptedQueues } from "../../ledger/duplicate-acceptances.ts";
import { type LatestEdit, latestEdits } from "../../ledger/edits.ts";
import { latestFixes } from "../../ledger/fixes.ts";
import { type Candidate, readCandidates } from "../../ledger/read-candidates.ts";
import { probableRepeats } from "../../ledger/repeats.ts";
import { sha256Of } from "../../ledger/sha256.ts";
import { type RevisedLetter, reviseLetter } from "../edit/revise-letter.ts";
import { type OpenedLetter, openLetter } from "../open-letter.ts";
import { conditionFacts } from "../policy/condition-facts.ts";
import { askEffects, hasWhomToAsk, redChecks, type Uncertain, unaskedEffect } from "./ask-outside.ts";
import type { Deployed } from "./deploy-facts.ts";
import { duplicateFacts } from "./duplicate-facts.ts";
import { knownEffect } from "./effect-facts.ts";
import type { ExamineRequest } from "./examine-request.ts";
import type { BreakerFacts, DestinationFacts, DuplicateFacts, ReplayFacts } from "./facts.ts";
import { judgeLetter } from "./judge-letter.ts";
import { type BoundLetter, type LookLimits, lookAround, wantedOf } from "./look-around.ts";
import { orderOf, readOrder } from "./order-facts.ts";
import { ownFacts } from "./own-facts.ts";
import { putBackFacts } from "./put-back-outlooks.ts";
import type { Judgement } from "./reasons.ts";
import type { ReplayParts } from "./replay-parts.ts";

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
    const consumers = consumersOf(place, { working, recorded });
    const isPutBack = outlooks.has(candidate);
    const goesTo = { ...place, ...consumers, revised, accepted, now };
    const duplicates = isPutBack ? null : duplicateFacts(parts, letter, goesTo);
    const facts: ReplayFacts = {
      ...ownFacts(parts, request, {
        ...{ candidate, protocol, revised, edit, effect: effects[index] ?? effect, isAtHand: opened.payload !== null },
        reading: opened.reading,
        fix: fixes.get(hexOf(candidate.groupId)) ?? null,
        repeatOf: repeats.get(hexOf(candidate.id)) ?? null,
        ...consumers,
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

import { type Clock, within } from "../../domain/clock.ts";
import { groupedBy } from "../../domain/grouped-by.ts";
import { showId } from "../../domain/ids.ts";
import { recordAction } from "../../ledger/audit.ts";
import {
  type ClaimedRelease,
  claimReleases,
  endReleases,
  postponeReleases,
  putOffReleases,
  sourcesWithReleases,
} from "../../ledger/claim-releases.ts";
import type { ReleaseEnd } from "../../ledger/key-releases.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { SequencePlace } from "../../ledger/sequence-places.ts";
import type { BlockedKeysAdmin, LaneRelease } from "../../stores/blocked-keys.ts";
import { officeItself } from "../intake/own-drain.ts";
import { sentenceOf } from "../keep-trying.ts";

export interface ReleaseParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Where consumers of a source keep their blocked keys; null: nobody said where. */
  readonly blockedKeysOf: (source: string) => Promise<BlockedKeysAdmin | null>;
  /** Asks the consumers themselves, by a message that they alone read. Rejects where their broker can't take it. */
  readonly sendRelease: (place: SequencePlace) => Promise<void>;
}

/** A release that came to its end. */
export interface EndedRelease extends ClaimedRelease {
  readonly end: ReleaseEnd;
}

/** Releases of a source that are carried out before more of them are taken. */
const atOnce = 50;
/** After this another process carries them out. */
export const releaseLeaseMs = 60_000;
/** A store or broker that takes longer does not answer: the next try finds out what became of this one. */
const answersWithinMs = 10_000;
const firstWaitMs = 1_000;
const longestWaitMs = 5 * 60_000;
/** Of those that were not taken: those that were find out meanwhile whether it answers again. */
const untakenWaitMs = 30_000;
/** A message that is on its way to the dead letters is dead soon. One that still is not was put back by a person. */
const aliveTries = 8;

/** Carries out releases that are due, of each source by itself. Gives how many it took: where it took none, nothing is due. */
export async function carryOutReleases(parts: ReleaseParts): Promise<number> {
  const sources = await sourcesWithReleases(parts.ledger);
  const taken = await Promise.all(sources.map((source) => carryOutOf(parts, source)));
  return taken.reduce((sum, n) => sum + n, 0);
}

/** Goes on until nothing of the source is due, or something fails: then the rest waits, for it would fail alike. Gives how many it took. */
export async function carryOutOf(parts: ReleaseParts, source: string, signal?: AbortSignal): Promise<number> {
  for (let taken = 0; ; ) {
    const claimed = await claimReleases(parts.ledger, source, { atMost: atOnce, leaseMs: releaseLeaseMs });
    taken += claimed.length;
    const queues = groupedBy(claimed, ({ queue }) => queue);
    const turns = await Promise.all([...queues.values()].map((releases) => takeTurn(parts, releases)));
    if (claimed.length < atOnce || signal?.aborted === true) return taken;
    await putOff(parts, source, turns);
    if (turns.some(({ failure }) => failure !== null)) return taken;
  }
}

const soonMs = 3_000;

/** Right after a decision, so that keys go on at once where they can. What takes longer or fails is left to the standing work. */
export async function carryOutSoon(parts: ReleaseParts): Promise<void> {
  const carrying = carryOutReleases(parts).then(
    () => {},
    () => {},
  );
  await within(parts.clock, soonMs, carrying, () => {});
}

interface Turn {
  readonly queue: string;
  readonly ended: number;
  readonly failure: Failure | null;
}

/** Of one queue. Where its store or broker can't be reached, the others would wait for the same answer. */
async function takeTurn(parts: ReleaseParts, releases: readonly ClaimedRelease[]): Promise<Turn> {
  const ended: EndedRelease[] = [];
  const later: { readonly release: ClaimedRelease; readonly trouble: string }[] = [];
  let failure: Failure | null = null;
  for (const release of releases) {
    const tried: TriedRelease = failure === null ? await tryRelease(parts, release) : failure;
    if (tried.end !== null) ended.push({ ...release, end: tried.end });
    else later.push({ release, trouble: tried.trouble });
    if (tried.end === null && tried.concerns !== "place") failure = tried;
  }
  await writeDown(parts, ended);
  await postponeReleases(parts.ledger, later.map(putOffOf));
  return { queue: releases[0]?.queue ?? "", ended: ended.length, failure };
}

/** What is due behind those that failed waits with them. Where nothing at all could be done, that is the whole source. */
async function putOff({ ledger }: ReleaseParts, source: string, turns: readonly Turn[]): Promise<void> {
  const isAway = turns.every(({ ended }) => ended === 0) && turns.some(({ failure }) => failure?.concerns === "source");
  for (const { queue, failure } of turns) {
    if (failure === null || (isAway && failure.concerns !== "source")) continue;
    const { trouble } = failure;
    await putOffReleases(ledger, { source, queue: isAway ? null : queue }, { trouble, waitMs: untakenWaitMs });
    if (isAway) return;
  }
}

function putOffOf({ release, trouble }: { readonly release: ClaimedRelease; readonly trouble: string }) {
  return { place: release, trouble, waitMs: Math.min(longestWaitMs, firstWaitMs * 2 ** (release.tries - 1)) };
}

/** What a try came to; without an end it is made again later. */
type TriedRelease = { readonly end: ReleaseEnd } | Failure;

interface Failure {
  readonly end: null;
  readonly trouble: string;
  /** What else would fail as well: nothing, its queue, or all of its source. */
  readonly concerns: "place" | "queue" | "source";
}

/** Repeated by another process after a crash, it changes nothing: it names a number. Never rejects. */
export async function tryRelease(parts: ReleaseParts, release: ClaimedRelease): Promise<TriedRelease> {
  const silence = { end: null, trouble: noAnswer, concerns: "source" } as const;
  return within(parts.clock, answersWithinMs, releasePlace(parts, release), () => silence);
}

const noAnswer = `It did not answer within ${answersWithinMs / 1_000} s.`;
const notDead = "The message is not dead: it waits or runs, and leaves its place when it is done.";

export async function postpone({ ledger }: ReleaseParts, release: ClaimedRelease, trouble: string): Promise<void> {
  await postponeReleases(ledger, [putOffOf({ release, trouble })]);
}

async function releasePlace(parts: ReleaseParts, release: ClaimedRelease): Promise<TriedRelease> {
  const { source, queue, key, number } = release;
  let store: BlockedKeysAdmin | null;
  try {
    store = await parts.blockedKeysOf(source);
    if (store !== null) return ofAnswer(await store.release({ queue, key }, number), release);
  } catch (error) {
    return { end: null, trouble: sentenceOf(error), concerns: "source" };
  }
  try {
    await parts.sendRelease({ source, queue, key, number });
    return { end: "sent" };
  } catch (error) {
    return { end: null, trouble: sentenceOf(error), concerns: "queue" };
  }
}

function ofAnswer(answer: LaneRelease, { tries }: ClaimedRelease): TriedRelease {
  if (answer === "alive" && tries < aliveTries) return { end: null, trouble: notDead, concerns: "place" };
  // An earlier try may have released it, and nobody lived to write that down.
  return { end: answer === "gone" && tries > 1 ? "released" : answer };
}

/** All of a queue that ended alike are one entry of the audit log. */
export async function writeDown(parts: ReleaseParts, releases: readonly EndedRelease[]): Promise<void> {
  const alike = groupedBy(releases, ({ source, queue, because, end }) => JSON.stringify([source, queue, because, end]));
  for (const [first, ...others] of alike.values()) if (first !== undefined) await writeAlike(parts, first, others);
}

async function writeAlike(
  { ledger, clock }: ReleaseParts,
  first: EndedRelease,
  others: readonly EndedRelease[],
): Promise<void> {
  const { source, queue, because, end } = first;
  await ledger.database.transaction(async (transaction) => {
    const news = await endReleases(ledger, transaction, [first, ...others], end);
    if (news.length === 0) return;
    const letters = news.flatMap(({ letter }) => (letter === null ? [] : [showId("letter", letter)]));
    const numbers = news.map(({ number }) => number);
    const details = { source, queue, numbers, letters: [...new Set(letters)], because, outcome: end };
    await recordAction(ledger, transaction, {
      ...{ at: clock.now(), actor: officeItself, action: "keys.released", details },
    });
  });
}

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
    const turns = claimed.length === 0 ? [] : await takeTurns(parts, source, claimed);
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

/** One for all, where their store can be asked. Messages are sent for each queue by itself, whichever takes long. */
async function takeTurns(
  parts: ReleaseParts,
  source: string,
  releases: readonly ClaimedRelease[],
): Promise<readonly Turn[]> {
  const asked = await askKeys(parts, source, releases);
  if (asked !== null) return [await endTurn(parts, asked)];
  const queues = groupedBy(releases, ({ queue }) => queue);
  return Promise.all([...queues.values()].map(async (some) => endTurn(parts, await sendInTurn(parts, some))));
}

/** Where one queue can't take a message, the others of it would wait for the same answer. */
async function sendInTurn(parts: ReleaseParts, releases: readonly ClaimedRelease[]): Promise<readonly TriedRelease[]> {
  const tried: TriedRelease[] = [];
  let failure: Failure | null = null;
  for (const release of releases) {
    const came: Outcome = failure ?? (await sendRelease(parts, release));
    if (came.end === null && came.concerns !== "place") failure = came;
    tried.push({ release, came });
  }
  return tried;
}

async function endTurn(parts: ReleaseParts, tried: readonly TriedRelease[]): Promise<Turn> {
  const ended = tried.flatMap(({ release, came }) => (came.end === null ? [] : [{ ...release, end: came.end }]));
  const failures = tried.flatMap(({ release, came }) => (came.end === null ? [{ release, ...came }] : []));
  await writeDown(parts, ended);
  await postponeReleases(parts.ledger, failures.map(putOffOf));
  const failure = failures.find(({ concerns }) => concerns !== "place") ?? null;
  return { queue: tried[0]?.release.queue ?? "", ended: ended.length, failure };
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
type Outcome = { readonly end: ReleaseEnd } | Failure;

interface Failure {
  readonly end: null;
  readonly trouble: string;
  /** What else would fail as well: nothing, its queue, or all of its source. */
  readonly concerns: "place" | "queue" | "source";
}

interface TriedRelease {
  readonly release: ClaimedRelease;
  readonly came: Outcome;
}

/** Repeated by another process after a crash, it changes nothing: it names a number. Never rejects. */
export async function tryRelease(parts: ReleaseParts, release: ClaimedRelease): Promise<Outcome> {
  const asked = await askKeys(parts, release.source, [release]);
  return asked?.[0]?.came ?? sendRelease(parts, release);
}

const noAnswer = `It did not answer within ${answersWithinMs / 1_000} s.`;
const unsaid = "Its store of blocked keys did not say what came of it.";
const notDead = "The message is not dead: it waits or runs, and leaves its place when it is done.";

export async function postpone({ ledger }: ReleaseParts, release: ClaimedRelease, trouble: string): Promise<void> {
  await postponeReleases(ledger, [putOffOf({ release, trouble })]);
}

/** All with one question. Where that fails, some may be released: the next try hears that they are gone. Null: there is no store to ask. */
async function askKeys(
  { clock, blockedKeysOf }: ReleaseParts,
  source: string,
  releases: readonly ClaimedRelease[],
): Promise<readonly TriedRelease[] | null> {
  const failed = (trouble: string) =>
    releases.map((release) => ({ release, came: { end: null, trouble, concerns: "source" } as const }));
  const asking = async () => {
    try {
      const store = await blockedKeysOf(source);
      const answers = await store?.release(releases);
      return answers === undefined
        ? null
        : releases.map((release, index) => ({ release, came: ofAnswer(answers[index], release) }));
    } catch (error) {
      return failed(sentenceOf(error));
    }
  };
  return within(clock, answersWithinMs, asking(), () => failed(noAnswer));
}

async function sendRelease(parts: ReleaseParts, { source, queue, key, number }: ClaimedRelease): Promise<Outcome> {
  const sending = async (): Promise<Outcome> => {
    try {
      await parts.sendRelease({ source, queue, key, number });
      return { end: "sent" };
    } catch (error) {
      return { end: null, trouble: sentenceOf(error), concerns: "queue" };
    }
  };
  const silence = { end: null, trouble: noAnswer, concerns: "source" } as const;
  return within(parts.clock, answersWithinMs, sending(), () => silence);
}

function ofAnswer(answer: LaneRelease | undefined, { tries }: ClaimedRelease): Outcome {
  if (answer === undefined) return { end: null, trouble: unsaid, concerns: "place" };
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

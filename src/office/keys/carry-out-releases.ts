import { type Clock, within } from "../../domain/clock.ts";
import { groupedBy } from "../../domain/grouped-by.ts";
import { showId } from "../../domain/ids.ts";
import { recordAction } from "../../ledger/audit.ts";
import {
  type ClaimedRelease,
  claimReleases,
  endRelease,
  postponeRelease,
  type ReleaseEnd,
} from "../../ledger/key-releases.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { SequencePlace } from "../../ledger/sequence-places.ts";
import type { BlockedKeysAdmin } from "../../stores/blocked-keys.ts";
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

/** Releases that are carried out before anything of them is written down. */
const atOnce = 50;
/** After this another process carries them out: stores and brokers have answered by then, or do not answer. */
export const releaseLeaseMs = 60_000;
const firstWaitMs = 1_000;
const longestWaitMs = 5 * 60_000;
/** A message that is on its way to the dead letters is dead soon. One that still is not was put back by a person. */
const aliveTries = 8;

/** Carries out releases that are due. Gives how many it took: where it took none, nothing is due. */
export async function carryOutReleases(parts: ReleaseParts): Promise<number> {
  const claimed = await claimReleases(parts.ledger, { atMost: atOnce, leaseMs: releaseLeaseMs });
  const queues = groupedBy(claimed, ({ source, queue }) => JSON.stringify([source, queue]));
  const ended = await Promise.all([...queues.values()].map((releases) => tryInTurn(parts, releases)));
  await writeDown(parts, ended.flat());
  return claimed.length;
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

/** Of one queue. Where its store or broker can't be reached, the others would wait for the same answer. */
async function tryInTurn(parts: ReleaseParts, releases: readonly ClaimedRelease[]): Promise<readonly EndedRelease[]> {
  const ended: EndedRelease[] = [];
  let trouble: string | null = null;
  for (const release of releases) {
    const tried: TriedRelease = trouble === null ? await tryRelease(parts, release) : { end: null, trouble };
    if (tried.end !== null) ended.push({ ...release, end: tried.end });
    else await postpone(parts, release, tried.trouble);
    if (tried.end === null && !tried.isAlive) trouble = tried.trouble;
  }
  return ended;
}

/** What a try came to; without an end it is made again later. */
export type TriedRelease =
  | { readonly end: ReleaseEnd }
  /** With `isAlive` only this place can't be released yet. */
  | { readonly end: null; readonly trouble: string; readonly isAlive?: boolean };

/** Repeated by another process after a crash, it changes nothing: it names a number. Never rejects. */
export async function tryRelease(parts: ReleaseParts, release: ClaimedRelease): Promise<TriedRelease> {
  try {
    const end = await releasePlace(parts, release);
    return end === "alive" && release.tries < aliveTries ? { end: null, trouble: notDead, isAlive: true } : { end };
  } catch (error) {
    return { end: null, trouble: sentenceOf(error) };
  }
}

const notDead = "The message is not dead: it waits or runs, and leaves its place when it is done.";

export async function postpone({ ledger }: ReleaseParts, release: ClaimedRelease, trouble: string): Promise<void> {
  const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** (release.tries - 1));
  await postponeRelease(ledger, release, { trouble, waitMs });
}

async function releasePlace(
  { blockedKeysOf, sendRelease }: ReleaseParts,
  { source, queue, key, number, tries }: ClaimedRelease,
): Promise<ReleaseEnd> {
  const store = await blockedKeysOf(source);
  if (store !== null) {
    const answer = await store.release({ queue, key }, number);
    // An earlier try may have released it, and nobody lived to write that down.
    return answer === "gone" && tries > 1 ? "released" : answer;
  }
  await sendRelease({ source, queue, key, number });
  return "sent";
}

/** All of a queue that ended alike are one entry of the audit log. */
export async function writeDown({ ledger, clock }: ReleaseParts, releases: readonly EndedRelease[]): Promise<void> {
  const alike = groupedBy(releases, ({ source, queue, because, end }) => JSON.stringify([source, queue, because, end]));
  for (const some of alike.values())
    await ledger.database.transaction(async (transaction) => {
      const news: EndedRelease[] = [];
      for (const release of some) if (await endRelease(ledger, transaction, release, release.end)) news.push(release);
      const [first] = news;
      if (first === undefined) return;
      const { source, queue, because, end } = first;
      const letters = news.flatMap(({ letter }) => (letter === null ? [] : [showId("letter", letter)]));
      const numbers = news.map(({ number }) => number);
      const details = { source, queue, numbers, letters: [...new Set(letters)], because, outcome: end };
      await recordAction(ledger, transaction, {
        ...{ at: clock.now(), actor: officeItself, action: "keys.released", details },
      });
    });
}

import { within } from "../../domain/clock.ts";
import { hexOf } from "../../domain/ids.ts";
import { showCount } from "../../domain/show-count.ts";
import { type Candidate, readCandidates } from "../../ledger/read-candidates.ts";
import { readSent } from "../../ledger/replay-items.ts";
import type { LaneFinding, LaneQuestion } from "../../stores/blocked-keys.ts";
import { sentenceOf } from "../keep-trying.ts";
import type { ReplayParts } from "./replay-parts.ts";

/** How many messages of its key its consumers parked behind a letter; or why that was not checked. */
export type Followers = number | NotChecked;

interface NotChecked {
  readonly notChecked: string;
}

/** A plan is made without what a silent store knows, after so long, in milliseconds. */
const patienceMs = 10_000;

/** Their bodies are read too. */
const readAtOnce = 500;

export async function followersOf(
  parts: Pick<ReplayParts, "blockedKeysOf" | "host">,
  letters: readonly Candidate[],
): Promise<ReadonlyMap<Candidate, Followers>> {
  const found = await askStores(parts, letters);
  return new Map(
    [...found].map(([letter, finding]) => [letter, "notChecked" in finding ? finding : (finding.place?.behind ?? 0)]),
  );
}

/** Of the letters of ordered consumers, where these keep their blocked keys: one question for each source. */
async function askStores(
  parts: Pick<ReplayParts, "blockedKeysOf" | "host">,
  letters: readonly Candidate[],
): Promise<ReadonlyMap<Candidate, LaneFinding | NotChecked>> {
  const asked = letters.flatMap((letter) => {
    const question = placeOf(letter);
    return question === null ? [] : [{ letter, question }];
  });
  const found = new Map<Candidate, LaneFinding | NotChecked>();
  for (const source of new Set(asked.map(({ letter }) => letter.source))) {
    const own = asked.filter(({ letter }) => letter.source === source);
    const questions = own.map(({ question }) => question);
    const asking = find(parts, source, questions).catch((error: unknown) => ({ notChecked: sentenceOf(error) }));
    const answer = await within(parts.host.clock, patienceMs, asking, () => ({
      notChecked: `the store of blocked keys gave no answer within ${patienceMs / 1_000} s`,
    }));
    for (const [index, { letter }] of own.entries()) {
      const finding = "notChecked" in answer ? answer : answer[index];
      if (finding !== undefined) found.set(letter, finding);
    }
  }
  return found;
}

async function find(
  { blockedKeysOf }: Pick<ReplayParts, "blockedKeysOf">,
  source: string,
  questions: readonly LaneQuestion[],
): Promise<readonly LaneFinding[] | NotChecked> {
  const store = await blockedKeysOf(source);
  if (store !== null) return store.find(questions);
  return { notChecked: `the configuration doesn't say where consumers of ${source} keep blocked keys (\`keys\`)` };
}

/**
 * Which of these items, sent back to the queue they failed in, are parked nowhere and wait for no retry: their key is open. Of the
 * others nobody can tell: their consumers keep no order, or their store did not answer, or the key is blocked.
 */
export async function findNotParked(
  parts: Pick<ReplayParts, "ledger" | "blockedKeysOf" | "host">,
  replay: Uint8Array,
  numbers: readonly number[],
): Promise<readonly number[]> {
  const open: number[] = [];
  for (let start = 0; start < numbers.length; start += readAtOnce) {
    const items = await readSent(parts.ledger, replay, numbers.slice(start, start + readAtOnce));
    const letters = await readCandidates(
      parts.ledger,
      items.map(({ letterId }) => letterId),
    );
    const found = await askStores(parts, letters);
    const known = new Map(letters.map((letter) => [hexOf(letter.id), letter]));
    for (const { n, letterId, destination } of items) {
      const letter = known.get(hexOf(letterId));
      const finding = letter === undefined || letter.queue !== destination ? undefined : found.get(letter);
      if (finding !== undefined && !("notChecked" in finding) && finding.blocked === null) open.push(n);
    }
  }
  return open;
}

/** Null: it has no place in a lane, so nothing waits behind it. */
function placeOf({ queue, place: number, message: { key } }: Candidate): LaneQuestion | null {
  return key === null || number === null ? null : { queue, key, number };
}

/** As people read it behind the reason of one letter, or of several together. */
export function behindInWords(behind: number, letters: number): string {
  if (behind === 0) return "";
  return ` ${showCount(behind, "message")} ${behind === 1 ? "waits" : "wait"} behind ${letters === 1 ? "this letter" : "these letters"}.`;
}

import type { Actor } from "../../domain/actor.ts";
import {
  type AutoPlace,
  autoPlaceName,
  closedBreakers,
  openTransient,
  placesWithTransient,
  unfinishedAuto,
} from "../../ledger/auto-replays.ts";
import { isHeardOf, workingConsumers } from "../../ledger/consumers.ts";
import { countStandings } from "../../ledger/replay-items.ts";
import { moveReplay } from "../../ledger/replay-moves.ts";
import { readStop } from "../../ledger/stopped-sending.ts";
import { ask } from "./approve-replay.ts";
import { autoEvidence } from "./auto-evidence.ts";
import { changeReplay, requireState } from "./change-replay.ts";
import { duplicateCodes } from "./duplicate-reasons.ts";
import { type ExaminedLetter, examineLetters } from "./examine-letters.ts";
import { planReplay } from "./plan-replay.ts";
import { togetherOf } from "./reasons.ts";
import { countItems } from "./replay-counts.ts";
import type { ReplayParts } from "./replay-parts.ts";
import { start } from "./steer-replay.ts";

/** In whose name letters go that nobody sent: the policy lets them, and whoever put it in force answers for it. */
export const autoActor: Actor = { id: "auto-replay", kind: "system", roles: ["operator"] };

/** Letters of one queue that are looked at together, and that one replay sends at most. */
const lettersAtOnce = 500;

/** Where in each queue the next look begins, so that letters which must not go keep none behind them from it. */
type AutoCursors = Map<string, Uint8Array>;

export interface AutoLook {
  /** Replays that were planned and started. */
  readonly started: readonly Uint8Array[];
  /** Queues that could not be looked at, each with why; they keep no other from it. */
  readonly failures: readonly { readonly place: string; readonly error: unknown }[];
  /** Queues with letters that would go, and wait for a person to accept duplicates there, each with why and the way out. */
  readonly waiting: readonly { readonly place: string; readonly sentence: string }[];
}

const nothing: AutoLook = { started: [], failures: [], waiting: [] };

/** Looks whenever it is called. Every process of an office may do so at once. */
export function autoReplays(parts: ReplayParts): () => Promise<AutoLook> {
  const cursors: AutoCursors = new Map();
  return () => autoReplay(parts, cursors);
}

/**
 * Looks once for transient letters that a policy lets go by themselves and of whose cause there is evidence that it is gone, and
 * starts a replay of those of each queue. Everything else waits for a person, and so does everything while sending is stopped.
 */
async function autoReplay(parts: ReplayParts, cursors: AutoCursors): Promise<AutoLook> {
  const { ledger } = parts;
  if (!(await parts.policy()).hasAuto) return nothing;
  if ((await readStop(ledger, ledger.database)) !== null) return nothing;
  const started: Uint8Array[] = [];
  const failures: AutoLook["failures"][number][] = [];
  const waiting: AutoLook["waiting"][number][] = [];
  for (const place of await placesWithTransient(ledger)) {
    await letGo(parts, place, cursors)
      .then(({ replay, held }) => {
        started.push(...(replay === null ? [] : [replay]));
        waiting.push(...held.map((sentence) => ({ place: autoPlaceName(place), sentence })));
      })
      .catch((error: unknown) => failures.push({ place: autoPlaceName(place), error }));
  }
  return { started, failures, waiting };
}

interface LetGo {
  readonly replay: Uint8Array | null;
  /** Why letters stay that nothing else speaks against; none where none do. */
  readonly held: readonly string[];
}

async function letGo(parts: ReplayParts, place: AutoPlace, cursors: AutoCursors): Promise<LetGo> {
  if (!(await isFree(parts, place))) return { replay: null, held: [] };
  const found = await findReady(parts, place, cursors);
  const held = heldWords(found.filter(({ letter }) => isHeld(letter)));
  const replay = await begin(
    parts,
    place,
    found.filter(({ letter }) => !isHeld(letter)),
  );
  return { replay, held };
}

/** Nothing but that a duplicate of it would not be recognized: such a letter never goes without a person's word. */
function isHeld({ judgement }: ExaminedLetter): boolean {
  return duplicateCodes.has(judgement.code);
}

function heldWords(held: readonly ReadyLetter[]): readonly string[] {
  const [first] = held;
  if (first === undefined) return [];
  const { candidate, judgement, destination } = first.letter;
  const what = togetherOf(judgement.code, held.length, held.length) ?? judgement.sentence;
  const accept = `dlo queues accept-duplicates ${candidate.source}/${destination ?? candidate.queue}`;
  return [`${what} Accept duplicates there, once: \`${accept} --because handled|harmless\`, or replay them yourself.`];
}

async function begin(parts: ReplayParts, place: AutoPlace, found: readonly ReadyLetter[]): Promise<Uint8Array | null> {
  const [first] = found;
  if (first === undefined) return null;
  const replay = await planReplay(parts, autoActor, {
    letters: found.map(({ letter }) => letter.candidate.id),
    query: `source:${place.source} queue:${place.queue} category:transient`,
    name: `auto-replay of ${place.queue}`,
    autoPlace: autoPlaceName(place),
  });
  await ask(parts, autoActor, { replay, reason: first.evidence });
  const { toSend } = countItems(await countStandings(parts.ledger, parts.ledger.database, replay));
  await start(parts, autoActor, { replay, expectCount: toSend });
  return replay;
}

/** One at a time: what is under way or held up there says how the next would go. One that nobody started holds up nobody. */
async function isFree(parts: ReplayParts, place: AutoPlace): Promise<boolean> {
  const unfinished = await unfinishedAuto(parts.ledger, place);
  if (unfinished === null) return true;
  if (!unfinished.isAbandoned) return false;
  await giveUp(parts, unfinished.id);
  return true;
}

/** Expired, and not cancelled, which is a person's word about its letters. */
async function giveUp(parts: ReplayParts, replay: Uint8Array): Promise<void> {
  const unstarted = ["planned", "awaiting_approval", "approved"] as const;
  const told = { replay, action: "replay.expired", details: { reason: "Whoever planned it did not start it." } };
  await changeReplay(parts, autoActor, told, async (queries, record) => {
    requireState(record, unstarted, "given up");
    await moveReplay(parts.ledger, queries, { id: replay, from: unstarted, to: "expired" });
  });
}

interface ReadyLetter {
  readonly letter: ExaminedLetter;
  readonly evidence: string;
}

async function findReady(parts: ReplayParts, place: AutoPlace, cursors: AutoCursors): Promise<readonly ReadyLetter[]> {
  const { ledger } = parts;
  const name = autoPlaceName(place);
  const ids = await openTransient(ledger, place, { after: cursors.get(name) ?? null, limit: lettersAtOnce });
  const last = ids.at(-1);
  if (last === undefined || ids.length < lettersAtOnce) cursors.delete(name);
  else cursors.set(name, last);
  if (last === undefined) return [];
  // Their consumers are asked about those that would go, not four times a minute about all there are.
  const likely = await readyAmong(parts, ids, false);
  if (likely.every(({ letter }) => !letter.isUnasked)) return likely;
  return readyAmong(
    parts,
    likely.map(({ letter }) => letter.candidate.id),
    true,
  );
}

async function readyAmong(
  parts: ReplayParts,
  ids: readonly Uint8Array[],
  probes: boolean,
): Promise<readonly ReadyLetter[]> {
  const { ledger, host } = parts;
  const examined = await examineLetters(parts, {
    ...{ ids, policy: await parts.policy(), actor: autoActor, planned: ids.length, redirect: null, isAuto: true },
    ...{ approval: { kind: "pending" }, acknowledged: new Map(), going: new Set<string>(), ownReplay: null },
    ...{ patch: null, revisions: null, probes },
  });
  const queues = examined.map(destinationOf);
  const [closed, working] = await Promise.all([closedBreakers(ledger, queues), workingConsumers(ledger, queues)]);
  return examined.flatMap((letter) => {
    const goesTo = autoPlaceName({ source: letter.candidate.source, queue: destinationOf(letter) });
    const now = host.clock.now();
    const isConsumed = (working.get(goesTo) ?? []).some((consumer) => isHeardOf(consumer, now));
    const facts = { closed: closed.get(goesTo) ?? [], isConsumed, now };
    const asReady = isHeld(letter) ? { ...letter, judgement: { ...letter.judgement, code: "ready" as const } } : letter;
    const evidence = autoEvidence(asReady, facts);
    return evidence === null ? [] : [{ letter, evidence }];
  });
}

function destinationOf({ destination, candidate }: ExaminedLetter): string {
  return destination ?? candidate.queue;
}

import { z } from "zod";
import type { Actor } from "../../domain/actor.ts";
import { OfficeError } from "../../domain/errors.ts";
import { hexOf, readId, showId } from "../../domain/ids.ts";
import { expireReplays } from "../../ledger/govern-replay.ts";
import { listReplays, readReplay } from "../../ledger/read-replay.ts";
import { type ReplayItem, readItems } from "../../ledger/replay-items.ts";
import { replayStates } from "../../ledger/replay-record.ts";
import { findInStates } from "../../ledger/search/find-letters.ts";
import { requireLetters } from "../../ledger/search/require-letters.ts";
import { doubtAbandoned } from "../../ledger/settle-doubt.ts";
import { changesOfItem } from "../edit/replay-changes.ts";
import { describeReplay } from "../replay/describe-replay.ts";
import { findDrift } from "../replay/find-drift.ts";
import { behindInWords } from "../replay/followers.ts";
import { inWhoseName } from "../replay/in-whose-name.ts";
import { planReplay } from "../replay/plan-replay.ts";
import { searchedNow } from "../replay/searched-now.ts";
import { changesShape, shownChanges } from "./edits.ts";
import { type Office, operation } from "./operation.ts";
import { driftedItem, itemStates, replayItem, replayShape, replaySummary, stricterLimits } from "./replay-shapes.ts";
import { confirmUnknown, requireKnownNames } from "./unknown-names.ts";
import { wholeNumber } from "./whole-number.ts";

/** Letters in one plan, at most. */
const plannedAtMost = 200_000;

/** What somebody has decided about for good is not planned unless it is named. */
const undecided = ["open", "returned", "in_replay", "in_doubt"] as const;

export const planReplays = operation({
  name: "replays.plan",
  summary: "which letters would be sent back and which not, each with its reason; nothing is sent",
  role: "operator",
  isScoped: true,
  forAgents: true,
  input: z.object({
    q: z.string().default(""),
    letters: z.array(z.string()).max(10_000).default([]),
    name: z.string().min(1).optional(),
    /** A queue of the same source that all of them go to. */
    redirect: z.string().min(1).nullable().default(null),
    /** A JSON Patch (RFC 6902), as text, that each of them is edited by before it goes. */
    patch: z.string().min(1).max(100_000).nullable().default(null),
    limits: stricterLimits.default({}),
    confirmUnknown,
  }),
  output: replayShape,
  async run(office, { q, letters, name, redirect, patch, limits, confirmUnknown: confirmed }, actor) {
    requireEditor(actor, patch);
    const ids = await select(office, actor, { q, letters, confirmed });
    const query = q === "" ? letters.map((letter) => `id:${letter}`).join(",") : q;
    const id = await planReplay(office.replay, actor, {
      ...{ letters: ids, query, redirect, patch, limits: withoutMissing(limits) },
      ...(name === undefined ? {} : { name }),
    });
    return getOne(office, id);
  },
});

export const getReplay = operation({
  name: "replays.get",
  summary: "one replay: what was planned, who agreed, what was sent, what became of it",
  role: "viewer",
  isScoped: true,
  input: z.object({ id: z.string() }),
  output: replayShape,
  async run(office, { id }) {
    const { ledger } = office;
    const replay = readId("replay", id);
    await expireReplays(ledger);
    await doubtAbandoned(ledger, ledger.database, replay);
    return getOne(office, replay);
  },
});

export const listAllReplays = operation({
  name: "replays.list",
  summary: "replays, newest first",
  role: "viewer",
  isScoped: true,
  input: z.object({
    states: z.array(z.enum(replayStates)).default([]),
    limit: z.int().min(1).max(200).default(50),
    after: z.string().nullable().default(null),
  }),
  output: z.object({ items: z.array(replaySummary), next: z.string().nullable() }),
  async run({ ledger, replay: parts }, { states, limit, after }) {
    await expireReplays(ledger);
    const found = await listReplays(ledger, {
      ...(states.length === 0 ? {} : { states }),
      ...{ limit: limit + 1, after: after === null ? null : readId("replay", after) },
    });
    const page = found.slice(0, limit);
    const items = await Promise.all(page.map((record) => describeReplay(parts, record)));
    return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
  },
});

export const listReplayItems = operation({
  name: "replays.items",
  summary: "the letters of a replay, with the decision and reason of each and where it stands",
  role: "viewer",
  isScoped: true,
  input: z.object({
    id: z.string(),
    decision: replayItem.shape.decision.optional(),
    state: z.enum(itemStates).optional(),
    limit: z.int().min(1).max(1_000).default(50),
    after: wholeNumber().default(0),
  }),
  output: z.object({ items: z.array(replayItem), next: z.number().nullable() }),
  async run({ ledger }, { id, decision, state, limit, after }) {
    const { id: replay } = await readReplay(ledger, ledger.database, { id: readId("replay", id) });
    await doubtAbandoned(ledger, ledger.database, replay);
    const found = await readItems(ledger, ledger.database, {
      ...{ replay, after, limit: limit + 1, decision: decision ?? null, progress: state ?? null },
    });
    const page = found.slice(0, limit);
    return { items: page.map(shownItem), next: found.length > limit ? (page.at(-1)?.n ?? null) : null };
  },
});

const driftShownAtMost = 200;

export const listReplayDrift = operation({
  name: "replays.drift",
  summary:
    "what has changed for a plan since it was frozen: the letters that would not go any more, each with its reason",
  role: "viewer",
  isScoped: true,
  input: z.object({ id: z.string() }),
  output: z.object({
    /** Letters that were looked at, of those that are still to go. */
    checked: z.number(),
    /** There are more than were looked at. */
    isPartial: z.boolean(),
    /** Of so many of them a probe is asked before they go; looking asks none, and no health check. */
    unasked: z.number(),
    /** Where so many of them would go could not be looked at, and why; they are judged when their turn comes. */
    notChecked: z.array(z.object({ n: z.number(), why: z.string() })),
    n: z.number(),
    items: z.array(driftedItem),
  }),
  async run({ ledger, replay: parts, roles }, { id }) {
    const record = await readReplay(ledger, ledger.database, { id: readId("replay", id) });
    const actor = await inWhoseName(ledger, record.id, roles);
    const { checked, isPartial, unasked, notChecked, items } = await findDrift(parts, record, actor);
    const shown = items.slice(0, driftShownAtMost).map(({ item, against: { code, sentence, change } }) => ({
      ...{ n: item.n, letter: showId("letter", item.letterId), reason: { code, sentence, change } },
    }));
    const blind = notChecked.map((each) => ({ ...each }));
    return { checked, isPartial, unasked, notChecked: blind, n: items.length, items: shown };
  },
});

const changedItem = z.object({ n: z.number(), letter: z.string(), revision: z.number(), changes: changesShape });

export const listReplayChanges = operation({
  name: "replays.changes",
  summary: "the letters of a replay that go edited, each with what changes",
  role: "viewer",
  input: z.object({
    id: z.string(),
    limit: z.int().min(1).max(50).default(10),
    after: wholeNumber().default(0),
  }),
  output: z.object({
    items: z.array(changedItem),
    next: z.number().nullable(),
  }),
  async run({ ledger, replay: parts }, { id, limit, after }) {
    const { id: replay, patch } = await readReplay(ledger, ledger.database, { id: readId("replay", id) });
    const asked = { replay, after, limit: limit + 1, isEdited: true };
    const found = await readItems(ledger, ledger.database, asked);
    const items: z.input<typeof changedItem>[] = [];
    for (const item of found.slice(0, limit)) {
      const changes = shownChanges(await changesOfItem(parts, patch, item));
      items.push({ n: item.n, letter: showId("letter", item.letterId), revision: item.revision, changes });
    }
    return { items, next: found.length > limit ? (items.at(-1)?.n ?? null) : null };
  },
});

/** The object all decisions about a replay give back: what it is by now. */
export async function getOne({ ledger, replay }: Office, id: Uint8Array): Promise<z.input<typeof replayShape>> {
  return describeReplay(replay, await readReplay(ledger, ledger.database, { id }));
}

interface Selecting {
  readonly q: string;
  readonly letters: readonly string[];
  /** Names that no letter has, and that are meant all the same. */
  readonly confirmed: readonly string[];
}

async function select(office: Office, actor: Actor, { q, letters, confirmed }: Selecting) {
  if (letters.length > 0 && q === "") return requireLetters(office.ledger, letters);
  // A filter that is empty by mistake would select everything there is.
  if (q.trim() === "" || letters.length > 0) {
    throw new OfficeError("INVALID_OPTION", "Say which letters: a search, or ids, and not both.");
  }
  const search = { q, ...searchedNow(office, actor) };
  await requireKnownNames(office.ledger, search, confirmed);
  const found = await findInStates(office.ledger, search, { states: undecided, atMost: plannedAtMost + 1 });
  if (found.length <= plannedAtMost) return found;
  const text = `More than ${plannedAtMost} letters match. Narrow the search, or plan one queue or group after the other.`;
  throw new OfficeError("INVALID_OPTION", text);
}

/** Agents may plan, and never edit. */
function requireEditor({ id, kind }: Actor, patch: string | null): void {
  if (patch === null || kind !== "agent") return;
  const text = `Editing letters is for people, and ${id} is an agent. Plan without a patch, or ask one of them.`;
  throw new OfficeError("NOT_ALLOWED", text, { details: { operation: "replays.plan", actor: id } });
}

function withoutMissing(limits: z.output<typeof stricterLimits>) {
  const { rate, batch, ramp, settleS } = limits;
  return {
    ...(rate === undefined ? {} : { rate }),
    ...(batch === undefined ? {} : { batch }),
    ...(ramp === undefined ? {} : { ramp }),
    ...(settleS === undefined ? {} : { settleS }),
  };
}

function shownItem(item: ReplayItem): z.input<typeof replayItem> {
  const { n, decision, reason, details, source, destination, via, payloadSha256, revision, mark, markReason } = item;
  return {
    ...{ n, letter: showId("letter", item.letterId), decision, source, destination, revision, mark, markReason },
    reason: {
      code: reason,
      sentence: details.sentence + behindInWords(details.behind ?? 0, 1),
      change: details.change,
    },
    ...{ payloadSha256: payloadSha256 === null ? null : hexOf(payloadSha256), via: via === null ? null : { ...via } },
    ...{ acknowledged: item.isAcknowledged, state: item.progress },
  };
}

import { type Actor, isInScope } from "../../domain/actor.ts";
import { OfficeError } from "../../domain/errors.ts";
import { hexOf, makeId, showId } from "../../domain/ids.ts";
import { recordAction } from "../../ledger/audit.ts";
import {
  type ItemDetails,
  insertItems,
  insertReplay,
  type NewItem,
  type NewReplay,
} from "../../ledger/insert-replay.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { isNamedByPerson } from "../../ledger/read-candidates.ts";
import type { ReplayLimits } from "../../ledger/replay-record.ts";
import { refusing } from "../edit/edit-refused.ts";
import { parsePatch } from "../edit/patch-json.ts";
import type { PolicyInForce } from "../policy/policy-in-force.ts";
import { type ExaminedLetter, examineLetters } from "./examine-letters.ts";
import { type Followers, followersOf } from "./followers.ts";
import { hashPlan, headersDigest } from "./plan-hash.ts";
import { approvalsFor, type PlannedProtocol, stricter, strictest } from "./plan-terms.ts";
import type { ReplayParts } from "./replay-parts.ts";

export interface PlanRequest {
  /** Ids of the letters, in any order. */
  readonly letters: readonly Uint8Array[];
  /** What selected them, as people will read it. */
  readonly query: string;
  /** @default the time it was made */
  readonly name?: string;
  /** A queue of the same source that all of them go to. @default each goes back to where it came from */
  readonly redirect?: string | null;
  /** A JSON Patch that each of them is edited by before it goes. @default each goes as it is */
  readonly patch?: string | null;
  /** The queue whose letters go by themselves, as `source/queue`. @default somebody asked for it */
  readonly autoPlace?: string | null;
  /** Where it should be stricter than the policy. @default the policy's */
  readonly limits?: Partial<ReplayLimits>;
}

/** Letters looked at together: enough to be quick, few enough that their bodies fit into memory. */
const examinedAtOnce = 500;

/** Makes a plan and writes it down: each letter with its decision and reason, frozen and hashed. Nothing is sent or claimed. */
export async function planReplay(parts: ReplayParts, actor: Actor, request: PlanRequest): Promise<Uint8Array> {
  const { ledger, host } = parts;
  const { query, redirect = null, patch = null, autoPlace = null } = request;
  const now = host.clock.now();
  const id = makeId(now, host.newId());
  const policy = await parts.policy();
  const { items, headers, protocols, isNamed } = await examineAll(parts, actor, { ...request, policy });
  if (items.length === 0) {
    throw new OfficeError(
      "LETTER_NOT_FOUND",
      "No letter matches, so there is nothing to plan. Look with `dlo letters` first.",
    );
  }
  requireSeen(ledger, items);
  const limits = stricter(strictest(protocols.map(({ protocol }) => protocol)), request.limits ?? {});
  const hasher = hashPlan({ replay: showId("replay", id), policyHash: policy.hash, limits, redirect });
  for (const [index, item] of items.entries()) hasher.add(hashed(item, headers[index] ?? null));
  const replay: NewReplay = {
    ...{
      id,
      query,
      redirect,
      patch,
      autoPlace,
      limits,
      requestedBy: actor.id,
      policyHash: policy.hash,
      planHash: hasher.digest(),
    },
    name: request.name ?? `replay of ${minuteOf(now)}`,
    ...approvalsFor(items, protocols, { now, isNamed, isAuto: autoPlace !== null }),
  };
  await ledger.database.transaction(async (transaction) => {
    await insertReplay(ledger, transaction, replay);
    for (const page of pagesOf(items, 5_000)) await insertItems(ledger, transaction, id, page);
    const details = { replay: showId("replay", id), query, selected: items.length, planHash: replay.planHash };
    await recordAction(ledger, transaction, { at: now, actor, action: "replay.planned", details });
  });
  return id;
}

/** Whoever may take letters out of a queue may not put them into any other. */
function requireSeen({ scope }: Ledger, items: readonly NewItem[]): void {
  const outside = items.find(
    ({ source, destination }) => destination !== null && !isInScope(scope, source, destination),
  );
  if (outside === undefined) return;
  const { source, destination } = outside;
  throw new OfficeError("QUEUE_NOT_FOUND", `There is no queue ${source}/${destination} to send letters to.`, {
    details: { source, queue: destination },
  });
}

interface Examined {
  readonly items: readonly NewItem[];
  /** What edits put in the place of headers, of each item. */
  readonly headers: readonly ExaminedLetter["headers"][];
  /** Of the letters that may go, with or without somebody's word for it. */
  readonly protocols: readonly PlannedProtocol[];
  /** One of them is what a person says that it is. */
  readonly isNamed: boolean;
}

async function examineAll(
  parts: ReplayParts,
  actor: Actor,
  { letters, redirect = null, patch = null, policy }: PlanRequest & { readonly policy: PolicyInForce },
): Promise<Examined> {
  const items: NewItem[] = [];
  const headers: ExaminedLetter["headers"][] = [];
  // Mostly every letter of a category has the same: told apart by what they say, few are left.
  const protocols = new Map<string, ProtocolPlaces>();
  const going = new Set<string>();
  const notAsked = new Map<string, string>();
  const silent = new Set<string>();
  let isNamed = false;
  const steps = patch === null ? null : refusing(() => parsePatch(patch));
  const sorted = [...new Map(letters.map((id) => [hexOf(id), id])).entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const page of pagesOf(sorted, examinedAtOnce)) {
    const examined = await examineLetters(parts, {
      ...{ ids: page.map(([, id]) => id), actor, policy, planned: sorted.length, redirect },
      ...{
        approval: { kind: "pending" },
        acknowledged: new Map(),
        going,
        silent,
        ownReplay: null,
        patch: steps,
        revisions: null,
        notAsked,
      },
    });
    const followers = await followersOf(
      parts,
      examined.map(({ candidate }) => candidate),
    );
    for (const letter of examined) {
      items.push(itemOf(letter, items.length + 1, followers.get(letter.candidate) ?? 0));
      headers.push(letter.headers);
      if (letter.judgement.decision === "skip") continue;
      addProtocol(protocols, letter);
      isNamed ||= isNamedByPerson(letter.candidate);
    }
  }
  const kinds = [...protocols.values()].map(({ protocol, places }) => ({ protocol, places: [...places.values()] }));
  return { items, headers, protocols: kinds, isNamed };
}

interface ProtocolPlaces extends Pick<PlannedProtocol, "protocol"> {
  /** By name, each once. */
  readonly places: Map<string, PlannedProtocol["places"][number]>;
}

function addProtocol(
  known: Map<string, ProtocolPlaces>,
  { protocol, candidate: { source, queue } }: ExaminedLetter,
): void {
  const name = JSON.stringify(protocol);
  const kind = known.get(name) ?? { protocol, places: new Map() };
  known.set(name, kind);
  kind.places.set(JSON.stringify([source, queue]), { source, queue });
}

function itemOf(letter: ExaminedLetter, n: number, followers: Followers): NewItem {
  const { candidate, reading, payloadSha256, revision, destination, via, judgement } = letter;
  const { decision, code, sentence, change, note, risks, told } = judgement;
  return {
    ...{ n, letterId: candidate.id, payloadSha256, revision, source: candidate.source, destination },
    ...{
      via,
      strip: reading.replay.strip,
      decision,
      reason: code,
      details: detailsOf(
        {
          sentence,
          change,
          ...(note === undefined ? {} : { note }),
          ...(risks === undefined ? {} : { risks }),
          ...(told === undefined ? {} : { told }),
        },
        followers,
      ),
    },
  };
}

function detailsOf(said: ItemDetails, followers: Followers): ItemDetails {
  if (typeof followers === "number") return followers === 0 ? said : { ...said, behind: followers };
  const unseen = `Not checked what waits behind it: ${followers.notChecked.replace(/\.$/u, "")}.`;
  const note = said.note === undefined ? unseen : `${said.note} ${unseen}`;
  return { ...said, sentence: `${said.sentence} ${unseen}`, note };
}

function hashed(item: NewItem, headers: ExaminedLetter["headers"]): Parameters<ReturnType<typeof hashPlan>["add"]>[0] {
  const { n, letterId, payloadSha256, revision, destination, via, strip, decision, reason } = item;
  return {
    ...{ n, letter: showId("letter", letterId), revision, destination, via, strip, decision },
    payloadSha256: payloadSha256 === null ? null : hexOf(payloadSha256),
    headersSha256: headers === null ? undefined : headersDigest(headers),
    reason: reason as Parameters<ReturnType<typeof hashPlan>["add"]>[0]["reason"],
  };
}

function* pagesOf<Entry>(entries: readonly Entry[], size: number): Generator<readonly Entry[]> {
  for (let start = 0; start < entries.length; start += size) yield entries.slice(start, start + size);
}

/** For people, who know it by the minute. */
function minuteOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

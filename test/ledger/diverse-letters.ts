import { readId, uuidOf } from "../../src/domain/ids.ts";
import { letterStates } from "../../src/domain/letter.ts";
import { queryFields } from "../../src/domain/query/query-fields.ts";
import { wire } from "../../src/domain/wire.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { findLetters, type LetterSummary } from "../../src/ledger/search/find-letters.ts";
import { addGroupTags, addLetterTags } from "../../src/ledger/tags.ts";
import { sayOfGroup } from "../../src/office/attend/attend-group.ts";
import { deadLetter, hold, tester, testRoom } from "./letters.ts";

export const now = Date.UTC(2026, 10, 15, 12);
const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

const categories = queryFields.category.of;

/** What some letters have and others lack, each in a letter of its own; all else of those is unknown. */
const traits = ["plain", "known", "tagged", "tagged group", "owned", "noted", "snoozed", "acknowledged"] as const;

/** Of one letter alone: all that a letter can say of itself. */
const everything = {
  ...{ class: "TimeoutError", message: "POST timed out, timeout of 3 s", code: "E42", id: "m-known" },
  ...{ enqueued: "2026-11-14T10:00:00Z", "expires-at": "2026-11-14T11:00:00Z", "x-tenant": "acme" },
  stack: `TimeoutError\n${"  at x (y.js:1:1)\n".repeat(5_000)}`,
  [wire.consumer]: JSON.stringify({ version: "2.15.0" }),
  traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
};

/** Letters that differ in whatever can be searched for, by what each is here. */
export interface DiverseLetters {
  readonly ledger: Ledger;
  readonly all: readonly LetterSummary[];
  readonly named: (name: string) => LetterSummary;
}

/** One of each trait, one in each state, and one that came back for each category. */
export async function holdDiverse(ledger: Ledger): Promise<DiverseLetters> {
  const kinds = [...traits, ...letterStates, ...categories.map((category) => `back ${category}`)];
  for (const [place, kind] of kinds.entries()) await holdOne(ledger, kind, place);
  const search = { q: "", sort: "arrived", limit: 200, after: null, now, retentionMs: dayMs } as const;
  const all = (await findLetters(ledger, search)).items;
  const letters = new Map(all.map((letter) => [letter.drainedFrom, letter]));
  const named = (name: string) => {
    const letter = letters.get(name);
    if (letter === undefined) throw new Error(`There is no letter ${name}.`);
    return letter;
  };
  const held = { ledger, all, named };
  await comeTo(held);
  await saySomething(held);
  return held;
}

async function holdOne(ledger: Ledger, kind: string, place: number): Promise<void> {
  const isKnown = kind === "known";
  const room = testRoom(() => now - (isKnown ? 2 * hourMs : 20 * dayMs - place));
  const classify = ({ ownWord }: { readonly ownWord: string | null }) => ({
    ...{ category: categories.find((each) => each === ownWord) ?? "unknown", confidence: isKnown ? 0.99 : 0.9 },
    ...{ rule: "test/own-word", why: "It says so.", sideEffect: "none" as const, runnerUp: null },
  });
  const headers = {
    ...{ queue: isKnown ? "orders" : "billing", "dlo-category": categories[place % categories.length] ?? "" },
    // A failure of its own, so that each is in a group of its own.
    ...(isKnown ? everything : { class: `Other${"abcdefghijklmnopqrstuvwxyz"[place]}` }),
  };
  const letter = deadLetter(
    { headers, body: isKnown ? `{"order":{"id":"812"},"pad":"${"x".repeat(2_000)}"}` : "{}" },
    { queue: kind, ...(isKnown ? { broker: "kafka" } : {}) },
  );
  await hold(ledger, [{ letter, found: { kind: "position", position: kind } }], {
    ...{ room: { ...room, triage: { ...room.triage, classify } }, source: isKnown ? "kafka" : "rabbit" },
  });
}

/** A statement, with `@` for the schema. */
function run({ database, at }: Ledger, sql: string, ...values: readonly unknown[]) {
  return database.query(sql.replaceAll("@", at), values);
}

function uuidFor({ named }: DiverseLetters, name: string): string {
  return uuidOf(readId("letter", named(name).id));
}

/** What letters come to after they arrived. */
async function comeTo(held: DiverseLetters): Promise<void> {
  const { ledger } = held;
  for (const state of letterStates)
    await run(ledger, "update @.letters set state = $2 where id = $1", uuidFor(held, state), state);
  for (const kind of ["sent", "resolved", "in_doubt", ...categories.map((each) => `back ${each}`)]) {
    const category = kind.startsWith("back ") ? kind.slice(5) : null;
    await run(
      ledger,
      `update @.letters set replays = 1, state = case when $2::text is null then state else 'returned' end,
         category = coalesce($2, category) where id = $1`,
      ...[uuidFor(held, kind), category],
    );
  }
  const known = uuidFor(held, "known");
  await run(ledger, "update @.letters set attempts = null, changed_at = arrived_at where id <> $1", known);
  await run(
    ledger,
    `update @.letters set attempts = 7, tenant = 'acme', consumer = 'shop', type = 'OrderPlaced', host = 'web-7',
       at_partition = 3, at_offset = 48211 where id = $1`,
    known,
  );
  await run(
    ledger,
    "insert into @.probable_repeats (letter_id, of_letter) values ($1, $2)",
    ...[known, uuidFor(held, "plain")],
  );
  await run(
    ledger,
    "insert into @.edits (letter_id, revision, body, sha256, by, reason) values ($1, 1, 'x', 'x', 'ann', 'typo')",
    known,
  );
}

/** What people say of letters and groups. */
async function saySomething({ ledger, named }: DiverseLetters): Promise<void> {
  const { database } = ledger;
  const letters = [readId("letter", named("tagged").id)];
  await addLetterTags(ledger, database, { letters, tags: ["hold"], by: "ann" });
  const group = uuidOf(readId("group", named("tagged group").group));
  await addGroupTags(ledger, database, { group, tags: ["legal"], by: "ann" });
  const say = (kind: string, saying: Omit<Parameters<typeof sayOfGroup>[2], "id" | "now">) =>
    sayOfGroup(ledger, tester, { id: named(kind).group, now, ...saying });
  await say("owned", { kind: "assigned", said: "ann" });
  await say("plain", { kind: "assigned", said: tester.id });
  await say("noted", { kind: "noted", text: "ask the vendor" });
  await say("snoozed", { kind: "snoozed", until: now + hourMs });
  await say("acknowledged", { kind: "acknowledged" });
}

/** A replay that sent the known letter, and during which it came into its group; and the version that consumes it now. Gives its id. */
export async function replayKnown({ ledger, named }: DiverseLetters): Promise<string> {
  const replay = "rpl_01JCQ8ZK4M6T8V0X2Z4B6D8F0H";
  const id = uuidOf(readId("replay", replay));
  const letter = named("known");
  await run(
    ledger,
    `insert into @.replays (id, state, name, query, requested_by, expires_at, policy_hash, plan_hash, limits, approvals_needed,
       approver_roles, started_at, ended_at)
     values ($1, 'finished', 'r', '', 'ann', now(), '', '', '{}', 0, '{}', $2, $3)`,
    ...[id, new Date(now - 3 * hourMs).toISOString(), new Date(now).toISOString()],
  );
  await run(
    ledger,
    `insert into @.replay_items (replay_id, n, letter_id, decision, reason, details, source, destination, revision, strip)
     values ($1, 1, $2, 'skip', 'test', '{}', 'kafka', null, 0, '{}')`,
    ...[id, uuidOf(readId("letter", letter.id))],
  );
  const group = uuidOf(readId("group", letter.group));
  await run(ledger, "insert into @.replay_groups (replay_id, group_id) values ($1, $2)", id, group);
  await run(
    ledger,
    `insert into @.deploys (id, service, version, deployed_at, queues, schemas, recorded_by)
     values ($1, 'shop', '2.15.0', now(), '{orders}', '[]', 'ann')`,
    id,
  );
  return replay;
}

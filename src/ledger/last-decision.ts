import { readId, uuidOf } from "../domain/ids.ts";
import type { LetterState } from "../domain/letter.ts";
import type { Ledger } from "./ledger.ts";
import { clocksDifferByMs, firstEntrySince } from "./read-audit.ts";

/** What somebody decided about a letter, as they said it. */
export interface PastDecision {
  readonly at: string;
  readonly by: string;
  /** As the audit log calls it. */
  readonly action: string;
  readonly reason: string | null;
  /** A ticket, a link: whatever it can be found by. */
  readonly reference: string | null;
}

/** The entries that bring a letter into a state, of which the last is the one that holds. */
const actionsInto: Partial<Readonly<Record<LetterState, readonly string[]>>> = {
  dropped: ["letters.dropped", "letters.given_back", "letters.giving_back"],
  compensated: ["letters.compensated"],
  escalated: ["letters.escalated"],
};

/** More entries than that within the hours in which it can stand would make a page slow, and the log itself has it still. */
const lookedAtMost = 10_000;

/**
 * Who decided what a letter is now, and why; null where nobody did, or it is not found. The log has no index by letter: it was
 * written when the letter last changed, give or take what clocks differ, and there it is looked for.
 */
export async function lastDecision(
  ledger: Ledger,
  { id, state }: { readonly id: string; readonly state: LetterState },
): Promise<PastDecision | null> {
  const actions = actionsInto[state];
  if (actions === undefined) return null;
  const { database, at } = ledger;
  const first = await firstEntrySince(ledger, (await changedAt(ledger, id)) - clocksDifferByMs);
  const { rows } = await database.query<{ entry: string }>(
    `select text as entry from (
       select n, convert_from(entry, 'UTF8') as text from ${at}.audit_log where n >= $1 order by n limit ${lookedAtMost}
     ) near where position($2 in text) > 0 and text::jsonb -> 'letters' @> to_jsonb($2::text)
       and text::jsonb ->> 'action' = any ($3::text[])
     order by n desc limit 1`,
    [first, id, actions],
  );
  return rows[0] === undefined ? null : decisionIn(rows[0].entry);
}

async function changedAt({ database, at }: Ledger, id: string): Promise<number> {
  const { rows } = await database.query<{ changed_at: Date }>(`select changed_at from ${at}.letters where id = $1`, [
    uuidOf(readId("letter", id)),
  ]);
  return rows[0]?.changed_at.getTime() ?? 0;
}

interface WrittenDecision {
  readonly at: string;
  readonly actor: { readonly id: string };
  readonly action: string;
  readonly reason?: string | null;
  readonly reference?: string | null;
}

function decisionIn(entry: string): PastDecision {
  const { at, actor, action, reason = null, reference = null } = JSON.parse(entry) as WrittenDecision;
  return { at, by: actor.id, action, reason, reference };
}

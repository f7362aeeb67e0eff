import type { Queries } from "../domain/database.ts";
import { hexOf, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import { fingerprintBytes } from "./letter-rows.ts";
import type { NewLetter } from "./new-letter.ts";
import type { PlacedLetter } from "./place-letters.ts";

/** Makes the groups that are not there yet, in one order for all. Gives what remembers them once that is committed. */
export async function noteGroups(
  { at, seen }: Ledger,
  transaction: Queries,
  placed: readonly PlacedLetter[],
): Promise<() => void> {
  const first = new Map<Uint8Array, PlacedLetter>();
  for (const each of placed) if (!first.has(each.groupId)) first.set(each.groupId, each);
  const fresh = new Map<string, PlacedLetter>();
  for (const each of first.values()) {
    const id = hexOf(each.groupId);
    if (!seen.has(`group ${id}`) && !fresh.has(id)) fresh.set(id, each);
  }
  const sorted = [...fresh].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  if (sorted.length > 0) {
    await transaction.query(
      `insert into ${at}.groups (id, source, queue, fingerprint, title, error_class, category, first_letter_id)
       select g.id, g.source, g.queue, decode(g.fingerprint, 'hex'), g.title, nullif(g.error_class, ''), g.category, g.letter
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[])
         as g (id, source, queue, fingerprint, title, error_class, category, letter)
       on conflict do nothing`,
      [
        sorted.map(({ groupId }) => uuidOf(groupId)),
        sorted.map(({ letter }) => letter.source),
        sorted.map(({ letter }) => letter.queue),
        sorted.map(({ letter }) => hexOf(fingerprintBytes(letter.fingerprint.id))),
        sorted.map(({ letter }) => titleOf(letter)),
        sorted.map(({ letter }) => letter.error.class ?? ""),
        sorted.map(({ letter }) => letter.classification.category),
        sorted.map(({ letter }) => uuidOf(letter.id)),
      ],
    );
  }
  return () => seen.add([...fresh.keys()].map((id) => `group ${id}`));
}

/** What its letters have in common, as the fingerprint compared it. */
function titleOf({ fingerprint, error }: NewLetter): string {
  const part = (name: string) => fingerprint.parts.find((each) => each.name === name)?.value ?? "";
  const [kind, message] = [part("class") || (error.class ?? ""), part("message")];
  const title = [kind, message].filter((text) => text !== "").join(": ");
  return (title || part("code") || part("place") || "no error was given").replaceAll("\0", "\u2400").slice(0, 500);
}

/** Queues are noted as they are met, so that lists of them need not look through letters. */
export async function noteQueues(
  { at, seen }: Ledger,
  transaction: Queries,
  letters: readonly NewLetter[],
): Promise<() => void> {
  const fresh = new Map<string, NewLetter>();
  for (const letter of letters) {
    const name = `queue ${letter.source}/${letter.queue}`;
    if (!seen.has(name)) fresh.set(name, letter);
  }
  const sorted = [...fresh].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, letter]) => letter);
  if (sorted.length > 0) {
    await transaction.query(
      `insert into ${at}.queues (source, queue, broker)
       select * from unnest($1::text[], $2::text[], $3::text[]) on conflict do nothing`,
      [sorted.map(({ source }) => source), sorted.map(({ queue }) => queue), sorted.map(({ broker }) => broker)],
    );
  }
  return () => seen.add([...fresh.keys()]);
}

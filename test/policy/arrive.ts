import type { Category } from "../../src/domain/classification.ts";
import { makeId } from "../../src/domain/ids.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";
import { acceptDuplicatesIn } from "../replay/world.ts";

interface Failed {
  readonly queue: string;
  readonly category: Category;
  /** How long ago it failed by its own word; null where only its arrival is known. */
  readonly agoMs: number | null;
  readonly schema?: string;
  /** Its idempotency key. */
  readonly key?: string;
  /** How long ago it came. @default just now */
  readonly arrivedAgoMs?: number;
}

/** Holds a letter of that category, whatever it would be taken for. */
export async function arrive(
  ledger: Ledger,
  { queue, category, agoMs, schema, key, arrivedAgoMs = 0 }: Failed,
): Promise<Uint8Array> {
  const arrivedAt = Date.now() - arrivedAgoMs;
  const id = makeId(arrivedAt, crypto.randomUUID());
  const base = testRoom();
  const room = {
    ...base,
    read: (letter: Parameters<typeof base.read>[0]) => ({
      ...base.read(letter),
      ...{ schema: schema ?? null, lastFailedAt: agoMs === null ? null : Date.now() - agoMs },
    }),
    triage: { ...base.triage, classify: () => ({ ...base.triage.classify({ ownWord: null } as never), category }) },
    newLetterId: () => ({ id, arrivedAt }),
  };
  const headers = { queue, class: "Bug", ...(schema === undefined ? {} : { "dlo-schema": schema }) };
  const keyed = key === undefined ? headers : { ...headers, "idempotency-key": key };
  const found = { kind: "delivery", session: makeId(1, crypto.randomUUID()), ordinal: 0, redelivered: false } as const;
  await acceptDuplicatesIn(ledger, queue);
  await hold(ledger, [{ letter: deadLetter({ body: "{}", headers: keyed }), found }], { room });
  return id;
}

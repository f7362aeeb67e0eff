import { makeId } from "../src/domain/ids.ts";
import { type Ledger, makeReadyFor } from "../src/ledger/ledger.ts";
import * as rows from "../src/ledger/letter-rows.ts";
import { holdBatch } from "../src/office/intake/hold-batch.ts";
import { benchActor, benchRoom, foundLetters } from "./ledger-intake.ts";

const dayMs = 86_400_000;
/** Over so long the letters have come: thirteen weeks, and as many partitions. */
const spanMs = 90 * dayMs;
const batchSize = 500;
/** So many come by the intake; the rest are copies of them, with ids of their own. */
export const heldLetters = 50_000;

/** Fills a ledger, and leaves it as a server does that has been running. */
export async function fillLedger(ledger: Ledger, letters: number): Promise<void> {
  const now = Date.now();
  for (let ago = 0; ago <= spanMs; ago += 7 * dayMs) await makeReadyFor(ledger, now - ago);
  const held = Math.min(letters, heldLetters);
  for (let first = 0; first < held; first += batchSize) {
    const numbers = Array.from({ length: Math.min(batchSize, held - first) }, (_, n) => first + n);
    await hold(ledger, numbers, (n) => now - spanMs + (n / held) * spanMs);
  }
  const copies = Math.ceil(letters / held) - 1;
  for (let copy = 1; copy <= copies; copy++) await copyAll(ledger, copy);
  await countCopies(ledger, copies);
  await settle(ledger);
}

async function hold(ledger: Ledger, numbers: readonly number[], arrivalOf: (n: number) => number): Promise<void> {
  const arrivals = numbers.map((n) => Math.floor(arrivalOf(n)));
  const newLetterId = () => {
    const arrivedAt = arrivals.shift() ?? 0;
    // The four digits that a copy's number replaces.
    const chance = crypto.randomUUID().replaceAll("-", "").slice(-16).padStart(20, "0");
    return { id: makeId(arrivedAt, chance), arrivedAt };
  };
  const letters = await foundLetters({ ...benchRoom, newLetterId }, numbers);
  await holdBatch(ledger, { letters, actor: benchActor, now: Date.now(), by: "import", session: null });
}

/** Copies what the intake wrote, table by table, with all its columns. */
async function copyAll({ database, at }: Ledger, copy: number): Promise<void> {
  const own = (id: string) =>
    `(substr(${id}::text, 1, 14) || lpad(to_hex(${copy}), 4, '0') || substr(${id}::text, 19))::uuid`;
  for (const table of [rows.letterColumns, rows.bodyColumns, rows.classificationColumns]) {
    const [, name = "", id = "", others = ""] = /^(\w+) \((\w+), (.*)\)$/s.exec(table) ?? [];
    await database.query(
      `insert into ${at}.${name} (${id}, ${others}) select ${own(id)}, ${others} from ${at}.${name} where ${isHeld(id)}`,
      [],
    );
  }
}

async function countCopies({ database, at }: Ledger, copies: number): Promise<void> {
  await database.query(
    `insert into ${at}.counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at)
     select group_id, source, queue, category, state, count(*) * $1, count(*) * $1, date_trunc('hour', arrived_at),
       min(arrived_at)
     from ${at}.letters where ${isHeld("id")} and $1 > 0 group by 1, 2, 3, 4, 5, 8`,
    [copies],
  );
}

/** Whether it came by the intake. */
const isHeld = (id: string) => `substr(${id}::text, 15, 4) = '0000'`;

/** Counters are added up, and the tables vacuumed: what a server's own upkeep does within minutes. */
async function settle({ database, at }: Ledger): Promise<void> {
  for (let taken = 1; taken > 0; ) {
    const { rows: folded } = await database.query<{ taken: number }>(`select ${at}.fold_counters(100000) as taken`, []);
    taken = folded[0]?.taken ?? 0;
  }
  const tables = ["letters", "bodies", "classifications", "groups", "group_hours", "counters", "counter_deltas"];
  for (const table of tables) await database.query(`vacuum (analyze) ${at}.${table}`);
}

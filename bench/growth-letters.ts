import { makeId } from "../src/domain/ids.ts";
import { type Ledger, makeReadyFor } from "../src/ledger/ledger.ts";
import * as rows from "../src/ledger/letter-rows.ts";
import { holdBatch } from "../src/office/intake/hold-batch.ts";
import { benchActor, benchRoom, foundLetters } from "./ledger-intake.ts";

const dayMs = 86_400_000;
/** Over so long the letters have come: thirteen weeks, and as many partitions. */
const spanMs = 90 * dayMs;
/** What is older is settled, but for one in so many that somebody forgot. */
const settled = { afterDays: 14, butOneIn: 50 };
const batchSize = 500;
/** So many come by the intake; the rest are copies of them, with ids of their own. */
export const heldLetters = 50_000;

/** Fills a ledger, `most` of it by the intake, and leaves it as a server does that has been running. */
export async function fillLedger(ledger: Ledger, letters: number, most = heldLetters): Promise<void> {
  const now = Date.now();
  for (let ago = 0; ago <= spanMs; ago += 7 * dayMs) await makeReadyFor(ledger, now - ago);
  const held = Math.min(letters, most);
  for (let first = 0; first < held; first += batchSize) {
    const numbers = Array.from({ length: Math.min(batchSize, held - first) }, (_, n) => first + n);
    await hold(ledger, numbers, (n) => now - spanMs + (n / held) * spanMs);
  }
  await settleOld(ledger);
  const copies = Math.ceil(letters / held) - 1;
  if (copies > 0) await copyHeld(ledger, copies);
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

async function settleOld({ database, at }: Ledger): Promise<void> {
  const { afterDays, butOneIn } = settled;
  await database.query(
    `with moved as (
       update ${at}.letters set state = 'resolved'
       where arrived_at < now() - $1 * interval '1 day' and hashtext(id::text) % $2 <> 0
       returning group_id, source, queue, category
     )
     insert into ${at}.counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at)
     select m.group_id, m.source, m.queue, m.category, s.state, count(*) * s.sign, 0, now(), now()
     from moved m cross join (values ('open', -1), ('resolved', 1)) as s (state, sign) group by 1, 2, 3, 4, 5, s.sign`,
    [afterDays, butOneIn],
  );
}

/** Copies what the intake wrote, table by table, with all its columns. On one connection: the patterns are its own. */
async function copyHeld(ledger: Ledger, copies: number): Promise<void> {
  const { database, at } = ledger;
  await countCopies(ledger, copies);
  for (const columns of [rows.letterColumns.replace(")", ", state)"), rows.bodyColumns, rows.classificationColumns]) {
    const [, name = "", id = "", others = ""] = /^(\w+) \((\w+), (.*)\)$/s.exec(columns) ?? [];
    await database.query(`create temp table pattern as select ${id}, ${others} from ${at}.${name}`);
    for (let copy = 1; copy <= copies; copy++) {
      const own = `substr(${id}::text, 1, 14) || lpad(to_hex($1::integer), 4, '0') || substr(${id}::text, 19)`;
      const copied = `insert into ${at}.${name} (${id}, ${others}) select (${own})::uuid, ${others} from pattern`;
      await database.query(copied, [copy]);
    }
    await database.query("drop table pattern");
  }
}

async function countCopies({ database, at }: Ledger, copies: number): Promise<void> {
  await database.query(
    `insert into ${at}.counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at)
     select group_id, source, queue, category, state, count(*) * $1, count(*) * $1, date_trunc('hour', arrived_at),
       min(arrived_at)
     from ${at}.letters group by 1, 2, 3, 4, 5, 8`,
    [copies],
  );
}

/** Counters are added up, and the tables vacuumed: what a server's own upkeep does within minutes. */
async function settle({ database, at }: Ledger): Promise<void> {
  for (let taken = 1; taken > 0; ) {
    const { rows: folded } = await database.query<{ taken: number }>(`select ${at}.fold_counters(100000) as taken`, []);
    taken = folded[0]?.taken ?? 0;
  }
  const tables = ["letters", "bodies", "classifications", "groups", "group_hours", "counters", "counter_deltas"];
  for (const table of tables) await database.query(`vacuum (analyze) ${at}.${table}`);
}

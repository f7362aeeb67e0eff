import type { Queries } from "../../domain/database.ts";
import type { Ledger } from "../ledger.ts";

export interface BackupTable {
  readonly name: string;
  /** Those that are not computed. */
  readonly columns: readonly string[];
}

/** What a consumer keeps in the same schema is its own: put back, it would be worked on again. */
const ofConsumers = [
  "messages",
  "inbox",
  "shared_documents",
  "outbox",
  "outbox_sent",
  "lane_places",
  "lane_copies",
  "lane_passes",
];

/** What lets somebody in, or only held for a moment. A backup is read by more people than an office lets in. */
const notKept = [
  "configured_people",
  "sessions",
  "tokens",
  "invitations",
  "terminal_codes",
  "pending_sign_ins",
  "logout_messages",
  "sign_in_tries",
  "answered_requests",
  "probes",
  "onlookers",
  "migrations",
  "processes",
];

/** The ledger's tables, those that others refer to first. By the catalogue: a table that is new is not forgotten. */
export async function backupTables({ at }: Ledger, queries: Queries): Promise<readonly BackupTable[]> {
  const { rows } = await queries.query<BackupTable & { readonly needs: readonly string[] }>(
    `select c.relname::text as name,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       array(select f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
         where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
     from pg_class c where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all ($2::text[]) order by c.relname`,
    [at, [...ofConsumers, ...notKept]],
  );
  return inOrder(rows);
}

function inOrder(tables: readonly (BackupTable & { readonly needs: readonly string[] })[]): readonly BackupTable[] {
  const ordered: BackupTable[] = [];
  const place = (table: (typeof tables)[number]) => {
    if (ordered.some(({ name }) => name === table.name)) return;
    for (const needed of tables.filter(({ name }) => table.needs.includes(name))) place(needed);
    ordered.push({ name: table.name, columns: table.columns });
  };
  for (const table of tables) place(table);
  return ordered;
}

import type { FieldName } from "../../domain/query/query-fields.ts";
import type { Ledger } from "../ledger.ts";
import type { SourceOwners } from "./compile-context.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** Where the names of a field are listed, as rows `n (name, source, queue)`; other fields have no short list. */
const lists: Readonly<Partial<Record<FieldName, (at: string) => string>>> = {
  queue: (at) => `select r.queue, r.source, r.queue from ${at}.queues r`,
  source: (at) => `select r.source, r.source, r.queue from ${at}.queues r`,
  broker: (at) => `select r.broker, r.source, r.queue from ${at}.queues r`,
  class: (at) => `select r.error_class, r.source, r.queue from ${at}.groups r`,
  owner: assigned,
  assignee: assigned,
};

function assigned(at: string): string {
  return `select w.said, r.source, r.queue from ${at}.group_words w join ${at}.groups r on r.id = w.group_id where w.kind = 'assigned'`;
}

const atMost = 10_000;

/** Names of a field that letters seen through this ledger have, to guess what was meant by one that none has. */
export async function namesInScope(
  ledger: Ledger,
  field: FieldName,
  owners: SourceOwners | null,
): Promise<readonly string[]> {
  if (field === "tag") return tagsInScope(ledger);
  const list = lists[field];
  if (list === undefined) return [];
  const parameters = new Parameters();
  const { rows } = await ledger.database.query<{ name: string }>(
    `select distinct n.name from (${list(ledger.at)}) as n (name, source, queue)
     where n.name is not null and ${withinScope(ledger, parameters, "n")} order by 1 limit ${parameters.add(atMost)}`,
    parameters.values,
  );
  const names = rows.map(({ name }) => name);
  if (field !== "owner" || owners === null) return names;
  // Sources that can be seen: whoever owns another one is nobody's to know.
  const sources = await namesInScope(ledger, "source", null);
  return [...names, ...sources.flatMap((source) => owners.get(source) ?? [])];
}

const tagsAtMost = 1_000;
/** Of each tag: whether somebody may know it is told by these. */
const lettersOfTag = 100;

/** From one tag to the next, each by one look into the index, however many letters have it. */
async function tagsInScope(ledger: Ledger): Promise<readonly string[]> {
  const { at, database, scope } = ledger;
  const parameters = new Parameters();
  const seen = (table: string, key: string, of: string) =>
    scope.length === 0
      ? "true"
      : `exists (select from (select f.${key} from ${at}.${table}_tags f where f.tag = n.tag limit ${lettersOfTag}) f
          join ${at}.${of} r on r.id = f.${key} where ${withinScope(ledger, parameters, "r")})`;
  const next = (table: string) =>
    `select n.tag from (
       with recursive tags (tag) as (
         (select min(tag) from ${at}.${table}_tags) union all
         select (select min(x.tag) from ${at}.${table}_tags x where x.tag > tags.tag) from tags where tags.tag is not null
       ) select tag from tags where tag is not null limit ${tagsAtMost}
     ) n where ${table === "letter" ? seen("letter", "letter_id", "letters") : seen("group", "group_id", "groups")}`;
  const { rows } = await database.query<{ tag: string }>(
    `${next("letter")} union ${next("group")} order by 1`,
    parameters.values,
  );
  return rows.map(({ tag }) => tag);
}

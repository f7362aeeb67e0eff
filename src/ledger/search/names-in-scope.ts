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
  tag: (at) =>
    `select t.tag, r.source, r.queue from ${at}.letter_tags t join ${at}.letters r on r.id = t.letter_id
     union all select t.tag, r.source, r.queue from ${at}.group_tags t join ${at}.groups r on r.id = t.group_id`,
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

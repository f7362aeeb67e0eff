import type { Term, Value } from "../../domain/query/query.ts";
import { wire } from "../../domain/wire.ts";
import { silentS } from "../consumers.ts";
import { type CompileContext, requireBound } from "./compile-context.ts";

/** `version:<2.15.0`: the version of the consumer that it failed in, as our runtime writes it on a letter. */
export function matchesVersion(value: Value, term: Term, context: CompileContext): string {
  requireBound(term, context, "`version:`");
  const { at, parameters } = context;
  const header = parameters.add(wire.consumer);
  const version = `substring(found.text from '"version"\\s*:\\s*"([^"\\\\]*)"')`;
  return `exists (select from ${at}.bodies b cross join lateral ${at}.header_texts(b.headers, ${header}::text) as found (text)
    where b.letter_id = l.id and ${compares(version, value, term, context)})`;
}

/** `deployed:>=2.15.0`: a version that is at work on its queue, as consumers report it; where none does, the one recorded last. */
export function matchesDeployed(value: Value, term: Term, context: CompileContext): string {
  const { at } = context;
  const working = `c.last_seen_at > ${at}.clock() - ${silentS} * interval '1 s'`;
  return `((l.source, l.queue) in (select c.source, c.queue from ${at}.consumers c where ${working} and ${compares("c.version", value, term, context)})
    or (l.queue in (
      select d.queue from (
        select distinct on (q.queue, r.service) q.queue, r.version from ${at}.deploys r cross join lateral unnest(r.queues) as q (queue)
        order by q.queue, r.service, r.deployed_at desc
      ) d where ${compares("d.version", value, term, context)}
    ) and not exists (select from ${at}.consumers c where c.source = l.source and c.queue = l.queue and ${working})))`;
}

function compares(version: string, value: Value, { comparison }: Term, { parameters }: CompileContext): string {
  const wanted = (text: string) => inOrder(`${parameters.add(text)}::text`);
  const own = inOrder(version);
  if (value.kind === "range") return `${own} between ${wanted(value.from)} and ${wanted(value.to)}`;
  return `${own} ${comparison} ${wanted(value.text)}`;
}

/** Three numbers, and whether it is a release: those that come before it sort before it. Null for what is no version. */
function inOrder(version: string): string {
  const numbers = `substring(${version} || '.0.0' from '^[vV]?(\\d{1,9}\\.\\d{1,9}\\.\\d{1,9})')`;
  return `(string_to_array(${numbers}, '.')::integer[] || (${version} !~ '^[vV]?[0-9.]+-')::integer)`;
}

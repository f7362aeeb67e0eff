import { isOfficeError } from "../../domain/errors.ts";
import { type IdKind, idPrefixes, readId, uuidOf } from "../../domain/ids.ts";
import { type LetterState, openStates } from "../../domain/letter.ts";
import type { Comparison, Term, Value } from "../../domain/query/query.ts";
import type { FieldName, queryFields } from "../../domain/query/query-fields.ts";
import { queryProblem } from "../../domain/query/query-problem.ts";
import { durationValue, numberValue, sizeValue, timeValue } from "../../domain/query/query-values.ts";
import { isPattern, valueText } from "../../domain/query/value-text.ts";
import { cameMeanwhile } from "./came-meanwhile.ts";
import type { CompileContext } from "./compile-context.ts";
import { matchingNames, type NamedField } from "./known-names.ts";
import { likePattern } from "./like-pattern.ts";
import { type AttendedKind, attendedKindOf, matchesAttention } from "./match-attention.ts";
import { matchesBody, matchesHeader } from "./match-content.ts";
import { matchesAssignee, matchesNote, matchesOwner, matchesTag } from "./match-marks.ts";
import { matchesDeployed, matchesVersion } from "./match-version.ts";
import { matchesKey, matchesWords } from "./match-words.ts";
import { cameBackAs } from "./outcome-matrix.ts";

type Compile = (value: Value, term: Term, context: CompileContext) => string;

/** How each field is looked up: every one there is. */
const fields: Readonly<Record<FieldName, Compile>> = {
  category: column("l.category"),
  was: column("l.was"),
  state: column("l.state"),
  outcome: compileOutcome,
  is: compileIs,
  has: compileHas,
  queue: nameIn("l.queue", "queue"),
  source: nameIn("l.source", "source"),
  broker: nameIn("l.broker", "broker"),
  class: nameIn("l.error_class", "class"),
  code: text("l.error_code"),
  consumer: text("l.consumer"),
  host: text("l.host"),
  partition: number("l.at_partition", numberValue),
  offset: number("l.at_offset", numberValue),
  type: text("l.type"),
  trace: text("l.trace"),
  key: (value, _term, context) => matchesKey(valueText(value), context),
  error: (value, _term, context) => matchesWords(value, "error", context),
  group: compileGroup,
  id: compileId,
  run: (value, term, context) =>
    `exists (select from ${context.at}.replay_items i where i.letter_id = l.id and i.replay_id = ${parameterOf(readIdValue(value, term, context, ["replay"]), context)})`,
  meanwhile: (value, term, context) =>
    `(${cameMeanwhile(context.at, `${parameterOf(readIdValue(value, term, context, ["replay"]), context)}::uuid`)})`,
  header: matchesHeader,
  body: matchesBody,
  version: matchesVersion,
  deployed: matchesDeployed,
  replay: compileReplay,
  owner: matchesOwner,
  tag: matchesTag,
  assignee: matchesAssignee,
  ctx: compileNamed,
  age: duration("l.failed_at"),
  idle: duration("l.changed_at"),
  expires: compileExpiry,
  // By id, which carries the time of arrival: only the partitions of that time are looked at.
  arrived: time("l.id", (moment, { at }) => `${at}.first_id_at(${moment})`),
  failed: time("l.failed_at", (moment) => moment),
  changed: time("l.changed_at", (moment) => moment),
  enqueued: time("l.enqueued_at", (moment) => moment),
  attempts: number("l.attempts", numberValue),
  replays: number("l.replays", numberValue),
  size: number("l.size_bytes", sizeValue),
  confidence: number("l.confidence", numberValue),
};

export function compileTerm(term: Term, context: CompileContext): string {
  const compile = fields[term.field];
  const any = term.values.map((value) => compile(value, term, context));
  return any.length === 1 ? (any[0] ?? "true") : `(${any.join(" or ")})`;
}

/** Of a choice: the parser has made words of every pattern. */
function column(name: string): Compile {
  return (value, _term, { parameters }) => `${name} = ${parameters.add(valueText(value).toLowerCase())}`;
}

/** In any case, among the names there are: what is compared with letters is then exact, and indexed. */
function nameIn(name: string, field: NamedField): Compile {
  return (value, _term, { known, parameters }) => {
    const found = matchingNames(known.get(field) ?? [], valueText(value), isPattern(value));
    if (found.length === 0) return "false";
    // One value rather than a list of one: the letters of an index are then in the order of a page.
    return found.length === 1
      ? `${name} = ${parameters.add(found[0])}`
      : `${name} = any (${parameters.add(found)}::text[])`;
  };
}

function text(name: string): Compile {
  return (value, _term, { parameters }) =>
    isPattern(value)
      ? `lower(${name}) like ${parameters.add(likePattern(valueText(value).toLowerCase()))}`
      : `lower(${name}) = ${parameters.add(valueText(value).toLowerCase())}`;
}

/** How each word of `is:` is looked up that is neither a state nor about people's words on groups. */
const ways: Readonly<Record<Exclude<IsWord, LetterState | AttendedKind>, (context: CompileContext) => string>> = {
  "past-ttl": (context) => `(l.expires_at is not null and l.expires_at <= ${moment(context.now, context)})`,
  "probable-repeat": ({ at }) => `exists (select from ${at}.probable_repeats r where r.letter_id = l.id)`,
  inbox: ({ parameters }) => `l.state = any (${parameters.add([...openStates])}::text[])`,
};

type IsWord = (typeof queryFields)["is"]["of"][number];

function compileIs(value: Value, term: Term, context: CompileContext): string {
  // The parser lets through no word that the field does not have.
  const wanted = valueText(value).toLowerCase() as IsWord;
  const attended = attendedKindOf(term, value);
  if (attended !== null) return matchesAttention(attended, term, context);
  if (Object.hasOwn(ways, wanted)) return ways[wanted as keyof typeof ways](context);
  return `l.state = ${context.parameters.add(wanted)}`;
}

/** How each of the things is looked up that a letter may have. */
const things: Readonly<Record<Thing, (context: CompileContext) => string>> = {
  edit: ({ at }) => `exists (select from ${at}.edits e where e.letter_id = l.id)`,
  note: matchesNote,
  trace: () => "l.trace is not null",
  key: () => "l.key is not null",
  stack: ({ at }) => `exists (select from ${at}.bodies b where b.letter_id = l.id and b.stack_id is not null)`,
  cut: ({ at }) => `exists (select from ${at}.bodies b where b.letter_id = l.id and b.cut is not null)`,
};

type Thing = (typeof queryFields)["has"]["of"][number];

function compileHas(value: Value, _term: Term, context: CompileContext): string {
  // The parser lets through no word that the field does not have.
  return things[valueText(value).toLowerCase() as Thing](context);
}

/** As somebody judged it for this search: that is not in the ledger. */
function compileReplay(
  value: Value,
  { at, length }: Term,
  { judged, parameters, text: whole }: CompileContext,
): string {
  if (judged === null) {
    const message = "`replay:` cannot be searched for here.";
    throw queryProblem({ text: whole, at, length, message, hint: "Ask for it where letters or groups are listed." });
  }
  return `l.id = any (${parameters.add(judged.get(valueText(value).toLowerCase()) ?? [])}::uuid[])`;
}

/** What became of its last replay: what it came back as, or where it stands. */
function compileOutcome(value: Value, _term: Term, { parameters, at }: CompileContext): string {
  const wanted = parameters.add(valueText(value).toLowerCase());
  const became = `case l.state when 'returned' then ${cameBackAs(at)} else l.state end`;
  return `(l.replays > 0 and ${became} = ${wanted})`;
}

function compileNamed(value: Value, term: Term, context: CompileContext): string {
  if (term.path?.toLowerCase() === "tenant") return text("l.tenant")(value, term, context);
  throw queryProblem({
    text: context.text,
    at: term.at,
    length: term.length,
    message: `The ledger keeps no name "${term.path}".`,
    hint: "It keeps ctx.tenant.",
  });
}

/** As a UUID. */
function readIdValue(
  value: Value,
  { at, length }: Term,
  { text: whole }: CompileContext,
  of: readonly IdKind[],
): string {
  const given = valueText(value);
  const kind = of.find((each) => given.startsWith(`${idPrefixes[each]}_`));
  try {
    if (kind !== undefined) return uuidOf(readId(kind, given));
  } catch (error) {
    if (!isOfficeError(error)) throw error;
  }
  const forms = of.map((each) => `${idPrefixes[each]}_…`).join(" or ");
  throw queryProblem({
    text: whole,
    at,
    length,
    message: `"${given}" is not an id.`,
    hint: `Ids here are ${forms}, with 26 characters.`,
  });
}

function compileId(value: Value, term: Term, context: CompileContext): string {
  if (valueText(value).startsWith(`${idPrefixes.group}_`)) return compileGroup(value, term, context);
  return `l.id = ${parameterOf(readIdValue(value, term, context, ["letter", "group"]), context)}`;
}

/** By one id where that is enough: the index then has the letters in the order of a page. */
function compileGroup(value: Value, term: Term, context: CompileContext): string {
  const groups = context.names.holding(readIdValue(value, term, context, ["group"]));
  const [only] = groups;
  if (only !== undefined && groups.length === 1) return `l.group_id = ${parameterOf(only, context)}`;
  return `l.group_id = any (${context.parameters.add(groups)}::uuid[])`;
}

const parameterOf = (uuid: string, { parameters }: CompileContext) => `${parameters.add(uuid)}::uuid`;

function number(name: string, read: (text: string) => number | undefined): Compile {
  return (value, { comparison }, { parameters }) => {
    const add = (given: string) => `${parameters.add(read(given) ?? 0)}::float8`;
    if (value.kind === "range") return `${name} between ${add(value.from)} and ${add(value.to)}`;
    return `${name} ${comparison} ${add(value.text)}`;
  };
}

/** The longer ago, the earlier: the comparison turns round. */
const turned: Readonly<Record<Comparison, string>> = { "=": "<=", ">": "<", ">=": "<=", "<": ">", "<=": ">=" };

function moment(time: number, { parameters }: CompileContext): string {
  return `${parameters.add(new Date(time).toISOString())}::timestamptz`;
}

/** Time since `name`. `age:1h` alone means at least that. */
function duration(name: string): Compile {
  return (value, { comparison }, context) => {
    const ago = (given: string) => moment(context.now - (durationValue(given) ?? 0), context);
    if (value.kind === "range") return `${name} between ${ago(value.to)} and ${ago(value.from)}`;
    return `${name} ${turned[comparison]} ${ago(value.text)}`;
  };
}

/** Time until the letter is past retention, which counts from its arrival. */
function compileExpiry(value: Value, { comparison }: Term, context: CompileContext): string {
  const arrival = (given: string) => moment(context.now + (durationValue(given) ?? 0) - context.retentionMs, context);
  if (value.kind === "range") return `l.arrived_at between ${arrival(value.from)} and ${arrival(value.to)}`;
  return `l.arrived_at ${comparison === "=" ? "<=" : comparison} ${arrival(value.text)}`;
}

/** Compares a column with moments, which `as` turns into what the column holds. */
function time(name: string, as: (moment: string, context: CompileContext) => string): Compile {
  return (value, { comparison }, context) => {
    const bound = (ms: number) => as(moment(ms, context), context);
    const at = (given: string) => timeValue(given, context.now) ?? 0;
    if (value.kind === "range") return `(${name} >= ${bound(at(value.from))} and ${name} < ${bound(at(value.to))})`;
    const given = valueText(value);
    const afterwards = at(given) + spanOf(given);
    switch (comparison) {
      case ">":
        return `${name} >= ${bound(afterwards)}`;
      case ">=":
        return `${name} >= ${bound(at(given))}`;
      case "<":
        return `${name} < ${bound(at(given))}`;
      case "<=":
        return `${name} < ${bound(afterwards)}`;
      case "=":
        return `(${name} >= ${bound(at(given))} and ${name} < ${bound(afterwards)})`;
    }
  };
}

const dayMs = 86_400_000;

/** How long the moment lasts that is written so: a day is a day, an hour an hour, a minute a minute. */
function spanOf(given: string): number {
  if (/^\d{4}-\d{2}-\d{2}$/.test(given)) return dayMs;
  if (/T\d{2}$/i.test(given)) return 3_600_000;
  if (/T\d{2}:\d{2}(?!:)/i.test(given)) return 60_000;
  return 1_000;
}

import { isOfficeError } from "../../domain/errors.ts";
import { type IdKind, idPrefixes, readId, uuidOf } from "../../domain/ids.ts";
import { openStates } from "../../domain/letter.ts";
import type { Comparison, Term, Value } from "../../domain/query/query.ts";
import { queryProblem } from "../../domain/query/query-problem.ts";
import { durationValue, numberValue, sizeValue, timeValue } from "../../domain/query/query-values.ts";
import { cameMeanwhile } from "./came-meanwhile.ts";
import type { CompileContext } from "./compile-context.ts";
import { matchingNames, type NamedField } from "./known-names.ts";
import { likePattern } from "./like-pattern.ts";
import { attendedKindOf, matchesAttention } from "./match-attention.ts";
import { matchesBody, matchesHeader } from "./match-content.ts";
import { matchesDeployed, matchesVersion } from "./match-version.ts";
import { matchesKey, matchesWords } from "./match-words.ts";
import { cameBackAs } from "./outcome-matrix.ts";

type Compile = (value: Value, term: Term, context: CompileContext) => string;

/** How each field is looked up. What has no place in the ledger yet is found on no letter. */
const fields: Readonly<Record<string, Compile>> = {
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
  type: text("l.type"),
  trace: text("l.trace"),
  key: (value, _term, context) => matchesKey(textOf(value), context),
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
  owner: () => "false",
  tag: () => "false",
  assignee: compileAssignee,
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
  if (compile === undefined) {
    throw queryProblem({
      text: context.text,
      at: term.at,
      length: term.length,
      message: `\`${term.field}:\` cannot be searched for in this version.`,
      hint: "Leave it out of the search.",
    });
  }
  const any = term.values.map((value) => compile(value, term, context));
  return any.length === 1 ? (any[0] ?? "true") : `(${any.join(" or ")})`;
}

function textOf(value: Value): string {
  return value.kind === "range" ? `${value.from}..${value.to}` : value.text;
}

function isPattern(value: Value): boolean {
  return value.kind === "word" && value.text.includes("*");
}

function column(name: string): Compile {
  return (value, _term, { parameters }) =>
    isPattern(value)
      ? `${name} like ${parameters.add(likePattern(textOf(value).toLowerCase()))}`
      : `${name} = ${parameters.add(textOf(value).toLowerCase())}`;
}

/** In any case, among the names there are: what is compared with letters is then exact, and indexed. */
function nameIn(name: string, field: NamedField): Compile {
  return (value, _term, { known, parameters }) => {
    const found = matchingNames(known.get(field) ?? [], textOf(value), isPattern(value));
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
      ? `lower(${name}) like ${parameters.add(likePattern(textOf(value).toLowerCase()))}`
      : `lower(${name}) = ${parameters.add(textOf(value).toLowerCase())}`;
}

function compileIs(value: Value, term: Term, context: CompileContext): string {
  const { parameters } = context;
  const wanted = textOf(value).toLowerCase();
  if (wanted === "inbox") return `l.state = any (${parameters.add([...openStates])}::text[])`;
  const attended = attendedKindOf(term, value);
  if (attended !== null) return matchesAttention(attended, term, context);
  return `l.state = ${parameters.add(wanted)}`;
}

function compileHas(value: Value, _term: Term, { at }: CompileContext): string {
  switch (textOf(value).toLowerCase()) {
    case "trace":
      return "l.trace is not null";
    case "key":
      return "l.key is not null";
    case "stack":
      return `exists (select from ${at}.bodies b where b.letter_id = l.id and b.stack_id is not null)`;
    case "cut":
      return `exists (select from ${at}.bodies b where b.letter_id = l.id and b.cut is not null)`;
    case "note":
      return `l.group_id in (select w.group_id from ${at}.group_words w where w.kind = 'noted')`;
    default:
      return "false";
  }
}

/** Who has its group, by what was said last. */
function compileAssignee(value: Value, term: Term, context: CompileContext): string {
  const attended = attendedKindOf(term, value);
  if (attended !== null) return matchesAttention(attended, term, context);
  const words = `${context.at}.group_words`;
  return `l.group_id in (
    select w.group_id from ${words} w where w.kind = 'assigned' and ${text("w.said")(value, term, context)}
      and not exists (select from ${words} o where o.group_id = w.group_id and o.kind = 'assigned' and o.n > w.n)
  )`;
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
  return `l.id = any (${parameters.add(judged.get(textOf(value).toLowerCase()) ?? [])}::uuid[])`;
}

/** What became of its last replay: what it came back as, or where it stands. */
function compileOutcome(value: Value, _term: Term, { parameters, at }: CompileContext): string {
  const wanted = parameters.add(textOf(value).toLowerCase());
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
  const given = textOf(value);
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
  if (textOf(value).startsWith(`${idPrefixes.group}_`)) return compileGroup(value, term, context);
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
    const given = textOf(value);
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

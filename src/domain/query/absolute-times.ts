import { type FieldName, queryFields } from "./query-fields.ts";
import { durationValue, timeValue } from "./query-values.ts";

/** Fields that count from now, and what holds the moment they count from. Retention is the office's, so `expires:` has none. */
const momentOf: Readonly<Partial<Record<FieldName, FieldName>>> = { age: "failed", idle: "changed" };

/** The longer ago, the earlier: the comparison turns round. Alone a duration means at least so long. */
const turned: Readonly<Record<string, string>> = { "": "<", ">": "<", ">=": "<", "<": ">=", "<=": ">=" };

const minuteMs = 60_000;

/** When the clocks somebody goes by show this: `2026-11-15T14:00:00`. */
type InstantOf = (wall: string) => number;

/**
 * A search as somebody typed it who goes by the clocks of a zone: times without one become moments, days and hours all of theirs.
 * Whoever reads it then finds the same, wherever they are.
 */
export function withInstants(q: string, instantOf: InstantOf): string {
  return replaceTerms(q, ({ field, comparison, values }) => {
    if (queryFields[field].kind !== "time") return null;
    return `${field}:${comparison}${values.map((value) => atInstant(value, comparison, instantOf)).join(",")}`;
  });
}

/** A search that finds tomorrow what it finds now: what counts from now becomes a moment. */
export function frozenAt(q: string, now: number): string {
  return replaceTerms(q, ({ field, comparison, values }) => {
    const all = values.map(ends);
    const moment = momentOf[field];
    if (moment !== undefined) {
      if (all.flat().some((ago) => durationValue(ago) === undefined)) return null;
      return `${moment}:${turned[comparison] ?? ""}${listed(all.map((range) => range.map((ago) => before(ago, now)).toReversed()))}`;
    }
    if (queryFields[field].kind !== "time") return null;
    return `${field}:${comparison}${listed(all.map((range) => range.map((end) => frozen(end, now))))}`;
  });
}

interface TimeTerm {
  readonly field: FieldName;
  readonly comparison: string;
  readonly values: readonly string[];
}

const value = String.raw`(?:"[^"\\]*"|[^\s(),"]+)`;
/** Whole terms, and what is quoted, in which nothing is a term. */
const termOrQuoted = new RegExp(
  String.raw`"(?:[^"\\]|\\.)*"|(?<=^|[\s(!-])([a-z]+):(>=|<=|>|<)?(${value}(?:,${value})*)`,
  "gi",
);

function replaceTerms(q: string, replace: (term: TimeTerm) => string | null): string {
  return q.replaceAll(
    termOrQuoted,
    (whole: string, name: string | undefined, comparison: string | undefined, list: string | undefined) => {
      const field = name?.toLowerCase() ?? "";
      if (!Object.hasOwn(queryFields, field)) return whole;
      const values = [...(list ?? "").matchAll(new RegExp(value, "g"))].map(([each]) => each.replaceAll('"', ""));
      return replace({ field: field as FieldName, comparison: comparison ?? "", values }) ?? whole;
    },
  );
}

/** Of a range both, otherwise the only one. */
function ends(text: string): readonly string[] {
  const [, from, to] = /^(.+?)\.\.(.+)$/.exec(text) ?? [];
  return from === undefined || to === undefined ? [text] : [from, to];
}

function atInstant(text: string, comparison: string, instantOf: InstantOf): string {
  const range = ends(text);
  if (range.length > 1) return range.map((end) => beginning(end, instantOf)).join("..");
  const next = nextWall(text);
  if (next === null || comparison === ">=" || comparison === "<") return beginning(text, instantOf);
  // A day of that zone is no day of UTC. A minute is one everywhere: what is after the last of a day is after the day.
  if (comparison === "") return `${beginning(text, instantOf)}..${shown(instantOf(next))}`;
  return shown(instantOf(next) - minuteMs);
}

const zoneFree = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2})(?::(\d{2})(?::(\d{2}(?:\.\d{1,3})?))?)?)?$/i;

/** The moment at which it begins; as it stands where it is one already, or none. */
function beginning(text: string, instantOf: InstantOf): string {
  const [, date, hour = "00", minute = "00", second] = zoneFree.exec(text) ?? [];
  if (date === undefined || timeValue(text, 0) === undefined) return text;
  return shown(instantOf(`${date}T${hour}:${minute}:${second ?? "00"}`), second);
}

/** Where a day or an hour ends, by the same clocks; null for what is neither. */
function nextWall(text: string): string | null {
  const [, date, hour, minute] = zoneFree.exec(text) ?? [];
  if (date === undefined || minute !== undefined || timeValue(text, 0) === undefined) return null;
  const stepMs = hour === undefined ? 24 * 60 * minuteMs : 60 * minuteMs;
  return new Date(Date.parse(`${date}T${hour ?? "00"}:00:00Z`) + stepMs).toISOString().slice(0, 19);
}

/** As exact as it was written: a minute without seconds means all of it. */
function shown(at: number, second?: string): string {
  const iso = new Date(at).toISOString();
  if (second === undefined) return `${iso.slice(0, 16)}Z`;
  return second.includes(".") ? iso : `${iso.slice(0, 19)}Z`;
}

function frozen(text: string, now: number): string {
  const at = /^now/i.test(text) ? timeValue(text, now) : undefined;
  return at === undefined ? text : shown(at, "00");
}

function before(ago: string, now: number): string {
  return shown(now - (durationValue(ago) ?? 0), "00");
}

/** As values are written: any of several, each perhaps a range. */
function listed(values: readonly (readonly string[])[]): string {
  return values.map((range) => range.join("..")).join(",");
}

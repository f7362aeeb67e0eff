import type { Term, Value } from "../../domain/query/query.ts";
import { queryProblem } from "../../domain/query/query-problem.ts";
import { isPattern, valueText } from "../../domain/query/value-text.ts";
import type { CompileContext } from "./compile-context.ts";
import { matchingNames } from "./known-names.ts";
import { likePattern } from "./like-pattern.ts";
import type { MarkedGroup } from "./marked-groups.ts";
import { attendedKindOf, matchesAttention } from "./match-attention.ts";

/** `tag:hold`: a tag of the letter or of its group, in any case. */
export function matchesTag(value: Value, _term: Term, context: CompileContext): string {
  return eitherOf(tagConditions(value, context));
}

/** The letter's own tags, and those of its group where any has it. */
export function tagConditions(value: Value, context: CompileContext): readonly string[] {
  const { at, parameters, marked } = context;
  const wanted = valueText(value).toLowerCase();
  const compares = isPattern(value) ? `like ${parameters.add(likePattern(wanted))}` : `= ${parameters.add(wanted)}`;
  const own = `exists (select from ${at}.letter_tags t where t.letter_id = l.id and t.tag ${compares})`;
  const ofGroup = inGroups(groupsNamed(marked.tagged, value), context);
  return ofGroup === null ? [own] : [own, ofGroup];
}

/** `owner:payments`: who owns its source, as the configuration says, or has its group. */
export function matchesOwner(value: Value, { at, length }: Term, context: CompileContext): string {
  const { owners, marked, parameters, text } = context;
  if (owners === null) {
    const message = "`owner:` cannot be searched for here.";
    throw queryProblem({ text, at, length, message, hint: "Ask for it where letters or groups are listed." });
  }
  const sources = [...owners].filter(([, owner]) => isNamed(owner, value)).map(([source]) => source);
  const bySource = sources.length === 0 ? null : `l.source = any (${parameters.add(sources)}::text[])`;
  return eitherOf([bySource, inGroups(groupsNamed(marked.assigned, value), context)]);
}

/** `assignee:ann`: who has its group, by what was said last. */
export function matchesAssignee(value: Value, term: Term, context: CompileContext): string {
  const attended = attendedKindOf(term, value);
  if (attended !== null) return matchesAttention(attended, term, context);
  return eitherOf([inGroups(groupsNamed(context.marked.assigned, value), context)]);
}

/** `has:note`: somebody noted something on its group. */
export function matchesNote(context: CompileContext): string {
  return eitherOf([inGroups(context.marked.noted, context)]);
}

function groupsNamed(marked: readonly MarkedGroup[], value: Value): readonly string[] {
  return marked.filter(({ name }) => isNamed(name, value)).flatMap(({ groups }) => groups);
}

function isNamed(name: string, value: Value): boolean {
  return matchingNames([name], valueText(value), isPattern(value)).length > 0;
}

function inGroups(groups: readonly string[], { parameters }: CompileContext): string | null {
  return groups.length === 0 ? null : `l.group_id = any (${parameters.add(groups)}::uuid[])`;
}

function eitherOf(conditions: readonly (string | null)[]): string {
  const some = conditions.filter((condition) => condition !== null);
  return some.length === 0 ? "false" : `(${some.join(" or ")})`;
}

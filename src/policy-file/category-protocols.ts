import { parseYaml } from "../config/checked-yaml.ts";
import { lineOf, type ParsedYaml } from "../config/config-problems.ts";
import { type Category, categories } from "../domain/classification.ts";
import type { Protocol } from "../domain/protocol.ts";
import type { Policy } from "./policy-file.ts";
import { protocolOf, protocolWith } from "./protocol-for.ts";
import { parameters } from "./protocol-parameters.ts";
import { protocolInWords } from "./protocol-words.ts";

/** What a policy says of one category, for people. */
export interface CategoryProtocol {
  readonly category: Category;
  readonly protocol: Protocol;
  /** In plain words. */
  readonly sentences: readonly string[];
  /** None where nothing of it could matter. */
  readonly parameters: readonly ShownParameter[];
  readonly overrides: readonly ShownOverride[];
}

interface ShownParameter {
  readonly key: string;
  readonly value: string;
  readonly about: string;
  /** Of the policy's text; null: it says nothing, so what is built in holds. */
  readonly line: number | null;
}

/** An override that may change what holds for letters of the category. */
interface ShownOverride {
  /** As refusals call it. */
  readonly name: string;
  readonly when: string;
  readonly line: number | null;
  /** What holds then, a sentence for each thing. */
  readonly changes: readonly string[];
}

export function categoryProtocols(policy: Policy): readonly CategoryProtocol[] {
  const parsed = parseYaml(policy.text, "the policy");
  return categories.map((category) => {
    const protocol = protocolOf(policy, category);
    const isSent = protocol.allows !== "never";
    return {
      ...{ category, protocol, sentences: protocolInWords(category, protocol) },
      parameters: isSent ? shownParameters(protocol, category, parsed) : [],
      overrides: isSent ? shownOverrides(policy, { category, protocol, parsed }) : [],
    };
  });
}

function shownParameters(protocol: Protocol, category: Category, parsed: ParsedYaml): readonly ShownParameter[] {
  return parameters.map(({ key, about, show }) => {
    const line = lineOf(parsed, ["protocols", category, ...key.split(".")]);
    return { key, about, value: show(protocol), line };
  });
}

interface Shown extends Pick<CategoryProtocol, "category" | "protocol"> {
  readonly parsed: ParsedYaml;
}

function shownOverrides({ overrides }: Policy, { category, protocol, parsed }: Shown): readonly ShownOverride[] {
  return overrides.flatMap(({ id, when, set, deny }, index) => {
    const then = protocolWith(protocol, set, category);
    const changes = [...effectOf(deny), ...differences(protocol, then)];
    const name = id ?? `override ${index + 1}`;
    const isOfOther = categoriesAsked(when.text).some((only) => only !== category);
    if (changes.length === 0 || isOfOther) return [];
    return [{ name, when: when.text, line: lineOf(parsed, ["overrides", index]), changes }];
  });
}

function effectOf(deny: boolean | null): readonly string[] {
  if (deny === null) return [];
  return [deny ? "It is forbidden altogether." : "It is allowed again, where one above forbids it."];
}

function differences(from: Protocol, to: Protocol): readonly string[] {
  return parameters.flatMap(({ key, show }) => {
    const [before, after] = [show(from), show(to)];
    return before === after ? [] : [`${key}: ${after}, instead of ${before}`];
  });
}

/** The categories that a condition demands in terms of their own; none where it is not as plain as that. */
function categoriesAsked(condition: string): readonly string[] {
  if (/\|\||!(?!=)|\?/.test(condition)) return [];
  return condition
    .split("&&")
    .flatMap((term) => /^\s*letter\.category\s*==\s*["'](\w+)["']\s*$/.exec(term)?.slice(1) ?? []);
}

import { hash } from "node:crypto";
import type { z } from "zod";
import { checkYaml, contentOf, parseYaml } from "../config/checked-yaml.ts";
import { canonicalJson, type Json } from "../domain/canonical-json.ts";
import type { Rule } from "../triage/rules/rule.ts";
import { policySchema } from "./policy-schema.ts";

type PolicyContent = z.output<typeof policySchema>;

/** A policy, checked and ready. */
export interface Policy {
  /** Hexadecimal SHA-256 over what it says; comments and layout do not count. A decision stores it. */
  readonly hash: string;
  readonly rules: readonly Rule[];
  /** What each category allows, as far as the file says; the rest is built in. */
  readonly protocols: PolicyContent["protocols"];
  readonly overrides: PolicyContent["overrides"];
  readonly tokens: PolicyContent["tokens"];
  /** As it was written, to be kept with its hash. */
  readonly text: string;
}

/** Reads a policy, or refuses it with all that is wrong, each with its line. `path` is only for the words of a refusal. */
export function parsePolicy(text: string, path = "dlo.policy.yaml"): Policy {
  const parsed = parseYaml(text, path);
  const { rules, protocols, overrides, tokens } = checkYaml(parsed, path, policySchema);
  // What YAML holds besides JSON (dates, binary) the schema has refused by now.
  const content = contentOf(parsed.document, path) as Json;
  return {
    hash: hash("sha256", canonicalJson(content)),
    rules: rules.map((rule) => ({ ...rule, why: rule.why ?? `Rule "${rule.id}" of your policy says so.` })),
    protocols,
    overrides,
    tokens,
    text,
  };
}

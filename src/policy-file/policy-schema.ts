import { z } from "zod";
import { categories } from "../domain/classification.ts";
import { durationMs } from "../domain/duration.ts";
import { type Condition, ConditionProblem, compileCondition } from "../triage/conditions/condition.ts";
import { compilePattern, type Pattern, PatternProblem } from "../triage/conditions/pattern.ts";

const text = z.string().min(1, "must not be empty");
const name = text.regex(
  /^[a-z0-9][a-z0-9._-]{0,63}$/,
  "must be small letters, digits, dots and dashes, at most 64 of them",
);
const count = z.int("must be a whole number").min(0, "must be 0 or more");

/** `30s`, `4h` and the like, as milliseconds. */
const duration = text
  .refine(
    (value) => /\d(ms|s|m|h|d)$/.test(value) && Number.isFinite(durationMs(value)),
    "must be a time such as 30s or 4h",
  )
  .transform(durationMs);

/** Turns text into what it stands for, and whatever is wrong with it into a problem with its line. */
function compiled<T>(compile: (value: string) => T) {
  return text.transform((value, context): T => {
    try {
      return compile(value);
    } catch (error) {
      if (!(error instanceof ConditionProblem || error instanceof PatternProblem)) throw error;
      context.addIssue({ code: "custom", message: error.message });
      return z.NEVER;
    }
  });
}

const letterCondition = compiled<Condition>((value) => compileCondition(value, "letter"));
const planCondition = compiled<Condition>((value) => compileCondition(value, "plan"));
const pattern = compiled<Pattern>(compilePattern);

const ruleSchema = z
  .strictObject({
    /** Named by classifications: `rule/<id>`. */
    id: name,
    /** CEL over the letter. */
    when: letterCondition.nullable().default(null),
    /** Regular expressions; those given must all match. */
    pattern: z
      .strictObject({
        message: pattern.nullable().default(null),
        class: pattern.nullable().default(null),
        stack: pattern.nullable().default(null),
      })
      .prefault({}),
    category: z.enum(categories),
    /** @default as judged without the rule */
    sideEffect: z.enum(["none", "uncertain"]).nullable().default(null),
    /** @default 0.95 */
    confidence: z.number().min(0, "must be between 0 and 1").max(1, "must be between 0 and 1").default(0.95),
    /** A sentence for whoever is paged. @default names the rule */
    why: text.nullable().default(null),
  })
  .superRefine(({ when, pattern: { message, class: ofClass, stack } }, context) => {
    if (when === null && message === null && ofClass === null && stack === null)
      context.addIssue({
        code: "custom",
        message: "matches every letter: give it a `when` or a `pattern`",
      });
  });

const protocolSchema = z.strictObject({
  /** Whether many may be sent at once. */
  bulk: z.boolean().optional(),
  /** Letters a second. */
  rate: z.number().positive("must be more than 0").optional(),
  /** Letters sent before looking back. */
  batch: count.optional(),
  /** Sizes of the first steps, and what to do when a step's outcome is unknown. */
  ramp: z
    .strictObject({ steps: z.array(count).optional(), onUnknown: z.enum(["pause", "continue"]).optional() })
    .optional(),
  maxReplays: count.optional(),
  /** How long to watch for returns, at least. */
  settle: z.strictObject({ min: duration.optional() }).optional(),
  /** Stops when more than this share comes back, or the destination lags by more messages. */
  halt: z
    .strictObject({ returns: z.number().min(0).max(1, "must be between 0 and 1").optional(), lag: count.optional() })
    .optional(),
  approvals: z
    .strictObject({
      n: count.optional(),
      roles: z.array(text).optional(),
      expires: duration.optional(),
      exemptUpTo: count.optional(),
    })
    .optional(),
  /** Replays without a person; transient only. */
  auto: z.boolean().optional(),
});

/** What is read from `dlo.policy.yaml`; docs/reference/policy.md shows all of it. */
export const policySchema = z
  .strictObject({
    version: z.literal(1, "must be 1"),
    /** The first that matches decides. */
    rules: z.array(ruleSchema).default([]),
    protocols: z
      .strictObject(Object.fromEntries(categories.map((category) => [category, protocolSchema.optional()])))
      .prefault({}),
    /** Later ones win. */
    overrides: z.array(z.strictObject({ when: planCondition, set: protocolSchema })).default([]),
  })
  .superRefine(({ rules }, context) => {
    const ids = rules.map(({ id }) => id);
    ids.forEach((id, index) => {
      if (ids.indexOf(id) !== index)
        context.addIssue({ code: "custom", path: ["rules", index, "id"], message: "is there twice" });
    });
  });

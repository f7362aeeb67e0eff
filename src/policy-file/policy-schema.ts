import { z } from "zod";
import { keyPlaceSchema } from "../config/key-place.ts";
import { roles } from "../domain/actor.ts";
import { type Category, categories } from "../domain/classification.ts";
import { durationMs } from "../domain/duration.ts";
import { defaultProtocols, duplicateRules, effectRules, gateTrusts } from "../domain/protocol.ts";
import { tagLimits, tagOf, tagProblem } from "../domain/tags.ts";
import { type Condition, ConditionProblem, compileCondition } from "../triage/conditions/condition.ts";
import { compilePattern, type Pattern, PatternProblem } from "../triage/conditions/pattern.ts";

const text = z.string().min(1, "must not be empty");
const name = text.regex(
  /^[a-z0-9][a-z0-9._-]{0,63}$/,
  "must be small letters, digits, dots and dashes, at most 64 of them",
);
const count = z.int("must be a whole number").min(0, "must be 0 or more");
const size = z.int("must be a whole number").min(1, "must be 1 or more");

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

const tag = text.transform((value, context) => {
  const problem = tagProblem(value);
  if (problem === null) return tagOf(value);
  context.addIssue({ code: "custom", message: problem });
  return z.NEVER;
});

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
    /** Put on each letter that the rule decides, to find it by and to keep it out. @default none */
    tags: z.array(tag).max(tagLimits.each, `must be ${tagLimits.each} at most`).default([]),
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

const callable = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

/** What a probe may be told of a letter. */
const placeholders = /\{(letter|key|queue|type|tenant)\}/gu;

/** A letter decides what is asked about, never who is asked: its own words stand behind the host. */
const probeUrl = text.superRefine((value, context) => {
  const refuse = (message: string) => context.addIssue({ code: "custom", message });
  const plain = value.replace(placeholders, "x");
  if (!callable.safeParse(plain).success) return refuse("must be an http or https URL");
  if (/[{}]/u.test(plain)) return refuse("knows only {letter}, {key}, {queue}, {type} and {tenant}");
  if (/^https?:\/\/[^/?#]*[{}]/u.test(value)) refuse("must name its host itself");
});

const protocolSchema = z.strictObject({
  /** Whether many may be sent at once. */
  bulk: z.boolean().optional(),
  /** Letters a second. */
  rate: z.number().positive("must be more than 0").optional(),
  /** Letters sent before looking back. */
  batch: size.optional(),
  /** Sizes of the first steps, and what to do when a step's outcome is unknown. */
  ramp: z
    .strictObject({ steps: z.array(size).optional(), onUnknown: z.enum(["pause", "continue"]).optional() })
    .optional(),
  maxReplays: count.optional(),
  /** How long to watch for returns, at least. */
  settle: z.strictObject({ min: duration.optional() }).optional(),
  /** Stops when more than this share comes back, or the destination lags by more messages; a lag of null is of no concern. */
  halt: z
    .strictObject({
      returns: z.number().min(0, "must be between 0 and 1").max(1, "must be between 0 and 1").optional(),
      lag: count.nullable().optional(),
    })
    .optional(),
  approvals: z
    .strictObject({
      n: count.optional(),
      roles: z.array(z.enum(roles)).min(1, "must name at least one role").optional(),
      expires: duration.optional(),
      exemptUpTo: count.optional(),
      exemptPerDay: count.optional(),
    })
    .optional(),
  /** What to ask before a letter is sent, whether an earlier attempt took effect; null: nobody. */
  probe: z.strictObject({ url: probeUrl }).nullable().optional(),
  /** What to do with a letter of which a duplicate would not be recognized. */
  duplicates: z.enum(duplicateRules).optional(),
  /** Where the idempotency key is, if not where senders usually put it; null: nowhere else. @default as the source says */
  key: keyPlaceSchema.nullable().optional(),
  /** `strict`: where nobody could tell whether an earlier attempt took effect, a person accepts that first. */
  effects: z.enum(effectRules).optional(),
  /** URLs that must answer well before anything is sent. */
  health: z.array(callable).max(10, "must be 10 at most").optional(),
  /** What opens the gate of a deploy: consumers' own reports too, or only deploys that were recorded. */
  gates: z.strictObject({ trust: z.enum(gateTrusts).optional() }).optional(),
  /** Replays without a person; transient only. */
  auto: z.boolean().optional(),
});

/** What a policy says about replaying, as far as it says anything. */
export type ProtocolChanges = z.output<typeof protocolSchema>;

const overrideSchema = z
  .strictObject({
    /** Named by refusals. @default its place in the file */
    id: name.nullable().default(null),
    /** CEL over the letter, the plan and who asks. */
    when: planCondition,
    set: protocolSchema.prefault({}),
    /** Forbids it, whatever else the policy says; a later override may lift that with `deny: false`. */
    deny: z.boolean().nullable().default(null),
  })
  .superRefine(({ set, deny }, context) => {
    if (deny === null && Object.keys(set).length === 0)
      context.addIssue({ code: "custom", message: "changes nothing: give it a `set` or `deny: true`" });
  });

const protocolsSchema = z
  .strictObject(Object.fromEntries(categories.map((category) => [category, protocolSchema.optional()])))
  .prefault({});

/** What the meaning of a category rules out is refused where it is written, rather than ignored where it is needed. */
function refuseImpossible(protocols: z.output<typeof protocolsSchema>, refuse: (path: string[], why: string) => void) {
  for (const [category, said] of Object.entries(protocols)) {
    const { allows } = defaultProtocols[category as Category];
    const way = allows === "never" ? "is never replayed" : "is decided one by one, never in bulk";
    if (said?.bulk === true && allows !== "bulk") refuse([category, "bulk"], `cannot be: ${category} ${way}`);
    if (said?.auto === true && category !== "transient") refuse([category, "auto"], "can be true for transient only");
  }
}

const dayMs = 86_400_000;

const tokensSchema = z
  .strictObject({
    /**
     * Tokens of someone who signs in at an identity provider are suspended when they have not signed in for so long; `never` keeps them. In
     * milliseconds here, at least a day. Too short suspends what runs while its owner is on holiday; too long lets tokens of people who
     * left go on. @default "30d"
     */
    suspendAfter: z
      .union([
        z.literal("never").transform(() => null),
        duration.refine((ms) => ms >= dayMs, "must be a day or more, or `never`"),
      ])
      .prefault("30d"),
  })
  .prefault({});

/** What is read from `dlo.policy.yaml`; docs/reference/policy.md shows all of it. */
export const policySchema = z
  .strictObject({
    version: z.literal(1, "must be 1"),
    /** The first that matches decides. */
    rules: z.array(ruleSchema).default([]),
    protocols: protocolsSchema,
    /** Later ones win. */
    overrides: z.array(overrideSchema).default([]),
    tokens: tokensSchema,
  })
  .superRefine(({ rules, protocols }, context) => {
    const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
    const ids = rules.map(({ id }) => id);
    ids.forEach((id, index) => {
      if (ids.indexOf(id) !== index) refuse(["rules", index, "id"], "is there twice");
    });
    refuseImpossible(protocols, (path, why) => refuse(["protocols", ...path], why));
  });

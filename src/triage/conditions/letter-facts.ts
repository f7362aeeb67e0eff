import type { Category } from "../../domain/classification.ts";

/** What conditions may ask about a letter. What is not known is null, and reads as empty text or 0. */
export interface LetterFacts {
  readonly source: string | null;
  readonly queue: string | null;
  readonly broker: string | null;
  readonly category: Category | null;
  /** Its first category, if it has another one by now. */
  readonly was: Category | null;
  readonly confidence: number | null;
  readonly attempts: number | null;
  readonly replays: number;
  /** Seconds since it failed last. */
  readonly ageS: number | null;
  /** When its own time to live is over, in milliseconds since 1970; null where it has none. */
  readonly expiresAt: number | null;
  /** That time is over. */
  readonly isPastTtl: boolean;
  /** Bytes of its body. */
  readonly size: number | null;
  readonly type: string | null;
  readonly key: string | null;
  readonly order: string | null;
  readonly tenant: string | null;
  readonly schema: { readonly name: string | null; readonly version: number | null };
  readonly error: {
    readonly class: string | null;
    readonly message: string | null;
    readonly code: string | null;
    readonly http: number | null;
    readonly stack: string | null;
  };
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; parsed as JSON only if a condition asks for it. */
  readonly body: string | null;
  readonly consumer: { readonly service: string | null; readonly version: string | null };
}

/** A letter of which nothing is known; spread it and fill in what is. */
export const noFacts: LetterFacts = {
  source: null,
  queue: null,
  broker: null,
  category: null,
  was: null,
  confidence: null,
  attempts: null,
  replays: 0,
  ageS: null,
  expiresAt: null,
  isPastTtl: false,
  size: null,
  type: null,
  key: null,
  order: null,
  tenant: null,
  schema: { name: null, version: null },
  error: { class: null, message: null, code: null, http: null, stack: null },
  headers: {},
  body: null,
  consumer: { service: null, version: null },
};

/** The names conditions know, with their types. docs/reference/policy.md has them too; a test compares. */
export const conditionNames = {
  letter: {
    source: "string",
    queue: "string",
    broker: "string",
    category: "string",
    was: "string",
    confidence: "double",
    attempts: "int",
    replays: "int",
    ageS: "int",
    expires_at: "int",
    past_ttl: "bool",
    size: "int",
    type: "string",
    key: "string",
    order: "string",
    tenant: "string",
    schema: { name: "string", version: "int" },
  },
  error: { class: "string", message: "string", code: "string", http: "int", stack: "string" },
  consumer: { service: "string", version: "string" },
} as const;

/** What a plan and an actor add, for conditions that are about replays. */
export interface PlanFacts {
  /** How many letters the plan has. */
  readonly n: number;
  readonly actor: { readonly id: string; readonly roles: readonly string[]; readonly kind: string };
}

/** Longer bodies are not parsed for a condition: they read as null. */
const longestBody = 1_048_576;

/** The values a condition sees. The body is parsed when it is first asked for. */
export function conditionValues(facts: LetterFacts, plan?: PlanFacts): Record<string, unknown> {
  const { error, schema, consumer } = facts;
  let body: { readonly value: unknown } | undefined;
  return {
    letter: {
      ...texts(facts, ["source", "queue", "broker", "category", "was", "type", "key", "order", "tenant"]),
      confidence: facts.confidence ?? 0,
      ...integers(facts, ["attempts", "replays", "ageS", "size"]),
      expires_at: asInteger(facts.expiresAt === null ? null : facts.expiresAt / 1_000),
      past_ttl: facts.isPastTtl,
      schema: { name: schema.name ?? "", version: asInteger(schema.version) },
    },
    error: { ...texts(error, ["class", "message", "code", "stack"]), http: asInteger(error.http) },
    consumer: texts(consumer, ["service", "version"]),
    header: facts.headers,
    get body() {
      body ??= { value: parseBody(facts.body) };
      return body.value;
    },
    ...(plan === undefined
      ? {}
      : { plan: { n: BigInt(plan.n) }, actor: { ...plan.actor, roles: [...plan.actor.roles] } }),
  };
}

function texts<Key extends string>(from: { readonly [K in Key]: string | null }, keys: readonly Key[]) {
  return Object.fromEntries(keys.map((key) => [key, from[key] ?? ""]));
}

function integers<Key extends string>(from: { readonly [K in Key]: number | null }, keys: readonly Key[]) {
  return Object.fromEntries(keys.map((key) => [key, asInteger(from[key])]));
}

const asInteger = (value: number | null) => BigInt(Math.trunc(value ?? 0));

function parseBody(text: string | null): unknown {
  if (text === null || text.length > longestBody) return null;
  try {
    // In the language of conditions 1 and 1.0 differ, and whole numbers are what people compare with.
    return JSON.parse(text, (_key, value: unknown) => (Number.isSafeInteger(value) ? BigInt(Number(value)) : value));
  } catch {
    return null;
  }
}

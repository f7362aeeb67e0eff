import { z } from "zod";
import { roles } from "../domain/actor.ts";
import { durationMs } from "../domain/duration.ts";
import { clientAuthMethods, signOutReaches } from "../domain/identity.ts";
import { isReservedName } from "../domain/names-of-people.ts";
import { brokers } from "./broker-names.ts";
import { misfitsOf } from "./broker-settings.ts";
import { keyPlaceSchema } from "./key-place.ts";
import { addressReference, secretReference } from "./reference.ts";

/** What is read from `dlo.config.yaml`. The comments here are its reference; docs/reference/configuration.md shows all of it. */
export type Config = z.infer<typeof configSchema>;
/** One broker the office looks after. */
export type SourceConfig = z.infer<typeof sourceSchema>;

/** Part of ids such as `rabbit-eu/orders`, of commands and of URLs. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const text = z.string().min(1, "must not be empty");
const name = text.regex(namePattern, "must be letters, digits, dots, dashes and underscores, at most 64 of them");
const address = text.transform(addressReference);
const pathPattern = /^\/(?:(?!\.{1,2}\/)[\w.~-]+\/)*(?!\.{1,2}$)[\w.~-]*$/;
const secret = text.transform(secretReference);

/** `90d` and the like, as milliseconds. */
const duration = text
  .regex(/\d(ms|s|m|h|d)$/, "must be a time such as 12h or 90d")
  .transform(durationMs)
  .refine(Number.isFinite, "must be a time such as 12h or 90d");

const queueSchema = z.strictObject({
  /** Names of dead-letter queues; `*` stands for any characters. */
  match: text,
  /** "drain": letters move into the ledger. "observe": they stay where they are; failed jobs are read there. @default "observe" */
  mode: z.enum(["observe", "drain"]).default("observe"),
  /** Where its letters are sent back to, if not where each says it came from. @default null */
  replayTo: text.nullable().default(null),
  /** Where consumers of its messages find their idempotency key; null: where senders usually put it. @default as the source says */
  key: keyPlaceSchema.nullable().optional(),
  /** One letter is an alert. @default false */
  critical: z.boolean().default(false),
});

const sourceSchema = z
  .strictObject({
    name,
    broker: z.enum(brokers),
    /** Where the broker is, with name and password: best as `${NAME}`. */
    url: address,
    /** RabbitMQ: its management API, such as `http://host:15672`. @default port 15672 of the broker's host, 15671 over TLS, with its user */
    management: address.optional(),
    /** PostgreSQL: the schema our tables are in; of a job framework: the schema its tables are in. @default "dlo", or the framework's */
    schema: text.optional(),
    /** BullMQ, Sidekiq (redis-namespace), dramatiq: what their keys in Redis begin with. @default the framework's */
    prefix: text.optional(),
    /** Symfony Messenger: the `queue_name` of each transport that failed messages go back to. @default none: they stay */
    transports: z.record(text, text).optional(),
    /**
     * Where its ordered consumers keep their blocked keys (`postgresBlockedKeys`): another source of broker postgres, or a database.
     * @default its own database if the broker is postgres, else unknown
     */
    keys: z
      .union([
        z.strictObject({ source: name }),
        z.strictObject({
          url: address,
          /** @default "dlo" */
          schema: text.default("dlo"),
        }),
      ])
      .optional(),
    /**
     * Where consumers that are not ours find the idempotency key of a message: a header, or a JSON pointer into the body. The policy
     * overrules it. @default where senders usually put it
     */
    key: keyPlaceSchema.optional(),
    /** Whom to ask about it. @default null */
    owner: text.nullable().default(null),
    /** What is done with its dead-letter queues. The first match holds; a queue without one is left alone. @default [] */
    queues: z.array(queueSchema).default([]),
  })
  .superRefine((source, context) => {
    for (const { path, message } of misfitsOf(source)) context.addIssue({ code: "custom", path: [...path], message });
  });

function isOrigin(url: string): boolean {
  const { href, origin } = new URL(url);
  return href === `${origin}/`;
}

const officeSchema = z.strictObject({
  /** How people reach it; alone decides links, Host, Origin and redirects. @default null */
  publicUrl: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .refine(isOrigin, "must end after its host and port: a path before all pages is `office.basePath`")
    .nullable()
    .default(null),
  /** Address and port. @default "127.0.0.1:7717" */
  listen: text.regex(/^.+:\d{1,5}$/, "must be an address and a port, such as 127.0.0.1:7717").default("127.0.0.1:7717"),
  /** @default "/" */
  basePath: text
    .startsWith("/", "must start with a slash")
    .regex(pathPattern, "must have letters, digits, dots, dashes, underscores and tildes between single slashes")
    .default("/"),
  /** Whose X-Forwarded-For counts. @default [] */
  trustedProxies: z.array(text).default([]),
  /** Shown on every page, so that nobody takes production for a test. @default null */
  environment: z
    .strictObject({
      name: text.max(40, "must be 40 characters at most"),
      /** Of the bar on top. @default null, which is red for production and blue for everything else */
      colour: text
        .regex(/^(#[\da-f]{6}|[a-z]+)$/i, "must be a colour such as red or #b42318")
        .nullable()
        .default(null),
    })
    .nullable()
    .default(null),
  /** Hosts that probes and webhooks may reach though they are private. */
  outbound: z.strictObject({ allow: z.array(text).default([]) }).prefault({}),
});

const ledgerSchema = z.strictObject({
  /** A PostgreSQL; without one the ledger is embedded. @default none */
  url: address.optional(),
  /** No pooler stands between: prepared statements may be used. @default false */
  direct: z.boolean().default(false),
  /** Where large bodies are kept. */
  bodies: z
    .strictObject({
      store: z.enum(["fs", "s3"]).default("fs"),
      /** A folder, or a bucket and prefix. @default null */
      path: text.nullable().default(null),
      /** s3: a server that speaks S3; without one it is Amazon's. @default none */
      endpoint: address.optional(),
      /** s3: without one it is the environment's. @default null */
      region: text.nullable().default(null),
      /** A folder that every office process sees. @default false */
      shared: z.boolean().default(false),
    })
    .prefault({}),
  /** How long letters are kept after they are settled, in milliseconds here. @default "90d" */
  retention: duration.prefault("90d"),
});

const bodySchemaSchema = z.strictObject({
  /** Queues that letters failed in; `*` stands for any characters. */
  queue: text,
  /** Kinds of message, as their letters name them; `*` stands for any characters. @default "*" */
  type: text.default("*"),
  /** A JSON Schema (2020-12, or draft 7), from this file's folder. */
  file: text,
});

const safeIssuer = /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$))/;

const signInSchema = z.strictObject({
  /** Whether people may have a name and a password here. @default true */
  passwords: z.boolean().default(true),
  oidc: z
    .strictObject({
      /** Who says who people are. Plain HTTP is for one on this machine alone. */
      issuer: z.url("must be a URL").regex(safeIssuer, "must begin with https:// (or be on this machine)"),
      clientId: text,
      /** Read at each use, so that a new one needs no restart. @default none: there is a `privateKey` */
      clientSecret: secret.optional(),
      /** A private key in PEM, in place of a secret. @default none */
      privateKey: secret.optional(),
      /** The `kid` by which the provider finds the public half. @default null */
      keyId: text.nullable().default(null),
      /** How DLO proves who it is. @default what the provider's metadata names, else client_secret_basic */
      clientAuth: z.enum(clientAuthMethods).nullable().default(null),
      /** What is asked for; `openid` always is. @default openid and profile, and groups where the provider names it */
      scopes: z
        .array(text.regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "must be one scope"))
        .nullable()
        .default(null),
      /** The claim that names groups: a name, or a path such as `realm_access.roles`. @default "groups" */
      rolesClaim: text.default("groups"),
      /** The claim that a new person is named after. @default "preferred_username" */
      nameClaim: text.default("preferred_username"),
      /** A file with certificates in PEM that the provider's may be signed by, besides those of Node. @default null */
      ca: secret.optional(),
      /**
       * "provider": you sign out there too, on its own page, where it has one. "return": and come back, to an address that must be registered there.
       * "here": you stay signed in there. @default "provider"
       */
      signOut: z.enum(signOutReaches).default("provider"),
      /**
       * How often a session is checked at the provider, where it gives refresh tokens; `0s` is never. In milliseconds here. Too often
       * costs the provider a request for each session; too seldom, and who is disabled there goes on here for longer. @default "5m"
       */
      checkEvery: duration
        .refine((ms) => ms === 0 || ms >= 30_000, "must be 30s or more, or 0s for never")
        .prefault("5m"),
    })
    .refine(({ clientSecret, privateKey }) => clientSecret !== undefined || privateKey !== undefined, {
      error: "needs `clientSecret` or `privateKey`",
    })
    .optional(),
});

const builtInRoles: readonly string[] = [...roles, "agent"];

const roleSchema = z.strictObject({
  /** None of the built-in ones, which no group gives. */
  name: name.refine((given) => !builtInRoles.includes(given), "must not be the name of a built-in role"),
  is: z.enum(["viewer", "operator", "approver", "admin", "agent"]),
  /** `source/queue`; `*` stands for any characters. @default all */
  queues: z.array(text).default(["*"]),
  /** May see what is masked. @default false */
  reveal: z.boolean().default(false),
  /** Groups of the identity provider that give it, exactly as the claim names them. @default one of the role's own name */
  groups: z.array(text).optional(),
});

const personSchema = z.strictObject({
  id: name.refine((given) => !isReservedName(given), "stands for the server in the audit log: choose another name"),
  /** Who they are at the issuer. */
  oidc: z.strictObject({ iss: text, sub: text }),
  /** What they are, whatever groups the issuer names. @default [] */
  roles: z.array(text).default([]),
});

const maskingSchema = z.strictObject({
  /** `body.card`, `header.authorization`. @default [] */
  paths: z.array(text.regex(/^(body|header)(\.|$)/, "must begin with body. or header.")).default([]),
  /** Finds what looks like a secret by itself. @default "default" */
  detectors: z.enum(["default", "none"]).default("default"),
});

const notifierSchema = z.strictObject({
  name,
  kind: z.enum(["slack", "pagerduty", "webhook"]),
  /** A webhook's address lets anyone post who knows it: all of it is a secret. */
  url: secret,
  secret: secret.optional(),
  /** @default all */
  when: z.array(z.enum(occasions())).default([...occasions()]),
});

function occasions() {
  return ["alert", "approval", "halted", "returned", "token"] as const;
}

/** Sources that name another for their blocked keys which can't have any. */
function strangeKeySources(
  sources: readonly SourceConfig[],
): readonly { readonly index: number; readonly name: string }[] {
  const databases = new Set(sources.filter(({ broker }) => broker === "postgres").map((source) => source.name));
  return sources.flatMap(({ keys }, index) =>
    keys !== undefined && "source" in keys && !databases.has(keys.source) ? [{ index, name: keys.source }] : [],
  );
}

/** One id is one person's, and one person has one id. */
function doubledPeople(
  people: readonly z.infer<typeof personSchema>[],
): readonly { readonly index: number; readonly what: string }[] {
  return people.flatMap(({ id, oidc }, index) => {
    const before = people.slice(0, index);
    if (before.some((one) => one.id === id)) return [{ index, what: `\`${id}\`` }];
    const isSame = before.some((one) => one.oidc.iss === oidc.iss && one.oidc.sub === oidc.sub);
    return isSame ? [{ index, what: `\`${oidc.sub}\` of ${oidc.iss}` }] : [];
  });
}

export const configSchema = z
  .strictObject({
    version: z.literal(1, "must be 1"),
    /** Which of your contexts `dlo` asks in this folder. Where that office is stands in your own file alone. @default null */
    context: name.nullable().default(null),
    office: officeSchema.prefault({}),
    ledger: ledgerSchema.prefault({}),
    /** The policy's file, from this file's folder. @default null */
    policy: text.nullable().default(null),
    sources: z.array(sourceSchema).default([]),
    /** What the bodies of letters must be after an edit. The first match holds. */
    schemas: z.array(bodySchemaSchema).default([]),
    signIn: signInSchema.prefault({}),
    roles: z.array(roleSchema).default([]),
    /** Whoever is no longer named here loses what it gave; `[]` names no one. @default null, which leaves those of before */
    people: z.array(personSchema).nullable().default(null),
    masking: maskingSchema.prefault({}),
    notifiers: z.array(notifierSchema).default([]),
  })
  .superRefine((config, context) => {
    if (!config.signIn.passwords && config.signIn.oidc === undefined)
      context.addIssue({
        code: "custom",
        path: ["signIn"],
        message: "must have `passwords` or `oidc`, or nobody comes in",
      });
    for (const { index, name } of strangeKeySources(config.sources))
      context.addIssue({
        code: "custom",
        path: ["sources", index, "keys", "source"],
        message: `must be a source whose broker is postgres, which \`${name}\` is not`,
      });
    for (const { index, what } of doubledPeople(config.people ?? []))
      context.addIssue({ code: "custom", path: ["people", index], message: `${what} is there twice` });
    for (const list of ["sources", "roles", "notifiers"] as const) {
      const names = config[list].map((item) => item.name);
      const at = names.findIndex((each, index) => names.indexOf(each) !== index);
      if (at !== -1)
        context.addIssue({ code: "custom", path: [list, at, "name"], message: `\`${names[at]}\` is there twice` });
    }
  });

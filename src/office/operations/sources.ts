import { z } from "zod";
import type { Actor } from "../../domain/actor.ts";
import { OfficeError } from "../../domain/errors.ts";
import {
  type AddedQueue,
  changeAddedSource,
  insertAddedSource,
  removeAddedSource,
} from "../../ledger/added-sources.ts";
import { recordAction } from "../../ledger/audit.ts";
import { isDemo } from "../../ledger/demo-mark.ts";
import { noRealSource } from "../../sources/simulated-source.ts";
import { connectable, type TypedAddress } from "../../sources/source-desk.ts";
import { keyPlace } from "./key-place.ts";
import { type Office, operation } from "./operation.ts";

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "letters, digits, dots, dashes and underscores, at most 64");
const queues = z.array(z.object({ match: z.string().min(1).max(300), mode: z.enum(["observe", "drain"]) })).max(500);
const address = {
  /** What it is. A job framework has to be named; a broker is known by how its address begins. */
  broker: z.enum(connectable).nullable().default(null),
  /** Where the broker is, or the store of the job framework, with name and password; taken as it stands, without variables and files. */
  url: z.string().min(1).max(4_000),
  /** RabbitMQ: its management API, if it is not where it usually is. */
  management: z.string().min(1).max(4_000).nullable().default(null),
  /** PostgreSQL: the schema our tables are in, if it is not dlo, or the framework's, if they are not where it puts them by itself. */
  schema: z.string().min(1).max(100).nullable().default(null),
  /** BullMQ, Sidekiq, dramatiq: what their keys in Redis begin with, if it is not what they do by themselves. */
  prefix: z.string().min(1).max(200).nullable().default(null),
  /** Symfony Messenger: the `queue_name` of each transport that failed messages go back to. */
  transports: z.record(z.string().min(1).max(200), z.string().min(1).max(200)).nullable().default(null),
};

/** Where its messages carry what they are known by. */
const keysOfMessages = {
  /** Where consumers that are not ours find the idempotency key, if not where senders usually put it. The policy overrules it. */
  key: keyPlace.nullable().default(null),
  /**
   * Where its ordered consumers keep their blocked keys: another source of broker postgres, or a database, whose address is kept
   * sealed. Null: its own database if it is PostgreSQL, else unknown.
   */
  keys: z
    .union([
      z.strictObject({ source: name }),
      z.strictObject({ url: z.string().min(1).max(4_000), schema: z.string().min(1).max(100).default("dlo") }),
    ])
    .nullable()
    .default(null),
};

const rights = z.array(z.object({ to: z.enum(["look", "drain", "send back"]), needs: z.string(), remedy: z.string() }));

export const listSources = operation({
  name: "sources.list",
  summary: "the sources there are, without addresses and secrets",
  role: "viewer",
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({
        name: z.string(),
        broker: z.string(),
        owner: z.string().nullable(),
        /** It stands in the configuration, and is changed there. */
        isConfigured: z.boolean(),
        /** A job framework: its failed jobs are read, and never taken. */
        isReadInPlace: z.boolean(),
        /** What is done with its dead-letter queues; the first match holds. */
        queues: z.array(z.object({ match: z.string(), mode: z.string() })),
        /** Where consumers find the idempotency key; null: where senders usually put it. */
        key: keyPlace.nullable(),
        /** The source where its ordered consumers keep their blocked keys, or "a database"; null: nobody said. */
        keys: z.string().nullable(),
      }),
    ),
    next: z.null(),
  }),
  async run({ sources: { book, guides } }) {
    await book.refresh();
    const added = book.added();
    const items = book.all().map((source) => ({
      ...{ name: source.name, broker: source.broker, owner: source.owner, isConfigured: !added.includes(source) },
      isReadInPlace: guides.some(({ broker, isReadInPlace }) => isReadInPlace && broker === source.broker),
      queues: source.queues.map(({ match, mode }) => ({ match, mode })),
      key: source.key ?? null,
      keys: source.keys === undefined ? null : "source" in source.keys ? source.keys.source : "a database",
    }));
    return { items, next: null };
  },
});

export const listSourceGuides = operation({
  name: "sources.guides",
  summary:
    "brokers and job frameworks that can be connected: how their addresses look, what draining changes there, the least rights it takes",
  role: "viewer",
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({
        ...{ broker: z.enum(connectable), product: z.string(), address: z.string(), draining: z.string(), rights },
        /** A job framework: its failed jobs are read, and never taken. */
        isReadInPlace: z.boolean(),
        /** Whose dead letters are found there, too. */
        alsoFor: z.string().nullable(),
        /** What its address does not say. */
        settings: z.array(
          z.object({ name: z.enum(["management", "schema", "prefix", "transports"]), label: z.string() }),
        ),
      }),
    ),
    next: z.null(),
  }),
  run: async ({ sources }) => ({
    items: sources.guides.map((guide) => ({ ...guide, rights: [...guide.rights], settings: [...guide.settings] })),
    next: null,
  }),
});

const nowhere = "Give the address to look at as `url`, or the name of a source as `source`.";

export const lookAtSource = operation({
  name: "sources.look",
  summary:
    "looks at a broker or job framework without changing anything: its dead-letter queues, what is in them, and who else takes from them",
  role: "admin",
  inPerson: true,
  isSecret: true,
  input: z
    .object({ ...address, url: address.url.optional(), source: name.optional() })
    .refine(({ url, source }) => (url === undefined) !== (source === undefined), nowhere),
  output: z.object({
    broker: z.enum(connectable),
    product: z.string(),
    /** Nothing would be taken: failed jobs are read where they are. */
    isReadInPlace: z.boolean(),
    queues: z.array(
      z.object({
        queue: z.string(),
        /** Whose dead letters it holds. */
        from: z.array(z.string()),
        /** Only its name says so. */
        byName: z.boolean(),
        depth: z.number().nullable(),
        bytes: z.number().nullable(),
        oldestSeconds: z.number().nullable(),
        /** Who takes from it now; null: the broker does not tell. */
        consumers: z.array(z.string()).nullable(),
      }),
    ),
    otherQueues: z.number(),
    gaps: z.array(z.object({ kind: z.enum(["missing", "needless"]), sentence: z.string(), remedy: z.string() })),
    draining: z.string(),
    rights,
    /** Where the ledger is; null where it is on a server. */
    freeBytes: z.number().nullable(),
    /** The ledger survives a crash of the process, and not a power cut. */
    isEmbedded: z.boolean(),
  }),
  async run(office, { url, source, ...typed }) {
    const seen = await lookingAt(office, source ?? { url: url ?? "", ...typed });
    return {
      ...{ broker: seen.broker, product: seen.product, otherQueues: seen.otherQueues, freeBytes: seen.freeBytes },
      isReadInPlace: seen.isReadInPlace,
      ...{ draining: seen.guide.draining, rights: [...seen.guide.rights], isEmbedded: office.self.isEmbedded },
      gaps: [...seen.gaps],
      queues: seen.queues.map(({ queue, from, byName, depth, bytes, oldestSeconds, consumers }) => ({
        ...{ queue, byName, depth, bytes, oldestSeconds },
        ...{ from: [...(from ?? [])], consumers: consumers === null ? null : [...consumers] },
      })),
    };
  },
});

export const addSource = operation({
  name: "sources.add",
  summary:
    "connects a broker or job framework: its address is kept sealed, and what is to be drained is drained from now on",
  role: "admin",
  inPerson: true,
  isSecret: true,
  input: z.object({
    ...{ ...address, ...keysOfMessages, name, queues },
    owner: z.string().min(1).max(200).nullable().default(null),
  }),
  output: z.object({ name: z.string() }),
  async run(office, { name: given, owner, queues: rules, key, keys, ...typed }, actor) {
    const { ledger, sources } = office;
    await requireNoDemo(office, given);
    await sources.book.refresh();
    const sealed = await sources.seal(given, typed);
    const settings = { schema: typed.schema, prefix: typed.prefix, transports: typed.transports };
    const management = await sources.sealManagement(given, typed.management);
    const store = await sources.sealKeys(given, keys);
    const entry = {
      name: given,
      owner,
      key,
      ...settings,
      queues: rules,
      ...sealed,
      management,
      ...store,
      by: actor.id,
    };
    sources.requireFit(entry);
    const isTaken = () => sources.book.all().some((each) => each.name === given);
    await recorded(office, actor, { action: "sources.added", source: given, queues: rules }, async (transaction) => {
      if (isTaken() || !(await insertAddedSource(ledger, transaction, entry))) throw taken(given);
    });
    return { name: given };
  },
});

export const changeSource = operation({
  name: "sources.change",
  summary: "changes what is done with the dead-letter queues of a source, or where it is; what is not given stays",
  role: "admin",
  inPerson: true,
  isSecret: true,
  input: z.object({
    name,
    url: address.url.nullable().default(null),
    /** As with `sources.add`; null: where it usually is. */
    management: address.management.unwrap().optional(),
    /** As with `sources.add`; null: dlo. */
    schema: address.schema.unwrap().optional(),
    /** As with `sources.add`; null: what they do by themselves. */
    prefix: address.prefix.unwrap().optional(),
    /** As with `sources.add`; null: none. */
    transports: address.transports.unwrap().optional(),
    /** As with `sources.add`; null: where senders usually put it. */
    key: keysOfMessages.key.unwrap().optional(),
    /** As with `sources.add`; null: its own database if it is PostgreSQL, else unknown. */
    keys: keysOfMessages.keys.unwrap().optional(),
    queues: queues.nullable().default(null),
  }),
  output: z.object({ name: z.string() }),
  async run(office, { name: given, queues: rules, url, management, key, keys, ...settings }, actor) {
    const { ledger, sources } = office;
    const { broker } = await requireOwn(office, given);
    sources.requireFit({ ...settings, broker, management, queues: rules ?? [] });
    // Its letters came from a source of that kind, and can go back to no other.
    const sealed = url === null ? undefined : await sources.seal(given, { broker, url });
    const change = {
      ...{ name: given, queues: rules ?? undefined, address: sealed, key, ...settings },
      keys: keys === undefined ? undefined : await sources.sealKeys(given, keys),
      management: management === undefined ? undefined : await sources.sealManagement(given, management),
    };
    const isMoved = [sealed, management, keys, ...Object.values(settings)].some((each) => each !== undefined);
    const details = { action: "sources.changed", source: given, queues: change.queues, isMoved };
    await recorded(office, actor, details, async (transaction) => {
      if (!(await changeAddedSource(ledger, transaction, change))) throw notThere(given);
    });
    return { name: given };
  },
});

export const removeSource = operation({
  name: "sources.remove",
  summary: "lets go of a source: nothing is drained from it or sent to it any more; its letters stay",
  role: "admin",
  inPerson: true,
  input: z.object({ name }),
  output: z.object({ name: z.string() }),
  async run(office, { name: given }, actor) {
    await requireOwn(office, given);
    await recorded(office, actor, { action: "sources.removed", source: given }, async (transaction) => {
      if (!(await removeAddedSource(office.ledger, transaction, given))) throw notThere(given);
    });
    return { name: given };
  },
});

type Transaction = Parameters<typeof removeAddedSource>[1];

interface Recorded {
  readonly action: string;
  readonly source: string;
  readonly queues?: readonly AddedQueue[] | undefined;
  readonly isMoved?: boolean;
}

/** Changes it and remembers who did; this process knows at once, the others within seconds. */
async function recorded(
  { ledger, clock, sources }: Office,
  actor: Actor,
  { action, ...details }: Recorded,
  change: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  await ledger.database.transaction(async (transaction) => {
    await change(transaction);
    await recordAction(ledger, transaction, { at: clock.now(), actor, action, details });
  });
  await sources.book.refresh();
}

async function lookingAt(office: Office, at: TypedAddress | string) {
  await requireNoDemo(office, typeof at === "string" ? at : "typed");
  return office.sources.look(at);
}

async function requireNoDemo({ ledger }: Office, source: string): Promise<void> {
  if (await isDemo(ledger, ledger.database)) throw noRealSource(source);
}

/** One that was connected here, by whichever process of the office: another may have done so, or changed it, a moment ago. */
async function requireOwn({ sources: { book } }: Office, given: string): Promise<ReturnType<typeof book.get>> {
  await book.refresh();
  const added = book.added().find((each) => each.name === given);
  if (added !== undefined) return added;
  if (!book.all().some((each) => each.name === given)) throw notThere(given);
  throw new OfficeError("INVALID_OPTION", `The source ${given} stands in the configuration, which is changed there.`);
}

function taken(given: string): OfficeError {
  return new OfficeError("INVALID_OPTION", `There is a source \`${given}\` already. Give the new one another name.`);
}

function notThere(given: string): OfficeError {
  return new OfficeError("SOURCE_NOT_FOUND", `There is no source \`${given}\` that was connected here.`);
}

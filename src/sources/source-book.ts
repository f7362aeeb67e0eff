import { type Broker, brokers } from "../config/broker-names.ts";
import type { SourceConfig } from "../config/config.ts";
import type { Reference } from "../config/reference.ts";
import { OfficeError } from "../domain/errors.ts";
import { hexOf } from "../domain/ids.ts";
import type { KeyPlace } from "../domain/key-place.ts";
import { nearestName } from "../domain/options.ts";

/** A source that stands in no file: its addresses are kept sealed. */
export interface KeptSource {
  readonly name: string;
  readonly broker: string;
  readonly url: Uint8Array;
  readonly management: Uint8Array | null;
  readonly shown: string;
  readonly schema: string | null;
  readonly prefix: string | null;
  readonly transports: Readonly<Record<string, string>> | null;
  readonly owner: string | null;
  readonly queues: readonly { readonly match: string; readonly mode: "observe" | "drain" }[];
  /** Where consumers find the idempotency key; null: where senders usually put it. */
  readonly key: KeyPlace | null;
  /** Where its ordered consumers keep their blocked keys; null: in its own database if it is PostgreSQL, else unknown. */
  readonly keys: KeptKeys | null;
  /** Sealed; null: another source has them, or nobody said. */
  readonly keysUrl: Uint8Array | null;
}

/** Another source, or a database: its address without what lets somebody in, and the schema. */
export type KeptKeys = { readonly source: string } | { readonly shown: string; readonly schema: string };

export interface BookParts {
  /** Those of the configuration, which win over any of the same name. */
  readonly configured: readonly SourceConfig[];
  /** The others, as they are now. */
  readonly read: () => Promise<readonly KeptSource[]>;
  /** What was sealed for that source. */
  readonly open: (sealed: Uint8Array, source: string) => Promise<string>;
}

/** All sources there are. They come and go while the office runs. */
export interface SourceBook {
  /** The same list until something changes. */
  all(): readonly SourceConfig[];
  /** Refuses a name that no source has. */
  get(name: string): SourceConfig;
  /** Those that are in no file. */
  added(): readonly SourceConfig[];
  /** Reads them anew. */
  refresh(): Promise<void>;
}

export function sourceBook({ configured, read, open }: BookParts): SourceBook {
  const taken = new Set(configured.map(({ name }) => name));
  const references = new Map<string, Reference>();
  let words = "[]";
  let added: readonly SourceConfig[] = [];
  let all: readonly SourceConfig[] = configured;

  /** The same object for the same address: whoever holds a connection to it goes on with that. */
  function referenceTo({ name, shown }: Pick<KeptSource, "name" | "shown">, sealed: Uint8Array): Reference {
    const key = hexOf(sealed);
    const known = references.get(key) ?? { shown, resolve: () => open(sealed, name) };
    references.set(key, known);
    return known;
  }

  function keysOf({ name, keys, keysUrl }: KeptSource): SourceConfig["keys"] {
    if (keys === null || "source" in keys) return keys ?? undefined;
    const { shown, schema } = keys;
    return keysUrl === null ? undefined : { url: referenceTo({ name, shown }, keysUrl), schema };
  }

  function configOf(kept: KeptSource): SourceConfig {
    const { name, broker, url, management, schema, prefix, transports, owner, queues, key } = kept;
    const keys = keysOf(kept);
    return {
      ...{ name, broker: broker as Broker, owner, url: referenceTo(kept, url) },
      ...(management === null ? {} : { management: referenceTo(kept, management) }),
      ...(schema === null ? {} : { schema }),
      ...(prefix === null ? {} : { prefix }),
      ...(transports === null ? {} : { transports }),
      ...(key === null ? {} : { key }),
      ...(keys === undefined ? {} : { keys }),
      queues: queues.map(({ match, mode }) => ({ match, mode, replayTo: null, critical: false })),
    };
  }

  return {
    all: () => all,
    added: () => added,
    get(name) {
      const found = all.find((each) => each.name === name);
      if (found === undefined) throw sourceNotFound(name, all);
      return found;
    },
    async refresh() {
      const kept = (await read()).filter(({ name, broker }) => !taken.has(name) && isBroker(broker));
      const now = JSON.stringify(
        kept.map((each) => [
          each,
          ...[each.url, each.management, each.keysUrl].map((sealed) => sealed && hexOf(sealed)),
        ]),
      );
      if (now === words) return;
      words = now;
      added = kept.map(configOf);
      all = [...configured, ...added];
    },
  };
}

/** An older process may find one of a kind that it does not know yet. */
function isBroker(broker: string): boolean {
  return (brokers as readonly string[]).includes(broker);
}

export function sourceNotFound(name: string, sources: readonly SourceConfig[]): OfficeError {
  const names = sources.map((source) => source.name);
  const nearest = nearestName(name, names);
  const way =
    names.length === 0
      ? "Add it to dlo.config.yaml, under `sources`, or connect it in the web UI."
      : nearest === undefined
        ? `There is ${names.join(", ")}.`
        : `Did you mean \`${nearest}\`?`;
  return new OfficeError("SOURCE_NOT_FOUND", `There is no source \`${name}\`. ${way}`, {
    details: { source: name },
  });
}

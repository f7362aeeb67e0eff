import { statfs } from "node:fs/promises";
import { brokerAt } from "../config/broker-at.ts";
import { type Broker, brokers, isReadInPlace } from "../config/broker-names.ts";
import { misfitsOf, type SettledSource } from "../config/broker-settings.ts";
import { type Reference, type ReferenceOrigin, withoutSecrets } from "../config/reference.ts";
import type { BrokerGuide } from "../doctor/broker-guide.ts";
import { brokerGuides } from "../doctor/broker-guides.ts";
import { type SourceSurvey, surveySource } from "../doctor/survey-source.ts";
import type { Clock } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import type { Sealing } from "../system/sealing.ts";
import type { KeptSource, SourceBook } from "./source-book.ts";

/** An address as somebody typed it. It may hold a password: nothing of it may be shown. */
export interface TypedAddress {
  /** Null: what the address says by how it begins. A job framework has to be named: its address is that of its store. */
  readonly broker: Broker | null;
  readonly url: string;
  readonly management: string | null;
  readonly schema: string | null;
  readonly prefix: string | null;
  readonly transports: KeptSource["transports"];
}

/** Where ordered consumers keep their blocked keys, as somebody typed it: the address may hold a password. */
export type TypedKeys = { readonly source: string } | { readonly url: string; readonly schema: string };

export interface LookedAt extends SourceSurvey {
  readonly broker: Broker;
  /** Nothing would be taken from there. */
  readonly isReadInPlace: boolean;
  /** Where the ledger is, in bytes; null where that is another machine's business. */
  readonly freeBytes: number | null;
}

export interface SealedAddress extends Pick<KeptSource, "url" | "shown"> {
  readonly broker: Broker;
}

/** Where sources are looked at and made ready to be kept. */
export interface SourceDesk {
  readonly book: SourceBook;
  /** Brokers and job frameworks that can be connected, and what to know of each. */
  readonly guides: readonly (BrokerGuide & { readonly broker: Broker; readonly isReadInPlace: boolean })[];
  /** Looks at an address, or at a source there is, and changes nothing there. */
  look(at: TypedAddress | string): Promise<LookedAt>;
  /** Of a source of that name. Refuses what cannot be an address of that broker. */
  seal(name: string, at: Pick<TypedAddress, "broker" | "url">): Promise<SealedAddress>;
  /** Refuses what its kind of source does not know. */
  requireFit(source: SettledSource): void;
  /** Null stays null. */
  sealManagement(name: string, management: string | null): Promise<KeptSource["management"]>;
  /** Refuses what is no PostgreSQL. Null stays null. */
  sealKeys(name: string, keys: TypedKeys | null): Promise<Pick<KeptSource, "keys" | "keysUrl">>;
}

/** All that can be connected, as an address may name them. */
export const connectable = brokers;

export interface DeskParts {
  readonly book: SourceBook;
  readonly sealing: Sealing;
  readonly origin: ReferenceOrigin;
  readonly clock: Clock;
  /** Where the embedded ledger is; null where it is on a server. */
  readonly folder: string | null;
}

const lookLimitMs = 20_000;

export function sourceDesk({ book, sealing, origin, clock, folder }: DeskParts): SourceDesk {
  return {
    book,
    guides: brokers.map((broker) => ({ broker, isReadInPlace: isReadInPlace(broker), ...brokerGuides[broker] })),
    async look(at) {
      const source = typeof at === "string" ? book.get(at) : sourceAt(at);
      const { signal } = new AbortController();
      const survey = await surveySource(source, { origin, clock, signal, limitMs: lookLimitMs });
      const { broker } = source;
      const freeBytes = folder === null ? null : await freeBytesIn(folder);
      return { ...survey, broker, isReadInPlace: isReadInPlace(broker), freeBytes };
    },
    requireFit(source) {
      const [misfit] = misfitsOf(source);
      if (misfit !== undefined)
        throw new OfficeError("INVALID_OPTION", `\`${misfit.path.join(".")}\` ${misfit.message}.`);
    },
    async seal(name, { url, ...at }) {
      const broker = brokerOf({ url, ...at });
      return { broker, url: await sealing.seal(url, aboutSource(name)), shown: withoutSecrets(url) };
    },
    async sealManagement(name, management) {
      return management === null ? null : sealing.seal(management, aboutSource(name));
    },
    async sealKeys(name, keys) {
      if (keys === null) return { keys, keysUrl: null };
      requireDatabase(keys, book);
      if ("source" in keys) return { keys, keysUrl: null };
      const { url, schema } = keys;
      return { keys: { shown: withoutSecrets(url), schema }, keysUrl: await sealing.seal(url, aboutSource(name)) };
    },
  };
}

/** What the addresses of a source are sealed for. */
export function aboutSource(name: string): string {
  return `source ${name}`;
}

function sourceAt({ broker, url, management, schema, prefix }: TypedAddress) {
  return {
    broker: brokerOf({ broker, url }),
    url: asTyped(url),
    ...(prefix === null ? {} : { prefix }),
    ...(management === null ? {} : { management: asTyped(management) }),
    ...(schema === null ? {} : { schema }),
  };
}

function requireDatabase(keys: TypedKeys, book: SourceBook): void {
  if ("source" in keys && book.get(keys.source).broker === "postgres") return;
  if ("url" in keys && brokerAt(keys.url, "…", "keys.url") === "postgres") return;
  const said = "source" in keys ? `the source ${keys.source} is not` : "that address is not";
  throw new OfficeError(
    "INVALID_OPTION",
    `Consumers keep their blocked keys in a PostgreSQL, which ${said} one. Name a source of broker postgres, or give an address such as postgres://host/database.`,
  );
}

/** What was chosen, if that can be where the address leads; else what the address says. */
function brokerOf({ broker, url }: Pick<TypedAddress, "broker" | "url">): Broker {
  const found = brokerAt(url, "…", "url");
  if (broker === null || broker === found) return found;
  const { product, address } = brokerGuides[broker];
  if (isReadInPlace(broker) && brokerAt(address) === found) return broker;
  throw new OfficeError(
    "INVALID_OPTION",
    `That is an address of ${brokerGuides[found].product}, and ${product} is at one such as ${address}`,
  );
}

/** Taken as it is: a name of a variable or a file in it would send a secret of this machine to wherever somebody likes. */
function asTyped(text: string): Reference {
  return { shown: withoutSecrets(text), resolve: async () => text };
}

async function freeBytesIn(folder: string): Promise<number | null> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

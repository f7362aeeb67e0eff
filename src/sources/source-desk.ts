import { statfs } from "node:fs/promises";
import { brokerAt } from "../config/broker-at.ts";
import type { Broker } from "../config/broker-names.ts";
import { type Reference, type ReferenceOrigin, withoutSecrets } from "../config/reference.ts";
import { type BrokerGuide, brokerGuides } from "../doctor/broker-guides.ts";
import { type SourceSurvey, surveySource } from "../doctor/survey-source.ts";
import type { Clock } from "../domain/clock.ts";
import type { Sealing } from "../system/sealing.ts";
import type { KeptSource, SourceBook } from "./source-book.ts";

/** An address as somebody typed it. It may hold a password: nothing of it may be shown. */
export interface TypedAddress {
  readonly url: string;
  readonly management: string | null;
  readonly schema: string | null;
}

export interface LookedAt extends SourceSurvey {
  readonly broker: Broker;
  /** Where the ledger is, in bytes; null where that is another machine's business. */
  readonly freeBytes: number | null;
}

export type SealedAddress = Pick<KeptSource, "broker" | "url" | "shown">;

/** Where sources are looked at and made ready to be kept. */
export interface SourceDesk {
  readonly book: SourceBook;
  /** Brokers that can be connected, and what to know of each. */
  readonly guides: readonly (BrokerGuide & { readonly broker: string })[];
  /** Looks at an address, or at a source there is, and changes nothing there. */
  look(at: TypedAddress | string): Promise<LookedAt>;
  /** Of a source of that name. Refuses what cannot be an address of a broker. */
  seal(name: string, url: string): Promise<SealedAddress>;
  /** Null stays null. */
  sealManagement(name: string, management: string | null): Promise<KeptSource["management"]>;
}

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
    guides: Object.entries(brokerGuides).map(([broker, guide]) => ({ broker, ...guide })),
    async look(at) {
      const source = typeof at === "string" ? book.get(at) : sourceAt(at);
      const { signal } = new AbortController();
      const survey = await surveySource(source, { origin, clock, signal, limitMs: lookLimitMs });
      return { ...survey, broker: source.broker, freeBytes: folder === null ? null : await freeBytesIn(folder) };
    },
    async seal(name, url) {
      const broker = brokerAt(url, "…", "url");
      return { broker, url: await sealing.seal(url, aboutSource(name)), shown: withoutSecrets(url) };
    },
    async sealManagement(name, management) {
      return management === null ? null : sealing.seal(management, aboutSource(name));
    },
  };
}

/** What the addresses of a source are sealed for. */
export function aboutSource(name: string): string {
  return `source ${name}`;
}

function sourceAt({ url, management, schema }: TypedAddress) {
  return {
    broker: brokerAt(url, "…", "url"),
    url: asTyped(url),
    ...(management === null ? {} : { management: asTyped(management) }),
    ...(schema === null ? {} : { schema }),
  };
}

/** Taken as it is: a name of a variable or a file in it would send a secret of this machine to wherever somebody likes. */
function asTyped(text: string): Reference {
  return { shown: withoutSecrets(text), resolve: async () => text };
}

async function freeBytesIn(folder: string): Promise<number | null> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

import { type Broker, jobFrameworks } from "../config/broker-names.ts";
import { OfficeError } from "../domain/errors.ts";
import { type KeysAddress, withBlockedKeys } from "./consumers-keys.ts";
import type { OpenedSource, OpenParts } from "./opened-source.ts";

const jobs = async () => (await import("./jobs-source.ts")).openJobs;

type Open = (parts: OpenParts) => Promise<OpenedSource>;

/** Who opens what. Each is loaded when it is needed: its client may not be installed. */
const openers: Partial<Readonly<Record<Broker, () => Promise<Open>>>> = {
  rabbitmq: async () => (await import("./rabbitmq-source.ts")).openRabbitmq,
  kafka: async () => (await import("./kafka-source.ts")).openKafka,
  sqs: async () => (await import("./sqs-source.ts")).openSqs,
  redis: async () => (await import("./redis-source.ts")).openRedis,
  nats: async () => (await import("./nats-source.ts")).openNats,
  postgres: async () => (await import("./postgres-source.ts")).openPostgres,
  ...Object.fromEntries(jobFrameworks.map((name) => [name, jobs])),
};

export interface SourceParts extends Omit<OpenParts, "url"> {
  /** Where its ordered consumers keep their blocked keys. @default where the source itself says, if it does */
  readonly keys?: KeysAddress | null;
}

/** Connects to a source of the configuration, to take letters from it and to send them back. */
export async function openSource({ keys = null, ...parts }: SourceParts): Promise<OpenedSource> {
  const { broker, name, url } = parts.source;
  const load = openers[broker];
  if (load === undefined) {
    const text = `Source \`${name}\` is ${broker}, which can be neither drained nor replayed to in this version.`;
    throw new OfficeError("INVALID_OPTION", text);
  }
  const open = await load();
  const opened = await open({ ...parts, url: await url.resolve(parts.origin) });
  return keys === null ? opened : withBlockedKeys(opened, keys, parts.origin);
}

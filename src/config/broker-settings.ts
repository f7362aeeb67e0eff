import { type Broker, isReadInPlace } from "./broker-names.ts";

/** Settings that only some kinds of source have. */
export type BrokerSetting = "management" | "schema" | "prefix" | "transports";

const onlyFor: Readonly<Record<BrokerSetting, readonly Broker[]>> = {
  management: ["rabbitmq"],
  schema: ["postgres", "pg-boss", "river", "graphile-worker", "laravel", "symfony-messenger"],
  prefix: ["bullmq", "sidekiq", "dramatiq"],
  transports: ["symfony-messenger"],
};

const staysThere = "must be observe: failed jobs are read where they are, and stay there until they are put back";

/** As much of a source as its kind has a say in. */
export type SettledSource = {
  readonly broker: Broker;
  readonly queues: readonly { readonly mode: "observe" | "drain" }[];
} & {
  readonly [key in BrokerSetting]?: unknown;
};

interface Misfit {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What is said of a source that its kind does not know. */
export function misfitsOf(source: SettledSource): readonly Misfit[] {
  const strange = Object.entries(onlyFor)
    .filter(([key, its]) => (source[key as BrokerSetting] ?? null) !== null && !its.includes(source.broker))
    .map(([key, its]) => ({ path: [key], message: `is only for ${its.join(", ")}` }));
  if (!isReadInPlace(source.broker)) return strange;
  const taken = source.queues.flatMap(({ mode }, index) =>
    mode === "drain" ? [{ path: ["queues", index, "mode"], message: staysThere }] : [],
  );
  return [...strange, ...taken];
}

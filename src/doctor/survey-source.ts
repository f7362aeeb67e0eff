import type { Broker } from "../config/broker-names.ts";
import type { QueueCensus, TakeCensus } from "../inspectors/census.ts";
import { type FoundQueue, foundQueues } from "../wiring/dead-letter-queues.ts";
import type { Gap } from "../wiring/wiring.ts";
import type { BrokerGuide } from "./broker-guide.ts";
import { brokerGuides } from "./broker-guides.ts";
import { type InspectOptions, inspectSource, type NamedSource, placeOf } from "./inspect-source.ts";

/** What somebody should know before a source is drained. */
export interface SourceSurvey {
  readonly product: string;
  readonly queues: readonly SurveyedQueue[];
  /** Queues that hold no dead letters. */
  readonly otherQueues: number;
  readonly gaps: readonly Gap[];
  readonly guide: BrokerGuide;
}

export interface SurveyedQueue extends FoundQueue, Pick<QueueCensus, "bytes" | "consumers"> {}

/** Who counts what; without one nobody tells of bytes and consumers. */
const censuses: Partial<Readonly<Record<Broker, () => Promise<TakeCensus>>>> = {
  rabbitmq: async () => (await import("../inspectors/rabbitmq/rabbitmq-census.ts")).rabbitmqCensus,
};

/** The fullest are counted one by one; nobody reads a longer list. */
const mostCounted = 50;

/** Looks at a broker and changes nothing in it. */
export async function surveySource(source: NamedSource, options: InspectOptions): Promise<SourceSurvey> {
  const guide = brokerGuides[source.broker];
  const { wiring } = await inspectSource(source, options);
  const found = foundQueues(wiring, false);
  const counted = await censusOf(source, found.slice(0, mostCounted), options);
  return {
    ...{ product: wiring.product, gaps: wiring.gaps, guide },
    queues: found.map((each) => ({ ...uncounted, ...counted.get(each.queue), ...each })),
    otherQueues: wiring.queues.length - found.length,
  };
}

const uncounted = { bytes: null, consumers: null };

async function censusOf(
  source: NamedSource,
  found: readonly FoundQueue[],
  { origin, signal, limitMs }: InspectOptions,
): Promise<ReadonlyMap<string, QueueCensus>> {
  const takeCensus = await censuses[source.broker]?.();
  if (takeCensus === undefined) return new Map();
  const names = found.map(({ queue }) => queue);
  const counted = await takeCensus(await placeOf(source, origin), names, { signal, limitMs });
  return new Map(counted.map((each) => [each.queue, each]));
}

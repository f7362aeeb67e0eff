import { type Broker, type JobFrameworkName, jobFrameworks } from "../config/broker-names.ts";
import type { SourceConfig } from "../config/config.ts";
import type { ReferenceOrigin } from "../config/reference.ts";
import { type Clock, within } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import type { Inspect, Inspection, Place } from "../inspectors/inspector.ts";

const jobsOf = async (name: JobFrameworkName) => (await import("../inspectors/jobs/inspect-jobs.ts")).inspectJobs(name);

/** Who looks at what. Each is loaded when it is needed: its client may not be installed. */
const inspectors: Partial<Readonly<Record<Broker, () => Promise<Inspect>>>> = {
  rabbitmq: async () => (await import("../inspectors/rabbitmq/inspect-rabbitmq.ts")).inspectRabbitmq,
  kafka: async () => (await import("../inspectors/kafka/inspect-kafka.ts")).inspectKafka,
  sqs: async () => (await import("../inspectors/sqs/inspect-sqs.ts")).inspectSqs,
  redis: async () => (await import("../inspectors/redis/inspect-redis.ts")).inspectRedis,
  nats: async () => (await import("../inspectors/nats/inspect-nats.ts")).inspectNats,
  postgres: async () => (await import("../inspectors/postgres/inspect-postgres.ts")).inspectPostgres,
  ...Object.fromEntries(jobFrameworks.map((name) => [name, () => jobsOf(name)])),
};

export type NamedSource = Pick<SourceConfig, "broker" | "url"> &
  Partial<Pick<SourceConfig, "management" | "schema" | "prefix">>;

export interface InspectOptions {
  readonly origin: ReferenceOrigin;
  readonly clock: Clock;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  /** How long it may take altogether, in milliseconds. */
  readonly limitMs: number;
}

/** Whether there is somebody to look at that kind of broker. */
export function canInspect(broker: Broker): boolean {
  return inspectors[broker] !== undefined;
}

/** Looks at a source within the time given, whatever the other side does. */
export async function inspectSource(source: NamedSource, options: InspectOptions): Promise<Inspection> {
  const load = inspectors[source.broker];
  if (load === undefined) throw new OfficeError("INVALID_CONFIG", `dlo cannot look at ${source.broker} yet.`);
  const place = await placeOf(source, options.origin);
  const inspect = await load();
  const { clock, limitMs } = options;
  const stop = new AbortController();
  const tooLate = () => {
    stop.abort();
    throw new OfficeError(
      "TRANSPORT_UNAVAILABLE",
      `It did not answer within ${limitMs / 1_000} s. Give it more with --timeout.`,
    );
  };
  const looking = inspect(place, { signal: AbortSignal.any([stop.signal, options.signal]), limitMs });
  return within(clock, limitMs, looking, tooLate);
}

/** With its references resolved. */
export async function placeOf(
  { url, management, schema, prefix }: NamedSource,
  origin: ReferenceOrigin,
): Promise<Place> {
  return {
    url: await url.resolve(origin),
    ...(management === undefined ? {} : { management: await management.resolve(origin) }),
    ...(schema === undefined ? {} : { schema }),
    ...(prefix === undefined ? {} : { prefix }),
  };
}

import type { API, Connection } from "@platformatic/kafka";
import { isOfficeError, OfficeError } from "../../../domain/errors.ts";
import { type KafkaBrokerAddress, KafkaFault, type TopicPartition } from "../driver.ts";
import { type ConnectionSettings, Connections, type Library, loadLibrary } from "./connections.ts";

export interface ClusterSettings extends ConnectionSettings {
  /** Some brokers to begin with; they know the others. */
  readonly brokers: readonly KafkaBrokerAddress[];
}

/** How a request is sent: on which connection, and how long the broker may keep it. */
export interface Route {
  readonly purpose: string;
  readonly broker: KafkaBrokerAddress;
  readonly waitMs?: number;
}

type Chosen<Args extends unknown[], Answer> = (library: Library) => API<Args, Answer>;

/** Which broker is asked what: leaders of partitions and coordinators of groups, remembered until they prove wrong. */
export class Cluster {
  readonly connections: Connections;
  readonly #settings: ClusterSettings;
  readonly #leaders = new Map<string, readonly (KafkaBrokerAddress | undefined)[]>();
  readonly #coordinators = new Map<string, KafkaBrokerAddress>();
  #known: readonly KafkaBrokerAddress[] = [];

  constructor(settings: ClusterSettings) {
    this.#settings = settings;
    this.connections = new Connections(settings);
  }

  get answerWithinMs(): number {
    return this.#settings.answerWithinMs;
  }

  /** Rejects if anything in the answer is a fault. */
  ask<Args extends unknown[], Answer>(route: Route, choose: Chosen<Args, Answer>, ...args: Args): Promise<Answer> {
    return this.#send(route, choose, args, () => undefined);
  }

  /** The answer with the faults in it, where some of it may be good. */
  askForParts<Args extends unknown[], Answer>(
    route: Route,
    choose: Chosen<Args, Answer>,
    ...args: Args
  ): Promise<Answer> {
    return this.#send(route, choose, args, responseIn);
  }

  /** Asks one broker after the other until one answers. */
  async askAny<Args extends unknown[], Answer>(choose: Chosen<Args, Answer>, ...args: Args): Promise<Answer> {
    let failure: unknown;
    for (const broker of [...this.#known, ...this.#settings.brokers]) {
      try {
        return await this.ask({ purpose: "ask", broker }, choose, ...args);
      } catch (error) {
        if (!isOfficeError(error, "TRANSPORT_UNAVAILABLE")) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** Asks every broker: of what each knows only a part. */
  async askAll<Args extends unknown[], Answer>(choose: Chosen<Args, Answer>, ...args: Args): Promise<Answer[]> {
    await this.describe([]);
    return Promise.all(this.#known.map((broker) => this.ask({ purpose: "ask", broker }, choose, ...args)));
  }

  /** Asks whoever leads a partition; if that fails, somebody else may lead it by now. */
  async askLeader<Args extends unknown[], Answer>(
    of: TopicPartition,
    choose: Chosen<Args, Answer>,
    ...args: Args
  ): Promise<Answer> {
    try {
      return await this.ask({ purpose: "ask", broker: await this.leader(of) }, choose, ...args);
    } catch (error) {
      this.forgetLeaders(of.topic);
      throw error;
    }
  }

  /** Reads anew who leads what; of all topics, if none is named. */
  async describe(topics: readonly string[] | null): Promise<ReadonlyMap<string, number>> {
    const answer = await this.#metadata(topics);
    const brokers = new Map(answer.brokers.map(({ nodeId, host, port }) => [nodeId, { host, port }]));
    this.#known = [...brokers.values()];
    const counts = new Map<string, number>();
    for (const { name, errorCode, partitions } of answer.topics) {
      if (errorCode !== 0) continue;
      counts.set(name, partitions.length);
      const leaders: (KafkaBrokerAddress | undefined)[] = [];
      for (const { partitionIndex, leaderId } of partitions) leaders[partitionIndex] = brokers.get(leaderId);
      this.#leaders.set(name, leaders);
    }
    return counts;
  }

  async leader({ topic, partition }: TopicPartition): Promise<KafkaBrokerAddress> {
    const known = this.#leaders.get(topic)?.[partition];
    if (known !== undefined) return known;
    await this.describe([topic]);
    const leaders = this.#leaders.get(topic);
    const leader = leaders?.[partition];
    if (leader !== undefined) return leader;
    this.#leaders.delete(topic);
    throw new KafkaFault(leaders?.length ? "LEADER_NOT_AVAILABLE" : "UNKNOWN_TOPIC_OR_PARTITION", topic);
  }

  /** Of each of these partitions, in their order; undefined where there is none at present. */
  async leaders(partitions: readonly TopicPartition[]): Promise<readonly (KafkaBrokerAddress | undefined)[]> {
    const known = () => partitions.map(({ topic, partition }) => this.#leaders.get(topic)?.[partition]);
    const leaders = known();
    const leaderless = partitions.filter((_, index) => leaders[index] === undefined).map(({ topic }) => topic);
    if (leaderless.length === 0) return leaders;
    await this.describe([...new Set(leaderless)]);
    return known();
  }

  forgetLeaders(topic: string): void {
    this.#leaders.delete(topic);
  }

  /** Of a consumer group, or of the transactions of a producer with that name. */
  async coordinator(name: string, kind: CoordinatorKind = "group"): Promise<KafkaBrokerAddress> {
    const known = this.#coordinators.get(`${kind}/${name}`);
    if (known !== undefined) return known;
    const { coordinators } = await this.askAny((library) => library.findCoordinatorV3.api, coordinatorKinds[kind], [
      name,
    ]);
    const [found] = coordinators;
    if (found === undefined) throw new KafkaFault("COORDINATOR_NOT_AVAILABLE");
    const broker = { host: found.host, port: found.port };
    this.#coordinators.set(`${kind}/${name}`, broker);
    return broker;
  }

  forgetCoordinator(name: string, kind: CoordinatorKind = "group"): void {
    this.#coordinators.delete(`${kind}/${name}`);
  }

  async #metadata(topics: readonly string[] | null) {
    let failure: unknown;
    for (const broker of [...this.#known, ...this.#settings.brokers]) {
      try {
        const route = { purpose: "ask", broker };
        return await this.askForParts(route, ({ metadataV9 }) => metadataV9.api, topics && [...topics], false);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async #send<Args extends unknown[], Answer>(
    { purpose, broker, waitMs = 0 }: Route,
    choose: Chosen<Args, Answer>,
    args: Args,
    answerIn: (error: unknown) => unknown,
  ): Promise<Answer> {
    try {
      const connection: Connection = await this.connections.to(purpose, broker, waitMs);
      return await choose(await loadLibrary()).async(connection, ...args);
    } catch (error) {
      const answer = answerIn(error);
      if (answer !== undefined) return answer as Answer;
      throw translated(error, broker);
    }
  }
}

const coordinatorKinds = { group: 0, transaction: 1 } as const;
type CoordinatorKind = keyof typeof coordinatorKinds;

/** What the client library puts into its errors. */
interface LibraryError {
  readonly message: string;
  readonly code?: string;
  readonly cause?: unknown;
  readonly response?: unknown;
  readonly errors?: readonly { readonly apiId?: string; readonly serverErrorMessage?: string | null }[];
}

/** The client rejects an answer that has a fault anywhere; the rest of it is still good. */
function responseIn(error: unknown): unknown {
  return isOfficeError(error) ? undefined : (error as LibraryError).response;
}

function translated(error: unknown, { host, port }: KafkaBrokerAddress): unknown {
  if (isOfficeError(error)) return error;
  const { message, cause, errors } = error as LibraryError;
  const refusal = errors?.find(({ apiId }) => apiId !== undefined);
  if (refusal?.apiId !== undefined) return new KafkaFault(refusal.apiId, refusal.serverErrorMessage);
  if (isRefusedLogin(error)) return loginRefused(`${host}:${port}`, error);
  const why = cause instanceof Error ? `${message} ${cause.message}` : message;
  return new OfficeError("TRANSPORT_UNAVAILABLE", `Kafka at ${host}:${port} gave no answer: ${why}`, { cause: error });
}

function isRefusedLogin(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as LibraryError).code === "PLT_KFK_AUTHENTICATION" || isRefusedLogin(error.cause);
}

/** The broker is there: looking for it in the network is no use. Passwords are changed, so it is asked again. */
function loginRefused(address: string, cause: unknown): OfficeError {
  return new OfficeError(
    "TRANSPORT_UNAVAILABLE",
    `Kafka at ${address} refuses the mechanism, the user or the password in \`sasl\`.`,
    { cause },
  );
}

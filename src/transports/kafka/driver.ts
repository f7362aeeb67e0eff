/**
 * What the transport asks of a Kafka client, and no more: the calls of the protocol that a consumer of its own making
 * needs. One client library is behind it (platformatic/); another can be put there without a change elsewhere.
 *
 * Every call may reject with a `KafkaFault` (the broker's own refusal, by its name) or with TRANSPORT_UNAVAILABLE (no
 * broker could be asked, or none answered in time).
 */
export interface KafkaDriver {
  /** How many partitions each of these topics has, or each topic there is; topics that do not exist are left out. */
  partitionCounts(topics: readonly string[] | "all"): Promise<ReadonlyMap<string, number>>;
  /** Makes topics; those that exist already stay as they are. */
  makeTopics(topics: readonly NewTopic[]): Promise<void>;
  /** Adds partitions to a topic until it has `count`. */
  addPartitions(topic: string, count: number): Promise<void>;
  /**
   * Resolves once all replicas in sync have it. Repeats by itself, under the same producer id and sequence number, so that
   * a lost answer makes no second record.
   */
  produce(to: TopicPartition, record: OutgoingRecord): Promise<Produced>;
  /** Records that count together or not at all, produced under a name. */
  namedProducer(name: string): NamedProducer;
  /**
   * The first offset a partition still has; the one behind the last that readers of committed records see; or the one
   * behind all that is written, given up or not.
   */
  edgeOffset(of: TopicPartition, edge: "earliest" | "latest" | "written"): Promise<number>;
  /** All that is in a partition from there on and before `until`, given up or not, a batch at a time. */
  scan(from: Position, until: number): AsyncIterable<LoggedBatch>;
  /** All consumer groups there are. */
  groups(): Promise<readonly string[]>;
  /** Forgets all records before this offset. */
  trim(to: Position): Promise<void>;
  /** Connections of its own for one consumer: what one waits for must not keep another waiting. */
  session(group: string): GroupSession;
  close(): Promise<void>;
}

/** Where a broker is. */
export interface KafkaBrokerAddress {
  readonly host: string;
  readonly port: number;
}

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

export interface Position extends TopicPartition {
  readonly offset: number;
}

export interface NewTopic {
  readonly name: string;
  /** -1: as many as the broker gives by itself. */
  readonly partitions: number;
  readonly replicas: number;
  readonly configuration: Readonly<Record<string, string>>;
}

export type RecordHeader = readonly [name: Buffer, value: Buffer | null];

export interface OutgoingRecord {
  readonly key: Buffer | null;
  /** Null is a tombstone. */
  readonly value: Buffer | null;
  /** In order, repeats kept. */
  readonly headers: readonly RecordHeader[];
}

/** Where a record lies. */
export interface Produced {
  /** -1 if the broker has had it for so long that it no longer knows where. */
  readonly offset: number;
  /** The broker's time when it appended it, in milliseconds since 1970; null where the topic goes by producers' clocks. */
  readonly appendedAt: number | null;
}

export interface IncomingRecord extends OutgoingRecord {
  readonly offset: number;
  /** Milliseconds since 1970: when the broker appended it, where the topic says so, else what its producer said. */
  readonly timestamp: number;
}

/** As it lies in the log. Offsets that no batch covers were there once, and are not any more. */
export type LoggedBatch = {
  readonly producerId: bigint;
  readonly firstOffset: number;
  readonly lastOffset: number;
} & (
  | { readonly kind: "records"; readonly isTransactional: boolean; readonly records: readonly IncomingRecord[] }
  /** The end of that producer's transaction. */
  | { readonly kind: "commit" | "abort" }
);

/** A producer with a name. One at a time: whoever comes later shuts out who was there before. */
export interface NamedProducer {
  /**
   * Comes first, and again after anything failed: shuts out whoever produces under this name, and gives up what was not
   * committed. When it resolves, all of that is over.
   */
  fence(): Promise<void>;
  /** As `KafkaDriver.produce`, in the transaction that is open; opens one if none is. */
  produce(to: TopicPartition, record: OutgoingRecord): Promise<Produced>;
  /** Resolves when what was produced counts for good. If it rejects, whether it does is unknown. */
  commit(): Promise<void>;
}

export interface FetchOptions {
  readonly maxWaitMs: number;
  /** What one partition gives at a time, in bytes; a single batch that is larger is given all the same. */
  readonly maxPartitionBytes: number;
  /** Requests of different slots do not wait for each other. */
  readonly slot: number;
}

/** Records that were fetched, one after the other; null when there are no more. */
export interface RecordReader {
  next(): IncomingRecord | null;
}

/** What a partition answered. */
export type Fetched = TopicPartition &
  (
    | {
        readonly kind: "records";
        readonly records: RecordReader;
        /** What they take in memory. */
        readonly bytes: number;
        /** Where to go on: behind the last batch, also if nothing of it counts. */
        readonly nextOffset: number;
      }
    /** The offset asked for is no longer, or not yet, in the log. */
    | { readonly kind: "out-of-range" }
    /** It cannot be read at present; others can. */
    | { readonly kind: "failed"; readonly fault: KafkaFault }
  );

/** Partitions that one broker leads. */
export interface Share<Partition> {
  readonly leader: KafkaBrokerAddress;
  readonly partitions: readonly Partition[];
}

/** What one member of a classic consumer group asks. */
export interface GroupSession {
  /** Whom to ask for which; partitions that nobody leads at present are left out. */
  leaders<Partition extends TopicPartition>(partitions: readonly Partition[]): Promise<readonly Share<Partition>[]>;
  /**
   * Waits up to `maxWaitMs` for records of committed transactions, or of none, of partitions that `leader` leads.
   */
  fetch(leader: KafkaBrokerAddress, positions: readonly Position[], options: FetchOptions): Promise<readonly Fetched[]>;
  join(request: JoinRequest): Promise<Joined>;
  sync(member: Membership, protocol: string, assignments: ReadonlyMap<string, Buffer>): Promise<Buffer>;
  heartbeat(member: Membership): Promise<void>;
  leave(memberId: string): Promise<void>;
  commit(member: Membership, offsets: readonly CommittedOffset[]): Promise<void>;
  /** What was committed last; partitions without a commit are left out. */
  committed(partitions: readonly TopicPartition[]): Promise<readonly CommittedOffset[]>;
  /** Calls under way reject. */
  close(): Promise<void>;
}

export interface JoinRequest {
  /** Empty for somebody new. */
  readonly memberId: string;
  readonly protocol: string;
  readonly metadata: Buffer;
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  /** Told the id a new member gets, while it still waits to join. */
  readonly named: (memberId: string) => void;
}

export interface Membership {
  readonly memberId: string;
  readonly generation: number;
}

export interface Joined extends Membership {
  /** For the leader, who assigns: everybody. Empty for the others. */
  readonly members: readonly { readonly memberId: string; readonly metadata: Buffer }[];
}

export interface CommittedOffset extends Position {
  readonly metadata: string;
}

/** The broker's refusal, by the name the protocol has for it. */
export class KafkaFault extends Error {
  override readonly name = "KafkaFault";
  readonly fault: string;

  constructor(fault: string, detail?: string | null) {
    super(detail ? `Kafka answered ${fault}: ${detail}` : `Kafka answered ${fault}.`);
    this.fault = fault;
  }
}

export function isFault(error: unknown, ...faults: readonly string[]): error is KafkaFault {
  return error instanceof KafkaFault && faults.includes(error.fault);
}

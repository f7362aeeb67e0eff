import type { API, fetchV12, Reader } from "@platformatic/kafka";
import type { Decompress } from "../batch-cursor.ts";
import type { AbortedTransaction } from "../committed-records.ts";
import { KafkaFault } from "../driver.ts";
import type { Library } from "./connections.ts";

export interface FetchAnswer {
  readonly errorCode: number;
  readonly partitions: readonly PartitionAnswer[];
}

export interface PartitionAnswer {
  readonly topic: string;
  readonly partition: number;
  readonly errorCode: number;
  readonly aborted: readonly AbortedTransaction[];
  /** Batches as they lie in the log. */
  readonly bytes: Buffer;
}

type FetchApi = API<fetchV12.FetchRequest, FetchAnswer>;

const key = 1;
const version = 12;
const made = new WeakMap<Library, FetchApi>();

/** Fetching as the library has it, except that records stay bytes until somebody wants them. */
export function fetchApi(library: Library): FetchApi {
  const known = made.get(library);
  if (known !== undefined) return known;
  const api = library.createAPI<fetchV12.FetchRequest, FetchAnswer>(
    ...([key, version, library.fetchV12.createRequest] as const),
    (_correlationId, _key, _version, reader) => readAnswer(reader),
  );
  made.set(library, api);
  return api;
}

/** After the time it was held back, which is nothing to us. */
function readAnswer(reader: Reader): FetchAnswer {
  reader.readInt32();
  const errorCode = reader.readInt16();
  reader.readInt32();
  const topics = reader.readArray(readTopic);
  return { errorCode, partitions: topics.flat() };
}

function readTopic(reader: Reader): PartitionAnswer[] {
  const topic = reader.readString();
  return reader.readArray((partition) => readPartition(partition, topic));
}

function readPartition(reader: Reader, topic: string): PartitionAnswer {
  const partition = reader.readInt32();
  const errorCode = reader.readInt16();
  // The high watermark, the last stable offset, and where the log begins.
  for (let passed = 0; passed < 3; passed++) reader.readInt64();
  const aborted = reader.readNullableArray((one) => ({
    producerId: one.readInt64(),
    firstOffset: one.readInt64(),
  }));
  // The replica one would rather have asked.
  reader.readInt32();
  const bytes = reader.readNullableBytes() ?? Buffer.alloc(0);
  return { topic, partition, errorCode, aborted: aborted ?? [], bytes };
}

export function decompressionOf({ compressionsAlgorithmsByBitmask: algorithms }: Library): Decompress {
  return (compression, packed) => {
    const algorithm = algorithms[compression];
    if (algorithm === undefined) throw new KafkaFault("UNSUPPORTED_COMPRESSION_TYPE", String(compression));
    return algorithm.decompressSync(packed);
  };
}

import { isOfficeError, OfficeError } from "../../domain/errors.ts";

interface Refusal {
  /** What Redis or its client says; within a script it may stand anywhere in the sentence. */
  readonly says: RegExp;
  readonly code: "INVALID_OPTION" | "ACCESS_REFUSED" | "TRANSPORT_UNAVAILABLE";
  readonly sentence: string;
  /** What is said instead where Redis holds the jobs of a framework. */
  readonly ofJobs?: string;
}

/** What somebody has Redis for. */
export type RedisUse = "streams" | "jobs";

const refusals: readonly Refusal[] = [
  {
    says: /\bWRONGTYPE\b/u,
    code: "INVALID_OPTION",
    sentence: "A key of this queue's name is there and is no stream. Name another queue, or rename that key.",
    ofJobs:
      "A key is not of the kind that this framework keeps there, and nothing was changed. See whether `broker` and `prefix` of the " +
      "source are right, and whether something else uses this database of Redis.",
  },
  {
    says: /\b(MOVED|CROSSSLOT|CLUSTERDOWN)\b/u,
    code: "INVALID_OPTION",
    sentence:
      "This is a Redis Cluster, where a queue and its dead letters may be on two servers and nothing is done in one step. " +
      "Use a single Redis, or one with replicas.",
  },
  {
    // The third is what version 7.0 says to a script.
    says: /\b(NOAUTH|WRONGPASS|NOPERM)\b|invalid username-password|user executing the script can't/u,
    code: "ACCESS_REFUSED",
    sentence:
      "Redis does not let this user in, or not do this. See its user, password and rights (`ACL GETUSER`): it needs +@stream, " +
      "+@scripting, +@transaction, +@hash, +@sortedset and the keys of its queues and `dlo:*`.",
    ofJobs:
      "Redis does not let this user in, or not do this; no job was changed. See its user, password and rights (`ACL GETUSER`): to " +
      "read it needs +@read and the keys of the framework, to put jobs back also +eval, +evalsha, +script|load and what it writes with. `GET /api/v1/sources/guides`, and *Connect a source*, spell it out.",
  },
  {
    says: /\bOOM\b/u,
    code: "TRANSPORT_UNAVAILABLE",
    sentence: "Redis is out of memory and takes no messages. Raise `maxmemory`, or let consumers catch up.",
  },
  {
    says: /\bunknown command\b/iu,
    code: "INVALID_OPTION",
    sentence: "This Redis is too old, or has commands taken away: streams with XAUTOCLAIM are there from 6.2 on.",
    ofJobs: "This Redis is too old, or has commands taken away that the framework's own workers need.",
  },
];

/** What the client says of a connection that was lost, whatever the cause. */
const lost = /max retries per request|^Connection is closed/u;

/**
 * What Redis or its client said, as a refusal of ours; silence and all the rest may pass. `trouble` is what the connection
 * itself complained of last, which says more than that it is lost.
 */
export function refusalOf(given: unknown, trouble: unknown, use: RedisUse): OfficeError {
  if (isOfficeError(given)) return given;
  const error = trouble != null && given instanceof Error && lost.test(given.message) ? trouble : given;
  const said = error instanceof Error ? error.message : String(error);
  const known = refusals.find(({ says }) => says.test(said));
  if (known !== undefined) {
    const sentence = (use === "jobs" ? known.ofJobs : undefined) ?? known.sentence;
    return new OfficeError(known.code, sentence, { details: { redis: said }, cause: error });
  }
  return new OfficeError("TRANSPORT_UNAVAILABLE", `Redis did not do it: ${said}`, { cause: error });
}

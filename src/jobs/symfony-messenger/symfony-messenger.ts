import { isObject, jsonText, parseContainer } from "../../dialects/json.ts";
import { receiverOf, withoutFailure } from "../../dialects/rabbitmq/symfony-messenger.ts";
import { type Database, type Queries, quoteName } from "../../domain/database.ts";
import type { Message } from "../../domain/message.ts";
import type { JobFailure, JobFramework, JobOutlook, PutBackRefusal } from "../job-framework.ts";
import { columnOf } from "../job-record.ts";
import { postgresFramework } from "../postgres-framework.ts";

const symfonyDefaults = { schema: "public" } as const;

/** The queue of Symfony's own recipe for a failure transport. */
const usual = "failed";

/** `created_at` is in the application's own time, which stands still for an hour, or leaps by one, twice a year. */
const clockChangeS = 7_200;

/**
 * What a retry took and never finished: Messenger gives it out again after an hour, unless it is told another time
 * (`redeliver_timeout`). A day is enough for that one, and for whatever zone the application's time is in.
 */
const takenS = 86_400;

export interface SymfonyOptions {
  readonly schema?: string | undefined;
  /** By the name of a transport: the `queue_name` of its messages. */
  readonly transports?: Readonly<Record<string, string>> | undefined;
}

/**
 * Symfony Messenger with a failure transport of Doctrine: what failed is a row like those that wait, with a stamp that says which
 * transport it came from. To put it back takes the stamps of the failure off, which can be done where they are JSON.
 */
export function symfonyMessenger(
  database: Database,
  { schema = symfonyDefaults.schema, transports = {} }: SymfonyOptions,
): JobFramework {
  const at = quoteName(schema);
  const stamp = "%SentToFailureTransportStamp%";
  // Stamps are in the headers, or in a body that PHP serialised: in any other the word is somebody's text, and need not be read.
  const isStamped = `j.headers like '${stamp}' or (left(j.body, 2) = 'O:' and j.body like '${stamp}')`;
  const isFailure = `(j.queue_name = '${usual}' or ${isStamped})`;
  const sinceTaken = "(now() at time zone 'UTC') - j.delivered_at";
  const isFailed = `${isFailure} and (j.delivered_at is null or ${sinceTaken} > interval '${takenS}s')`;
  const framework = postgresFramework(database, {
    ...{ product: "Symfony Messenger", schema, table: "messenger_messages", called: "messenger_messages" },
    needed: ["id", "body", "headers", "queue_name", "created_at", "available_at", "delivered_at"],
    from: `${at}.messenger_messages j`,
    names: `select distinct queue_name as name from ${at}.messenger_messages j where ${isFailure}`,
    ...{ queue: "j.queue_name", id: { column: "id", type: "bigint" }, payload: "body" },
    failedAt: "(j.created_at at time zone 'UTC')",
    ...{ isFailed, isPending: `not (${isFailed})` },
    ...{ gone: "moved", lateS: clockChangeS, hasAnyQueue: true },
    outlook: (message) => outlook(message, transports),
    move: (queries, job) => moveBack(queries, { at, job, transports }),
  });
  return {
    ...framework,
    // Jobs are put back to a transport, whose queue may have another name, and need have nothing in it now.
    async look(queue) {
      const place = transports[queue];
      if (place === undefined) return framework.look(queue);
      const { rows } = await database.query<{ pending: number }>(
        `select count(*)::integer as pending from ${at}.messenger_messages where queue_name = $1`,
        [place],
      );
      return { name: queue, failed: 0, pending: rows[0]?.pending ?? 0 };
    },
  };
}

const serialised: PutBackRefusal = {
  why: "Its body was serialised by PHP with the stamps of its failure inside: with them left in, its next failure would vanish.",
  change: "Retry it by Messenger itself: bin/console messenger:failed:retry. New messages can use its JSON serializer.",
};

function outlook(message: Message, transports: NonNullable<SymfonyOptions["transports"]>): JobOutlook {
  const receiver = receiverOf(columnOf(message, "headers") ?? "");
  if (receiver === undefined) return { kind: "refused", ...serialised };
  if (transports[receiver] === undefined) return { kind: "refused", ...unknownTransport(receiver) };
  // How often its transport retries stands in the application's configuration.
  return { kind: "runs", runs: null };
}

function unknownTransport(receiver: string): PutBackRefusal {
  return {
    why: `It came from the transport \`${receiver}\`, and which \`queue_name\` that is stands in the application's messenger.yaml alone.`,
    change: `Name it in the source: transports: { ${receiver}: default }, and plan again.`,
  };
}

interface MoveBack {
  readonly at: string;
  readonly job: JobFailure;
  readonly transports: NonNullable<SymfonyOptions["transports"]>;
}

/** The row itself goes back: it is at every moment in one of both queues. */
async function moveBack(queries: Queries, { at, job, transports }: MoveBack): Promise<"done" | PutBackRefusal> {
  const { rows } = await queries.query<{ headers: string }>(
    `select headers from ${at}.messenger_messages where id = $1::bigint`,
    [job.id],
  );
  const headers = parseContainer(rows[0]?.headers ?? "");
  const receiver = receiverOf(rows[0]?.headers ?? "");
  if (receiver === undefined || !isObject(headers)) return serialised;
  const place = transports[receiver];
  if (place === undefined) return unknownTransport(receiver);
  await queries.query(
    `update ${at}.messenger_messages set queue_name = $2, headers = $3, delivered_at = null, available_at = created_at where id = $1::bigint`,
    [job.id, place, jsonText(withoutFailure(headers))],
  );
  return "done";
}

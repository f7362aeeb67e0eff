import { isOfficeError, OfficeError } from "../../domain/errors.ts";
import { sqsPlace } from "../../transports/sqs/address.ts";
import { SqsConnection } from "../../transports/sqs/connection.ts";
import { listQueues, type QueueFacts, readQueue } from "../../transports/sqs/facts.ts";
import { nameInUrl } from "../../transports/sqs/queue-names.ts";
import type { Inspect, Inspection } from "../inspector.ts";
import { reasonOf, unreachable } from "../refusals.ts";
import { sqsRemedies } from "./sqs-remedies.ts";
import { sqsWiring } from "./sqs-wiring.ts";

/** More queues than these are not looked at: the rest of the time is better spent on what there is to say. */
const mostQueues = 2_000;
const askedAtOnce = 10;

/** Queues, how much is in each, and their redrive policies. No message is received. */
export const inspectSqs: Inspect = async ({ url }, { signal, limitMs }) => {
  const place = sqsPlace(url);
  const connection = new SqsConnection({ ...place, answerWithinMs: limitMs, makes: false, maxAttempts: 1 });
  // Once time is over, whatever is under way ends with its connection.
  const giveUp = () => void connection.close();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await look(connection);
  } catch (error) {
    throw refusal(
      error,
      place.endpoint === null ? `Amazon SQS in ${place.region ?? "the region"}` : "SQS at its endpoint",
    );
  } finally {
    signal.removeEventListener("abort", giveUp);
    await connection.close();
  }
};

async function look(connection: SqsConnection): Promise<Inspection> {
  const { urls, isCut } = await listQueues(connection, mostQueues);
  const queues: QueueFacts[] = [];
  const unseen: string[] = [];
  for (let begin = 0; begin < urls.length; begin += askedAtOnce) {
    const some = urls.slice(begin, begin + askedAtOnce);
    for (const seen of await Promise.all(some.map((each) => readUnlessRefused(connection, each)))) {
      if (typeof seen === "string") unseen.push(seen);
      else if (seen !== null) queues.push(seen);
    }
  }
  return { wiring: sqsWiring({ queues, unseen, isCut }), remedies: sqsRemedies(queues) };
}

/** Its name alone where it may not be looked at; null where it is gone meanwhile. */
async function readUnlessRefused(connection: SqsConnection, url: string): Promise<QueueFacts | string | null> {
  const name = nameInUrl(url);
  try {
    return await readQueue(connection, name, url);
  } catch (error) {
    if (isOfficeError(error, "ACCESS_REFUSED")) return name;
    if (isOfficeError(error, "QUEUE_NOT_FOUND")) return null;
    throw error;
  }
}

function refusal(error: unknown, what: string): OfficeError {
  const said = isOfficeError(error) && typeof error.details.sqs === "string" ? error.details.sqs : "";
  if (isOfficeError(error, "ACCESS_REFUSED") && !said.includes("redentials")) {
    const rights = "doctor needs sqs:ListQueues on *, and sqs:GetQueueAttributes on the queues";
    return new OfficeError("ACCESS_REFUSED", `${what} does not let us look (${said}). ${rights}.`, { cause: error });
  }
  if (isOfficeError(error) && error.code !== "TRANSPORT_UNAVAILABLE") return error;
  return unreachable(what, reasonOf(error), "Check the address and the region in `url`.", error);
}

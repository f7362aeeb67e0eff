import { isOfficeError, type OfficeError } from "../../domain/errors.ts";
import { systemClock } from "../../system/host.ts";
import { NatsConnection } from "../../transports/nats/connection.ts";
import { allStreams, consumersOf } from "../../transports/nats/facts.ts";
import { leastRights } from "../../transports/nats/refusal.ts";
import type { Inspect } from "../inspector.ts";
import { accessRefused, parseAddress, reasonOf, unreachable } from "../refusals.ts";
import { natsWiring, type StreamFacts } from "./nats-wiring.ts";

/** Of a stream with more subjects than these only those are looked at that it names itself. */
const mostSubjects = 2_000;

/** Streams, their subjects and consumers. Reads no message, and makes no consumer. */
export const inspectNats: Inspect = async ({ url }, { signal, limitMs }) => {
  const { host } = parseAddress("url", url.split(",")[0] ?? "", ["nats", "tls"]);
  const connection = new NatsConnection({
    url,
    tls: null,
    credentials: null,
    name: "dlo-doctor",
    answerWithinMs: limitMs,
  });
  // Once time is over, whatever is under way ends with its connection.
  const giveUp = () => void connection.close();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    return { wiring: await look(connection), remedies: {} };
  } catch (error) {
    throw refusal(error, `NATS at ${host}`);
  } finally {
    signal.removeEventListener("abort", giveUp);
    await connection.close();
  }
};

async function look(connection: NatsConnection) {
  const { client } = await connection.opened();
  const streams: StreamFacts[] = [];
  for (const { config, state } of await allStreams(connection)) {
    const isSmall = (state.num_subjects ?? 0) <= mostSubjects;
    const options = isSmall ? { subjects_filter: ">" } : {};
    const info = await connection.manage((manager) => manager.streams.info(config.name, options));
    streams.push({ info, subjects: info.state.subjects ?? {}, consumers: await consumersOf(connection, config.name) });
  }
  return natsWiring({ version: client.info?.version ?? "", now: systemClock.now() }, streams);
}

function refusal(error: unknown, what: string): OfficeError {
  if (isOfficeError(error, "ACCESS_REFUSED")) {
    return accessRefused(
      what,
      `Check the user and the password in \`url\`, and its permissions: it needs to ${leastRights}.`,
    );
  }
  if (isOfficeError(error) && error.code !== "TRANSPORT_UNAVAILABLE") return error;
  return unreachable(what, reasonOf(error), "Check the host and the port in `url`.", error);
}

import { OfficeError } from "../../domain/errors.ts";
import type { Inspect, Place } from "../inspector.ts";
import { parseAddress } from "../refusals.ts";
import { readFacts } from "./broker-facts.ts";
import { managementApi } from "./management-api.ts";
import { rabbitmqRemedies } from "./rabbitmq-remedies.ts";
import { rabbitmqRoutes, rabbitmqWiring } from "./rabbitmq-wiring.ts";
import { gapsOverAmqp } from "./reach-over-amqp.ts";

/** Of the time, for the connection that is only tried: what the management API told is told in any case. */
const shareForAmqp = 0.4;

/** RabbitMQ tells of its wiring through its management API only. */
export const inspectRabbitmq: Inspect = async (place, { signal, limitMs }) => {
  const vhost = vhostOf(place.url);
  const management = managementOf(place);
  const [facts, amqpGaps] = await Promise.all([
    readFacts(managementApi(management, signal), vhost),
    gapsOverAmqp(place.url, limitMs * shareForAmqp),
  ]);
  if (facts === null) throw noVhost(vhost);
  const wiring = rabbitmqWiring(facts);
  const { origin, pathname } = new URL(management);
  const base = `${origin}${pathname.replace(/\/(api\/?)?$/, "")}`;
  return {
    wiring: { ...wiring, gaps: [...amqpGaps, ...wiring.gaps] },
    ...{ remedies: rabbitmqRemedies(facts, base), routes: rabbitmqRoutes(facts) },
  };
};

/** The virtual host an address names. */
export function vhostOf(address: Place["url"]): string {
  const path = parseAddress("url", address, ["amqp", "amqps"]).pathname.slice(1);
  return path === "" ? "/" : decodeURIComponent(path);
}

/** Where its management API is: as the configuration says, else where it is unless somebody moved it, with the same user. */
export function managementOf({ url: address, management }: Place): string {
  if (management !== undefined) return management;
  const url = parseAddress("url", address, ["amqp", "amqps"]);
  const [scheme, port] = url.protocol === "amqps:" ? ["https", 15671] : ["http", 15672];
  const user = url.username === "" ? "guest:guest" : `${url.username}:${url.password}`;
  return `${scheme}://${user}@${url.hostname}:${port}`;
}

function noVhost(vhost: string): OfficeError {
  const remedy = `Check the path of \`url\`, and grant it: rabbitmqctl set_permissions -p VHOST USER '' '' ''`;
  return new OfficeError("ACCESS_REFUSED", `This user sees no virtual host \`${vhost}\`. ${remedy}`, {
    details: { vhost },
  });
}

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

/** Where its management API is: as the configuration says, else where it is unless somebody moved it; with the same user. */
export function managementOf({ url: address, management }: Place): string {
  const url = parseAddress("url", address, ["amqp", "amqps"]);
  const user = url.username === "" ? "guest:guest" : `${url.username}:${url.password}`;
  if (management !== undefined) return withUser(management, url, user);
  const [scheme, port] = url.protocol === "amqps:" ? ["https", 15671] : ["http", 15672];
  return `${scheme}://${user}@${url.hostname}:${port}`;
}

/** The user of the broker is lent to its own host alone, and never in the clear where the broker itself is not reached so. */
function withUser(management: string, broker: URL, user: string): string {
  const url = parseAddress("management", management, ["http", "https"]);
  const isSafe = url.protocol === "https:" || broker.protocol === "amqp:";
  if (url.username !== "" || url.hostname !== broker.hostname || !isSafe) return management;
  return management.replace("://", `://${user}@`);
}

function noVhost(vhost: string): OfficeError {
  const remedy = `Check the path of \`url\`, and grant it: rabbitmqctl set_permissions -p VHOST USER '' '' ''`;
  return new OfficeError("ACCESS_REFUSED", `This user sees no virtual host \`${vhost}\`. ${remedy}`, {
    details: { vhost },
  });
}

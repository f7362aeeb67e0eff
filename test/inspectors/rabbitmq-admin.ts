import { afterAll, beforeAll } from "vitest";
import { type RabbitmqServer, startRabbitmq } from "../servers/rabbitmq.ts";
import { allow, askManagement, virtualHost } from "../servers/virtual-host.ts";

/** A virtual host of a test's own, and what is done there through the management API. */
export interface Vhost {
  readonly name: string;
  readonly url: string;
  readonly management: string;
  queue(name: string, args?: Readonly<Record<string, unknown>>, settings?: object): Promise<void>;
  exchange(name: string, type: string, args?: Readonly<Record<string, unknown>>): Promise<void>;
  bind(exchange: string, queue: string, key?: string): Promise<void>;
  policy(name: string, pattern: string, definition: object, kind?: "policies" | "operator-policies"): Promise<void>;
  publish(queue: string, body: string): Promise<void>;
  /** An account that may look at this virtual host; its address and its management API. */
  user(name: string, tags: string): Promise<{ readonly url: string; readonly management: string }>;
}

export interface RabbitmqAdmin {
  readonly server: RabbitmqServer;
  vhost(): Promise<Vhost>;
}

/** One broker for all tests of a file; each has a virtual host of its own. */
export function useRabbitmqAdmin(): RabbitmqAdmin {
  let server: RabbitmqServer | undefined;
  const started = () => {
    if (server === undefined) throw new Error("The broker is not started yet.");
    return server;
  };
  beforeAll(async () => {
    server = await startRabbitmq();
  });
  afterAll(() => server?.close());
  return {
    get server() {
      return started();
    },
    async vhost() {
      const { name } = await virtualHost(started());
      return vhostOf(started(), name);
    },
  };
}

/** What is done there as its administrator. */
export function vhostOf({ url, managementUrl }: Pick<RabbitmqServer, "url" | "managementUrl">, name: string): Vhost {
  const host = encodeURIComponent(name);
  const put = (path: string, body: object) => askManagement(managementUrl, "PUT", path, body);
  const at = (kind: string, thing: string) => `${kind}/${host}/${encodeURIComponent(thing)}`;
  return {
    name,
    url: `${url}/${host}`,
    management: managementUrl,
    queue: (queue, args = {}, settings = {}) =>
      put(at("queues", queue), { durable: true, arguments: args, ...settings }),
    exchange: (exchange, type, args = {}) => put(at("exchanges", exchange), { type, durable: true, arguments: args }),
    bind: (exchange, queue, key = "") =>
      askManagement(
        managementUrl,
        "POST",
        `${at("bindings", "e")}/${encodeURIComponent(exchange)}/q/${encodeURIComponent(queue)}`,
        {
          routing_key: key,
        },
      ),
    policy: (policy, pattern, definition, kind = "policies") =>
      put(at(kind, policy), { pattern, definition, "apply-to": kind === "policies" ? "all" : "queues" }),
    publish: (queue, body) =>
      askManagement(managementUrl, "POST", `exchanges/${host}/amq.default/publish`, {
        properties: {},
        routing_key: queue,
        payload: body,
        payload_encoding: "string",
      }),
    async user(user, tags) {
      await put(`users/${user}`, { password: "hunter2", tags });
      await allow(managementUrl, name, user);
      const as = (address: string) => address.replace("guest:guest", `${user}:hunter2`);
      return { url: `${as(url)}/${host}`, management: as(managementUrl) };
    },
  };
}

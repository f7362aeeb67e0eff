import type { RabbitmqBroker, RabbitmqServer } from "./rabbitmq.ts";

/** A new virtual host of a broker, which is to all that is done there as a broker of its own. */
export async function virtualHost({
  url,
  managementUrl,
}: Pick<RabbitmqServer, "url" | "managementUrl">): Promise<RabbitmqBroker & { readonly name: string }> {
  const name = `test/${crypto.randomUUID()}`;
  const path = encodeURIComponent(name);
  await askManagement(managementUrl, "PUT", `vhosts/${path}`, {});
  await allow(managementUrl, name, "guest");
  const close = () => askManagement(managementUrl, "DELETE", `vhosts/${path}`);
  return { name, url: `${url}/${path}`, managementUrl, close };
}

/** Lets that user do everything there. */
export function allow(managementUrl: string, host: string, user: string): Promise<void> {
  const rights = { configure: ".*", write: ".*", read: ".*" };
  return askManagement(managementUrl, "PUT", `permissions/${encodeURIComponent(host)}/${user}`, rights);
}

export async function askManagement(managementUrl: string, method: string, path: string, body?: object): Promise<void> {
  const url = new URL(managementUrl);
  const authorization = `Basic ${btoa(`${url.username}:${url.password}`)}`;
  const response = await fetch(`${url.origin}/api/${path}`, {
    method,
    headers: { authorization, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}

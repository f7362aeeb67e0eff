import { accessRefused, parseAddress, reasonOf, unreachable } from "../refusals.ts";

/** RabbitMQ's management API, as far as it is only read. */
export interface ManagementApi {
  /** One answer; null where it may not be seen, or is not there. */
  get(path: string): Promise<unknown>;
  /** All pages of a list; null where it may not be seen. */
  list(path: string, query?: string): Promise<readonly unknown[] | null>;
}

/** The most the API gives at once. */
const pageSize = 500;
/** No list is longer than this: an answer without end must not fill the memory. */
const mostPages = 1_000;
const mostBytes = 64 * 1024 * 1024;

/** Asks for nothing yet. `signal` ends whatever is under way. */
export function managementApi(address: string, signal: AbortSignal): ManagementApi {
  const url = parseAddress("management", address, ["http", "https"]);
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString("base64")}`;
  const base = `${url.origin}${url.pathname.replace(/\/$/, "").replace(/\/api$/, "")}/api`;
  const what = `RabbitMQ's management API at ${url.host}`;

  async function get(path: string): Promise<unknown> {
    const response = await ask(`${base}${path}`, authorization, signal).catch((error: unknown) => {
      throw unreachable(what, signal.aborted ? "it did not answer in time" : reasonOf(error), howToEnable, error);
    });
    if (response.status === 401 && path === "/whoami")
      throw accessRefused(what, url.username === "" ? howToSignIn : howToAllow);
    if ([401, 403, 404].includes(response.status)) return null;
    if (!response.ok) throw unreachable(what, `it answers with status ${response.status}`, howToEnable);
    return parse(await read(response, what, signal), what);
  }

  async function list(path: string, query = ""): Promise<readonly unknown[] | null> {
    const items: unknown[] = [];
    for (let page = 1; page <= mostPages; page++) {
      const answer = await get(`${path}?page=${page}&page_size=${pageSize}${query}`);
      if (answer === null) return page === 1 ? null : items;
      // Older versions page only some lists, and give the others whole.
      if (Array.isArray(answer)) return answer as readonly unknown[];
      items.push(...listIn(answer, "items"));
      if (page >= numberIn(answer, "page_count")) break;
    }
    return items;
  }

  return { get, list };
}

const howToEnable =
  "Enable it with `rabbitmq-plugins enable rabbitmq_management`, and set `management` (--management) to http://user:password@host:15672.";
const howToAllow = "Give the user the tag: `rabbitmqctl set_user_tags USER management`, and check the password.";
/** On another host than the broker's, or not over TLS where the broker is, nobody's password is sent that was not meant for it. */
const howToSignIn =
  "Put a user and a password into `management` (--management): http://user:password@host:15672. Those of `url` are used on the same host only, and over https where the broker is reached over amqps.";

/** Never to another place: the password goes along. */
function ask(url: string, authorization: string, signal: AbortSignal): Promise<Response> {
  return fetch(url, { headers: { authorization, accept: "application/json" }, redirect: "error", signal });
}

async function read(response: Response, what: string, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > mostBytes) throw unreachable(what, "its answer is too long", howToEnable);
      chunks.push(chunk);
    }
  } catch (error) {
    throw bytes > mostBytes
      ? error
      : unreachable(what, signal.aborted ? "it did not answer in time" : reasonOf(error), howToEnable, error);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreachable(what, "something else answers there", howToEnable);
  }
}

function listIn(answer: unknown, key: string): readonly unknown[] {
  const value = fieldOf(answer, key);
  return Array.isArray(value) ? value : [];
}

function numberIn(answer: unknown, key: string): number {
  return Number(fieldOf(answer, key) ?? 0);
}

/** A field of whatever came over the wire. */
export function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

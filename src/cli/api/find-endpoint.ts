import { OfficeError } from "../../domain/errors.ts";
import { nearestName } from "../../domain/options.ts";
import { type Endpoint, endpointTable } from "../../http/endpoints.ts";
import { readInput } from "../../http/read-input.ts";
import { apiPrefix } from "../../http/routes.ts";

export interface EndpointCall {
  readonly name: Endpoint["name"];
  readonly input: Readonly<Record<string, unknown>>;
}

/** Which operation a method and a path ask for, and with what, as the server would have it. */
export function findEndpoint(asked: {
  readonly method: string;
  /** With or without the prefix of the API; what follows a question mark is its query. */
  readonly path: string;
  readonly body: unknown;
}): EndpointCall {
  const url = new URL(`http://office${asked.path.startsWith("/") ? "" : "/"}${asked.path}`);
  const path = url.pathname.startsWith(`${apiPrefix}/`) ? url.pathname.slice(apiPrefix.length) : url.pathname;
  const endpoints = endpointTable();
  for (const endpoint of endpoints.filter(({ method }) => method === asked.method).sort(mostFixedFirst)) {
    const params = paramsOf(endpoint.path, path);
    if (params === null) continue;
    return { name: endpoint.name, input: readInput(endpoint, { params, query: queryOf(url), body: asked.body }) };
  }
  throw nothingThere(`${asked.method} ${path}`, endpoints);
}

/** `/letters/count` is no letter that is called count. */
function mostFixedFirst(one: Endpoint, other: Endpoint): number {
  return one.inPath.length - other.inPath.length;
}

function paramsOf(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const parts = pattern.split("/");
  const given = path.split("/");
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const word = given[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? word !== part : word === "") return null;
    if (name !== undefined) params[name] = decoded(word);
  }
  return given.length === parts.length ? params : null;
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch (error) {
    const text = `\`${word}\` is no part of a path: a percent sign that is meant as one is written %25.`;
    throw new OfficeError("INVALID_OPTION", text, { cause: error });
  }
}

function queryOf({ searchParams }: URL): Readonly<Record<string, string | readonly string[]>> {
  const names = [...new Set(searchParams.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

function nothingThere(asked: string, endpoints: readonly Endpoint[]): OfficeError {
  const nearest = nearestName(
    asked,
    endpoints.map(({ method, path }) => `${method} ${path}`),
  );
  const hint = nearest === undefined ? "docs/reference/http.md lists them all." : `Did you mean ${nearest}?`;
  return new OfficeError("ROUTE_NOT_FOUND", `The API has no ${asked}.`, { details: { hint } });
}

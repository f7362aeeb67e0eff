import type { Endpoint, JsonSchema } from "./endpoints.ts";
import type { PublicAddress } from "./public-address.ts";
import { apiPrefix } from "./routes.ts";

export interface Described {
  readonly address: PublicAddress;
  readonly version: string;
}

const errorSchema: JsonSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "hint", "details", "docs", "id"],
      properties: {
        code: { type: "string", description: "For programs, such as letter.not_found." },
        message: { type: "string", description: "For people." },
        hint: { type: ["string", "null"], description: "The way out, where it is not in the message." },
        details: { type: "object" },
        docs: { type: "string", description: "Where it is explained." },
        id: { type: "string", description: "Under this id the office's log has more." },
      },
    },
  },
};

/** The API as an OpenAPI 3.1 document, whose schemas are JSON Schema as they are. */
export function openApi(endpoints: readonly Endpoint[], { address, version }: Described): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Dead Letter Office", version, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: `${address.origin}${address.basePath}${apiPrefix}` }],
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      schemas: { Error: errorSchema },
      responses: {
        Refused: { description: "What went wrong.", content: json({ $ref: "#/components/schemas/Error" }) },
      },
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: "dlo_<port>" },
      },
    },
  };
}

function operationOf({ name, operation, method, input, inPath, output }: Endpoint): JsonSchema {
  const free = Object.entries(input.properties).filter(([property]) => !inPath.includes(property));
  const parameter = (place: string) => (property: string) => ({
    name: property,
    in: place,
    required: place === "path" || input.required.includes(property),
    schema: input.properties[property] ?? {},
  });
  const inQuery = method === "GET" ? free.map(([property]) => property) : [];
  return {
    operationId: name,
    summary: operation.summary,
    description: `Needs the role ${operation.role}.`,
    tags: [name.split(".")[0]],
    parameters: [
      ...inPath.map(parameter("path")),
      ...inQuery.map(parameter("query")),
      ...(method === "GET" ? [] : [idempotencyKey]),
    ],
    ...(method === "GET" ? {} : { requestBody: bodyOf(Object.fromEntries(free), input.required) }),
    responses: {
      200: { description: operation.summary, content: json(output) },
      default: { $ref: "#/components/responses/Refused" },
    },
  };
}

const idempotencyKey: JsonSchema = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Asked again with the same key within 24 hours, the first answer is given again and nothing is done twice.",
  schema: { type: "string", maxLength: 200 },
};

function bodyOf(properties: JsonSchema, required: readonly string[]): JsonSchema {
  const needed = required.filter((name) => name in properties);
  return { required: needed.length > 0, content: json({ type: "object", properties, required: needed }) };
}

function json(schema: JsonSchema): JsonSchema {
  return { "application/json": { schema } };
}

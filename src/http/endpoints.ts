import { z } from "zod";
import type { Operation } from "../office/operations/operation.ts";
import { type OperationName, operations } from "../office/operations/operations.ts";
import { routes, type SplitRoute, splitRoute } from "./routes.ts";

/** One operation as it is offered over HTTP. */
export interface Endpoint extends SplitRoute {
  readonly name: OperationName;
  readonly operation: Operation;
  readonly input: ObjectSchema;
  readonly output: JsonSchema;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of an object: what every operation takes. */
export interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** The table that server, OpenAPI document and reference page are made of. */
export function endpointTable(): readonly Endpoint[] {
  return Object.entries(operations).map(([name, operation]) => endpointOf(name as OperationName, operation));
}

function endpointOf(name: OperationName, operation: Operation): Endpoint {
  const { properties = {}, required = [], ...rest } = schemaOf(operation.input, "input") as Partial<ObjectSchema>;
  return {
    name,
    operation,
    ...splitRoute(routes[name]),
    input: { ...rest, properties, required },
    output: schemaOf(operation.output, "output"),
  };
}

function schemaOf(type: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, { io, unrepresentable: "any" });
  return schema;
}

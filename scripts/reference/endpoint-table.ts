import { endpointTable } from "../../src/http/endpoints.ts";
import { apiPrefix } from "../../src/http/routes.ts";
import { code, table } from "./markdown-table.ts";

/** Every operation as it is offered over HTTP. */
export function endpointRows(): string {
  const rows = endpointTable().map(({ name, method, path, operation }) => [
    code(name),
    code(`${method} ${apiPrefix}${path}`),
    operation.role,
    operation.summary,
  ]);
  return table(["operation", "where", "role", "what"], rows);
}

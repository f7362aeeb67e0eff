import { publicCodes } from "../domain/public-codes.ts";
import type { Endpoint } from "./endpoints.ts";
import type { Described } from "./openapi.ts";
import { apiPrefix } from "./routes.ts";
import { statusCodes } from "./status-codes.ts";

/** The API for people: one page without a script. */
export function referencePage(endpoints: readonly Endpoint[], { address, version }: Described): string {
  const base = address.basePath;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>HTTP API · dlo</title><link rel="stylesheet" href="${base}/reference.css"></head><body><main>
<h1>HTTP API</h1>
<p>Dead Letter Office ${escaped(version)} at <code>${escaped(`${address.origin}${base}${apiPrefix}`)}</code>. For programs:
<a href="${base}/openapi.json">openapi.json</a>.</p>
<p>Every call needs a token (<code>Authorization: Bearer dlo_…</code>) or a session. Lists are
<code>{ items, next }</code>; <code>after=&lt;next&gt;</code> gives the next page. What is posted is JSON; an
<code>Idempotency-Key</code> makes asking again harmless.</p>
<h2>Operations</h2>
${endpoints.map(section).join("\n")}
<h2>Errors</h2>
<table><thead><tr><th scope="col">code</th><th scope="col">status</th></tr></thead><tbody>
${Object.entries(publicCodes).map(errorRow).join("\n")}
</tbody></table>
</main></body></html>
`;
}

function section({ name, method, path, operation, input, inPath }: Endpoint): string {
  const rows = Object.entries(input.properties).map(([property, schema]) => {
    const place = inPath.includes(property) ? "path" : method === "GET" ? "query" : "body";
    const need = input.required.includes(property) ? "needed" : "";
    return `<tr><td><code>${escaped(property)}</code></td><td>${place}</td><td>${need}</td><td><code>${escaped(JSON.stringify(schema))}</code></td></tr>`;
  });
  return `<section id="${escaped(name)}"><h3><code>${method} ${escaped(apiPrefix + path)}</code></h3>
<p>${escaped(operation.summary)}. <small>${escaped(name)}, needs the role ${operation.role}</small></p>
${rows.length === 0 ? "" : `<table><tbody>${rows.join("")}</tbody></table>`}</section>`;
}

function errorRow([code, name]: readonly [string, string]): string {
  return `<tr id="${escaped(name)}"><td><code>${escaped(name)}</code></td><td>${statusCodes[code as keyof typeof statusCodes]}</td></tr>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? "");
}

export const referenceStyle = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h3 { margin-bottom: 0; } section { border-top: 1px solid #8a94a3; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: start; padding: .2rem .8rem .2rem 0; vertical-align: top; }
td code { overflow-wrap: anywhere; }
tr:target { outline: 2px solid #1d4ed8; }
`;

import type { ErrorObject, Options, SchemaObject } from "ajv";
import type { BodySchema, SchemaComplaint } from "../domain/body-schema.ts";
import { loadClient } from "../domain/client-library.ts";
import { compilePattern } from "../triage/conditions/pattern.ts";

const options: Options = {
  allErrors: true,
  // Schemas carry words of other tools, and formats are comments since 2020-12.
  strict: false,
  validateFormats: false,
  logger: false,
  code: { regExp: Object.assign((text: string) => linearPattern(text), { code: "linearPattern" }) },
};

/** A body may be whatever somebody sent, so patterns run in linear time here too. */
function linearPattern(text: string) {
  const { matches } = compilePattern(text);
  // Ajv takes two patterns for one whose texts are the same.
  return { test: matches, toString: () => text };
}

/** Reads the text of a JSON Schema, of 2020-12 or of draft 7 where it says so. Throws what is wrong with it. */
export async function compileSchema(text: string, name: string): Promise<BodySchema> {
  const schema = JSON.parse(text) as SchemaObject;
  if (schema.$async !== undefined) throw new Error("$async is not JSON Schema");
  const isDraft7 = /draft-07/.test(String(schema.$schema));
  const ajv = await loadClient("Checking edits against a schema", "ajv", isDraft7 ? loadDraft7 : load2020);
  const validate = ajv.compile(schema);
  return {
    name,
    complaintsAbout(body) {
      return validate(body) === true ? [] : (validate.errors ?? []).map(complaintOf);
    },
  };
}

async function load2020() {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  return new Ajv2020(options);
}

async function loadDraft7() {
  const { Ajv } = await import("ajv");
  return new Ajv(options);
}

function complaintOf({ instancePath, keyword, message, params }: ErrorObject): SchemaComplaint {
  return { path: instancePath, message: `${message ?? `breaks ${keyword}`}${namedIn(params)}` };
}

/** What the sentence leaves out, and whoever mends it looks for. */
function namedIn({ additionalProperty, unevaluatedProperty, allowedValues }: ErrorObject["params"]): string {
  const found: unknown = additionalProperty ?? unevaluatedProperty ?? allowedValues;
  return found === undefined ? "" : `: ${JSON.stringify(found)}`;
}

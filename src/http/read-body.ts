import type { z } from "zod";
import { OfficeError } from "../domain/errors.ts";

/** What a page of the server sent, as its schema has it. */
export function readBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new OfficeError("INVALID_REQUEST", `\`${issue?.path.join(".") || "body"}\` cannot be so: ${issue?.message}.`);
}

import { createHash } from "node:crypto";
import { canonicalJson, type Json } from "../domain/canonical-json.ts";
import { isOfficeError, OfficeError } from "../domain/errors.ts";
import { requireOption } from "../domain/options.ts";
import { beginRequest, forgetRequest, keepAnswer, type RequestName } from "../ledger/answered-requests.ts";
import type { Ledger } from "../ledger/ledger.ts";

export interface OnceRequest extends RequestName {
  readonly input: Json;
}

/** Does something at most once for a key, however often it is asked; the later ones get the first one's answer. */
export type OnceOnly = (request: OnceRequest, run: () => Promise<unknown>) => Promise<unknown>;

const keptMs = 86_400_000;
const longestKey = 200;

export function onceOnly(ledger: Ledger): OnceOnly {
  return async ({ input, ...request }, run) => {
    const { key } = request;
    requireOption(key !== "" && key.length <= longestKey, "Idempotency-Key", `1 to ${longestKey} characters long`);
    const digest = createHash("sha256").update(canonicalJson(input)).digest();
    const known = await beginRequest(ledger, request, { digest, keptMs });
    if (known !== "new") return answerAgain(key, digest, known);
    const answer = await run().catch(async (error: unknown) => {
      // A refusal did nothing. Of anything else it is unknown, and the key stays taken.
      if (isOfficeError(error) && error.code !== "SERVER_UNAVAILABLE") await forgetRequest(ledger, request);
      throw error;
    });
    await keepAnswer(ledger, request, Buffer.from(JSON.stringify(answer)));
    return answer;
  };
}

function answerAgain(
  key: string,
  digest: Uint8Array,
  known: { readonly digest: Uint8Array; readonly answer: Uint8Array | null },
): unknown {
  if (Buffer.compare(digest, known.digest) !== 0)
    throw new OfficeError("KEY_TAKEN", `The Idempotency-Key ${key} was used for another request. Take a new one.`);
  if (known.answer === null)
    throw new OfficeError(
      "KEY_BUSY",
      `The request with the Idempotency-Key ${key} is under way, or its process ended before it could answer. Look at what it did before you take another key.`,
    );
  return JSON.parse(Buffer.from(known.answer).toString()) as unknown;
}

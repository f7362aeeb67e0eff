import type { CustomFetch } from "openid-client";
import type { OutboundAnswer } from "../exchange.ts";
import type { GuardedClient } from "../guarded-client.ts";
import { OutboundRefused } from "../outbound-refused.ts";

/** What a provider has to say fits many times over; what doesn't is meant to fill our memory. */
export const maxAnswerBytes = 1_048_576;
/** A provider that doesn't answer must not keep a browser waiting. */
export const answerWithinMs = 10_000;

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** The guarded client in the form that the OpenID Connect library asks for. */
export function fetchThrough(client: GuardedClient): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await client.call(url, {
      method: method === "POST" ? "POST" : "GET",
      headers,
      // The library sends forms alone.
      ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
      ...(signal === undefined ? {} : { signal }),
    });
    if (answer.isCut) throw tooLarge(url);
    return responseOf(answer);
  };
}

function responseOf({ status, headers, body }: OutboundAnswer): Response {
  const named = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return new Response(bodiless.has(status) ? null : new Uint8Array(body), { status, headers: named });
}

function tooLarge(url: string): OutboundRefused {
  return new OutboundRefused("outbound.answer_too_large", `${new URL(url).host} answered with more than 1 MB.`);
}

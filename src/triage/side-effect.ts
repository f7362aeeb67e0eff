import type { Category, SideEffect } from "../domain/classification.ts";
import type { Reading } from "./evidence/reading.ts";
import type { Finding } from "./finding.ts";

/** The request never left us. */
const neverSent =
  /\/(?:connect|name-lookup|pool-wait|circuit-open|throttled)$|Connect(?:ion)?(?:Timeout|Refused|Exception)|CannotConnect|NewConnection|OpenTimeout|ECONNREFUSED|E(?:HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|PoolTime|CONNECT_TIMEOUT/;
/** What was under way changes something outside. */
const writing =
  /\b(?:POST|PUT|PATCH|COMMIT|INSERT|UPDATE)\b|\b(?:post|put|patch|commit|insert|capture|charge|refund|transfer|payment|payout|send|sent|email|mail|sms|notify|create|book|publish|settle|withdraw)|(?:Charge|Payment|Refund|Send|Create|Book|Publish)[A-Z]|State change/;
/** What was under way only looks, or may be repeated without harm. */
const reading =
  /\bGET\b|\bget\b|\bSELECT\b|\bselect\b|\bHEAD\b|Get(?:String|Async|Object|Item)|\bDELETE\b|\bfetch\w*|\bsearch|\blookup|\bquery\b|\blist\b/;

/**
 * Whether an earlier attempt may have taken effect outside, judged apart from the category.
 *
 * Some failures say so themselves: a lock lost after the handler finished, a commit nobody answered. A broken call
 * leaves it open only if it was one that writes and had been sent.
 */
export function sideEffectOf(read: Reading, findings: readonly Finding[], category: Category): SideEffect {
  if (findings.some(({ effect }) => effect === "always")) return "uncertain";
  if (category !== "transient" && category !== "unknown") return "none";
  if (!findings.some(({ effect, weight }) => effect === "if writing" && weight >= 0.5)) return "none";
  if (findings.some(({ rule, weight }) => weight >= 0.6 && neverSent.test(rule))) return "none";
  return isWriting(read) ? "uncertain" : "none";
}

function isWriting({ evidence, frames, causes }: Reading): boolean {
  const { message, payloadExcerpt, headers } = evidence;
  const around = [
    message ?? "",
    payloadExcerpt ?? "",
    ...Object.values(headers),
    ...[...frames.slice(0, 6), ...causes].map((line) => line.text),
  ];
  const text = around.join("\n");
  if (/\bCOMMIT\b/.test(text)) return true;
  const method =
    /method["']?\s*[:=]\s*["']?(\w+)/i.exec(text)?.[1]?.toUpperCase() ??
    /\b(GET|POST|PUT|PATCH|DELETE|HEAD)\b/.exec(text)?.[1];
  if (method !== undefined) return !["GET", "HEAD", "DELETE"].includes(method);
  return writing.test(text) && !reading.test(text);
}

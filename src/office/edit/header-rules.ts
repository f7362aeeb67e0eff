import { mask } from "../../domain/redaction.ts";
import { EditRefused } from "./edit-refused.ts";

const tracing = new Set(["traceparent", "tracestate", "baggage", "b3", "uber-trace-id", "x-amzn-trace-id"]);

const twice = "Its consumer tells by it whether it has done this before: with another one it may be done twice.";
const decodes = "Its consumer decodes the body by it.";
const answers = "Whoever waits for an answer knows it by this.";

// Names are what strangers send: an object would answer for `constructor` as well.
const careful: ReadonlyMap<string, string> = new Map([
  ...["idempotency-key", "x-idempotency-key"].map((name) => [name, twice] as const),
  ...["message-id", "ce-id", "ce_id", "nservicebus.messageid", "rbs2-msg-id"].map((name) => [name, twice] as const),
  ...["content-type", "content-encoding", "nservicebus.contenttype"].map((name) => [name, decodes] as const),
  ...["correlation-id", "nservicebus.correlationid", "rbs2-corr-id"].map((name) => [name, answers] as const),
  ["reply-to", "The answer goes there."],
]);

const longestName = 256;
const longestValue = 8_192;

/** What somebody should know before a header is edited; null: nothing. */
export function whyCareful(name: string): string | null {
  return careful.get(name.toLowerCase()) ?? null;
}

/** Why a header is not for people to edit; null where it is. `strip` are marks of the failure, by their names. */
export function whyLocked(name: string, strip: readonly string[]): string | null {
  if (name.toLowerCase().startsWith("dlo-")) return "It is the office's own: it says which message this is.";
  if (strip.includes(name)) return "It is a mark of the failure, which a replay takes off.";
  if (name.toLowerCase().startsWith("nats-")) return "NATS itself acts on it: a replay never sends it on.";
  return isOfTrace(name.toLowerCase()) ? "It ties the message to its trace." : null;
}

function isOfTrace(name: string): boolean {
  return tracing.has(name) || name.startsWith("x-b3-");
}

export function requireName(name: string, strip: readonly string[]): void {
  const locked = whyLocked(name, strip);
  if (locked !== null) throw new EditRefused("edit.header_locked", `The header ${name} cannot be edited. ${locked}`);
  // Some protocols end a header at the end of its line: what follows would be read as another one.
  if (name.trim() !== name || name === "" || name.length > longestName || isDeceptive(name))
    throw new EditRefused(
      "edit.header_invalid",
      `A header's name is one line of 1 to ${longestName} characters that can be seen, without spaces around it.`,
    );
}

export function requireValue(name: string, value: string): void {
  if (value.includes(mask))
    throw new EditRefused(
      "edit.mask_sent",
      `The mask ${mask} in ${name} would be sent as it stands there. Write the value itself.`,
    );
  if (hasControls(value) || new TextEncoder().encode(value).byteLength > longestValue)
    throw new EditRefused(
      "edit.header_invalid",
      `The value of ${name} must be one line of at most ${longestValue} bytes.`,
    );
}

function hasControls(text: string): boolean {
  return /[\p{Cc}\p{Cs}]/u.test(text);
}

/** A name is read by whoever approves it: what cannot be seen, or turns the direction of a line, makes it look like another. */
function isDeceptive(name: string): boolean {
  return hasControls(name) || /[\p{Cf}\p{Zl}\p{Zp}]/u.test(name);
}

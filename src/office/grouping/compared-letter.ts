import { headerText } from "../../domain/message.ts";
import { type Masking, mask, maskHeaders } from "../../domain/redaction.ts";
import { wire } from "../../domain/wire.ts";
import type { SampledLetter } from "../../ledger/search/sample-letters.ts";
import type { ComparedLetter } from "./likeness.ts";

/** What of a letter is compared with others of its group: nothing that must not be shown. */
export function comparedLetter(letter: SampledLetter, masking: Masking): ComparedLetter {
  const { type, consumer, tenant, code, key, drainedFrom, routingKey, attempts } = letter;
  const headers = maskHeaders(letter.headers, masking);
  const told = headerText(headers, wire.consumer);
  const own: Readonly<Record<string, string | null>> = {
    ...{ type, consumer, tenant, code, key, "dead-letter queue": drainedFrom, "routing key": routingKey || null },
    ...{ attempts: attempts === null ? null : String(attempts), version: partOf(told, "version") },
    host: partOf(told, "instance"),
  };
  // Bytes may be text that nothing has masked.
  const plain = headers.filter(({ value: { type: kind } }) => ["text", "integer", "double", "boolean"].includes(kind));
  const named = plain.map(({ name }) => [`header.${name}`, headerText(plain, name) ?? null] as const);
  const compared = [...Object.entries(own), ...named.filter(([name]) => isSendersOwn(name))];
  return new Map(compared.flatMap(([name, value]) => (isShown(value) ? [[name, value]] : [])));
}

const valueAtMost = 200;

function isShown(value: string | null): value is string {
  return value !== null && value !== "" && value.length <= valueAtMost && !value.includes(mask);
}

/** Ours, and what brokers write of a death, say how it failed, which is what the group is made of. */
function isSendersOwn(name: string): boolean {
  return !/^header\.(dlo-|x-death|x-first-death|x-last-death|x-exception|x-original|kafka_dlt)/i.test(name);
}

/** As our runtime writes who consumed it. */
function partOf(text: string | undefined, name: string): string | null {
  return new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]*)"`).exec(text ?? "")?.[1] ?? null;
}

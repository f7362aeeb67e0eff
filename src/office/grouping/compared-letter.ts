import { type Header, headerText } from "../../domain/message.ts";
import { type Masking, mask, maskHeaders } from "../../domain/redaction.ts";
import { wire } from "../../domain/wire.ts";
import type { SampledLetter } from "../../ledger/search/sample-letters.ts";
import type { ComparedLetter } from "./likeness.ts";

/** What of a letter is compared with others of its group: nothing that must not be shown. */
export function comparedLetter(letter: SampledLetter, masking: Masking): ComparedLetter {
  const { type, consumer, tenant, code, key, drainedFrom, routingKey, attempts } = letter;
  const told = headerText(maskHeaders(letter.headers.filter(isConsumer), masking), wire.consumer);
  const own: Readonly<Record<string, string | null>> = {
    ...{ type, consumer, tenant, code, key, "dead-letter queue": drainedFrom, "routing key": routingKey || null },
    ...{ attempts: attempts === null ? null : String(attempts), version: partOf(told, "version") },
    ...{ host: partOf(told, "host"), process: partOf(told, "process"), instance: partOf(told, "instance") },
  };
  const looked = letter.headers.slice(0, headersCompared).filter((header) => isPlain(header) && isSendersOwn(header));
  const named = maskHeaders(looked, masking).map(
    (header) => [`header.${header.name}`, headerText([header], header.name) ?? null] as const,
  );
  const compared = new Map<string, string | null>([...Object.entries(own), ...named]);
  return new Map([...compared].filter((each): each is [string, string] => isShown(each[1])));
}

/** Nobody reads more, and whoever sends letters says how many there are. */
const headersCompared = 100;
const valueAtMost = 200;

function isConsumer({ name }: Header): boolean {
  return name === wire.consumer;
}

/** Bytes may be text that nothing has masked; a long text would be masked only to be left out. */
function isPlain({ value }: Header): boolean {
  if (value.type === "text") return value.value.length <= valueAtMost;
  return value.type === "integer" || value.type === "double" || value.type === "boolean";
}

function isShown(value: string | null): value is string {
  return value !== null && value !== "" && value.length <= valueAtMost && !value.includes(mask);
}

/** Ours, and what brokers write of a death, say how it failed, which is what the group is made of. */
function isSendersOwn({ name }: Header): boolean {
  return !/^(dlo-|x-death|x-first-death|x-last-death|x-exception|x-original|kafka_dlt)/i.test(name);
}

/** As our runtime writes who consumed it. */
function partOf(text: string | undefined, name: string): string | null {
  return new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]*)"`).exec(text ?? "")?.[1] ?? null;
}

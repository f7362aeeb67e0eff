import type { DeadLetter } from "../../domain/dead-letter.ts";
import { encodeHeaders } from "../../domain/header-codec.ts";
import type { Header } from "../../domain/message.ts";
import type { FoundBy } from "./identify.ts";

interface Found {
  readonly letter: DeadLetter;
  readonly found: FoundBy;
}

/**
 * A letter that a source found and did not write as it should have: its bytes, the headers that can be kept, and its position
 * as text. That it is held, and can be looked at, matters more than the rest.
 */
export function plainLetter<One extends Found>(one: One): One {
  const { letter, found } = one;
  const { message } = letter;
  const [headers, properties] = [message.headers.filter(canBeKept), message.properties.filter(canBeKept)];
  return { ...one, letter: { ...letter, message: { ...message, headers, properties } }, found: withText(found) };
}

function withText(found: FoundBy): FoundBy {
  return found.kind === "position" ? { ...found, position: String(found.position) } : found;
}

function canBeKept(header: Header): boolean {
  try {
    return typeof header.name === "string" && encodeHeaders([header]) !== null;
  } catch {
    return false;
  }
}

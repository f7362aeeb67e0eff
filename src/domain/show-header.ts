import { hexOf } from "./ids.ts";
import type { HeaderValue } from "./message.ts";

/** A header's value as people read it. */
export function showHeaderValue(value: HeaderValue): string {
  switch (value.type) {
    case "bytes":
      return `0x${hexOf(value.value)}`;
    case "list":
      return `[${value.value.map(showHeaderValue).join(", ")}]`;
    case "table":
      return `{${value.value.map(({ name, value: inner }) => `${name}: ${showHeaderValue(inner)}`).join(", ")}}`;
    default:
      return String(value.value);
  }
}

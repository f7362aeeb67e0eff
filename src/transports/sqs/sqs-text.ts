import { isUtf8 } from "node:buffer";

/** What no text of SQS may hold: what XML does not allow. */
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/** Whether SQS takes this text as it is. */
export function isSqsText(text: string): boolean {
  return !forbidden.test(text);
}

/** Bytes as a text that SQS takes; null where they are none. */
export function sqsTextOf(bytes: Uint8Array): string | null {
  if (bytes.length === 0 || !isUtf8(bytes)) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return isSqsText(text) ? text : null;
}

/** JSON with what SQS does not take written as escapes; control characters and lone surrogates are so already. */
export function sqsJson(json: string): string {
  return json.replaceAll(/[\ufffe\uffff]/gu, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

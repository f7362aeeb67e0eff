const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes as the text they are, to the last character; null for what is no text: it is binary, or compressed. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

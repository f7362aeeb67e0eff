const perLine = 16;

/** Bytes as people read them: where, sixteen in hexadecimal digits, and those of them that are plain characters. */
export function hexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += perLine) {
    const part = [...bytes.subarray(at, at + perLine)];
    const digits = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const plain = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
    lines.push(`${at.toString(16).padStart(8, "0")}  ${digits.padEnd(perLine * 3 - 1)}  ${plain}`);
  }
  return lines.join("\n");
}

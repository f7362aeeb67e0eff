export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const plain = atob(base64);
  const bytes = new Uint8Array(plain.length);
  for (let at = 0; at < plain.length; at++) bytes[at] = plain.charCodeAt(at);
  return bytes;
}

/** Hands a file to the browser, which keeps it and opens nothing. */
export function saveFile({ name, base64 }: { readonly name: string; readonly base64: string }): void {
  const url = URL.createObjectURL(new Blob([bytesOf(base64)], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

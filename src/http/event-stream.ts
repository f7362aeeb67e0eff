/** One event of a stream, as the server wrote it. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  /** The last that was given, by this event or one before; null before the first. */
  readonly id: string | null;
}

/** `"beat"` for whatever says nothing but that the line is not dead. */
export type Heard = StreamEvent | "beat";

/** Reads server-sent events, pieces of which may end anywhere. Comments are heard too, which `EventSource` keeps to itself. */
export async function* readEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Heard> {
  const decoder = new TextDecoder();
  let rest = "";
  let id: string | null = null;
  for await (const piece of pieces) {
    const blocks = (rest + decoder.decode(piece, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = fieldsOf(block);
      id = fields.get("id") ?? id;
      const data = fields.get("data");
      yield data === undefined && fields.get("id") === undefined
        ? "beat"
        : { event: fields.get("event") ?? "message", data: data ?? "", id };
    }
  }
}

function fieldsOf(block: string): ReadonlyMap<string, string> {
  const lines = block.split("\n").filter((line) => !line.startsWith(":"));
  return new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return colon === -1 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
    }),
  );
}

/** A body piece by piece: not every browser can iterate over one. */
export async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

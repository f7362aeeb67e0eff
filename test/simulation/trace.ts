/** What happened, line by line. The hash covers every line; only the last ones are kept to be read. */
export interface Trace {
  note(line: string): void;
  /** The same for two runs only if they went the same way, step by step. */
  readonly hash: string;
  /** Oldest first. */
  readonly lastLines: readonly string[];
}

const keptLines = 2_000;

export function startTrace(now: () => number, startedAt: number): Trace {
  const lines: string[] = [];
  let [first, second, count] = [0, 1, 0];
  return {
    note(text) {
      const line = `${String(now() - startedAt).padStart(7)} ${text}`;
      first = hash(line, first);
      second = hash(line, second);
      lines[count++ % keptLines] = line;
    },
    get hash() {
      return [first, second].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
    },
    get lastLines() {
      const oldest = count > keptLines ? count % keptLines : 0;
      return [...lines.slice(oldest), ...lines.slice(0, oldest)];
    },
  };
}

/** FNV-1a, carried on from line to line. */
function hash(text: string, start: number): number {
  let value = start ^ 0x811c_9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x0100_0193);
  }
  return value;
}

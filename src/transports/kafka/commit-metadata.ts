/** What became of a message at or behind the committed offset. */
export type Fate = "finished" | "in-hand" | "untouched";

/** So many offsets in a row with the same fate. */
export interface Run {
  readonly fate: Fate;
  readonly length: number;
}

/** Kafka takes no more than this with a commit (`offset.metadata.max.bytes`, as it is by default). */
export const maxMetadataBytes = 4_096;

const prefix = "dlo1:";
const fates = ["finished", "in-hand", "untouched"] as const satisfies readonly Fate[];
/** Base64 makes four characters of three bytes. */
export const maxRunBytes = Math.floor(((maxMetadataBytes - prefix.length) * 3) / 4);

/** Runs in the making, the first of which begins at the committed offset; neighbours of one fate become one. */
export class RunList {
  readonly #runs: { readonly fate: Fate; length: number }[] = [];

  add(fate: Fate, length: number): void {
    if (length <= 0) return;
    const last = this.#runs.at(-1);
    if (last?.fate === fate) last.length += length;
    else this.#runs.push({ fate, length });
  }

  /** As the text that is committed with the offset. Untouched ones at the end go without saying. */
  encode(): string {
    const spoken = this.#runs.at(-1)?.fate === "untouched" ? this.#runs.slice(0, -1) : this.#runs;
    const bytes = spoken.flatMap(({ fate, length }) => varint(length * fates.length + fates.indexOf(fate)));
    return bytes.length === 0 ? "" : prefix + Buffer.from(bytes).toString("base64url");
  }
}

/** Somebody else's metadata, or none, says nothing. */
export function decodeRuns(metadata: string): readonly Run[] {
  if (!metadata.startsWith(prefix)) return [];
  const numbers = readVarints(Buffer.from(metadata.slice(prefix.length), "base64url"));
  return numbers.map((number) => ({
    fate: fates[number % fates.length] ?? "untouched",
    length: Math.floor(number / fates.length),
  }));
}

/** What a run takes, in bytes, before base64; none takes nothing. */
export function runBytes(length: number): number {
  return length <= 0 ? 0 : varint(length * fates.length + fates.length - 1).length;
}

/** Seven bits a byte, the lowest first. Offsets pass 32 bits, so there are no shifts. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return bytes;
}

function readVarints(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let value = 0;
  let scale = 1;
  for (const byte of bytes) {
    value += (byte % 128) * scale;
    scale *= 128;
    if (byte > 127) continue;
    numbers.push(value);
    [value, scale] = [0, 1];
  }
  return numbers;
}

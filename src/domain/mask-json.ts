import { isMaskedPath, type Masking, mask, maskText } from "./redaction.ts";

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|\s+|"/gsu;

/**
 * Levels whose place is written out; below them only the last name is. Nobody names a place that deep, and with all of
 * it a letter of 100,000 levels would keep whoever shows it busy for minutes.
 */
const deepestPath = 64;

interface Level {
  readonly path: string;
  readonly isList: boolean;
  index: number;
  /** In an object: the name that the next value belongs to. */
  name: string | null;
}

/**
 * A payload as text with what must not be shown taken out. JSON is walked as it is written and never parsed and printed
 * again, so large numbers, order and spaces stay as they came; broken JSON is masked as far as it goes.
 */
export function maskPayload(text: string, masking: Masking): string {
  const looksJson = /^\s*[[{"]/.test(text);
  if (!looksJson) return masking.detectors === "default" ? maskText(text) : text;
  return new JsonMask(masking).mask(text);
}

class JsonMask {
  readonly #masking: Masking;
  readonly #levels: Level[] = [];
  /** How deep the value is that is being left out; 0 while nothing is. */
  #hiddenFrom = 0;

  constructor(masking: Masking) {
    this.#masking = masking;
  }

  mask(text: string): string {
    let shown = "";
    for (const [part] of text.matchAll(token)) shown += this.#take(part);
    return shown;
  }

  #take(part: string): string {
    if (part === "{" || part === "[") return this.#open(part);
    if (part === "}" || part === "]") return this.#close(part);
    const level = this.#levels.at(-1);
    if (part === "," && level !== undefined) {
      level.index += 1;
      level.name = null;
    }
    if (/^[,:\s]/.test(part)) return this.#hiddenFrom > 0 ? "" : part;
    if (level !== undefined && !level.isList && level.name === null) {
      level.name = nameOf(part);
      return this.#hiddenFrom > 0 ? "" : this.#shownName(part);
    }
    return this.#value(part);
  }

  #open(part: string): string {
    const hides = this.#hiddenFrom === 0 && this.#levels.length > 0 && isMaskedPath(this.#path(), this.#masking);
    const path = this.#levels[deepestPath]?.path ?? this.#path();
    this.#levels.push({ path, isList: part === "[", index: 0, name: null });
    if (hides) this.#hiddenFrom = this.#levels.length;
    if (hides) return `"${mask}"`;
    return this.#hiddenFrom > 0 ? "" : part;
  }

  #close(part: string): string {
    const hidden = this.#hiddenFrom > 0;
    if (this.#hiddenFrom === this.#levels.length) this.#hiddenFrom = 0;
    this.#levels.pop();
    return hidden ? "" : part;
  }

  /** People are listed by their addresses, too. */
  #shownName(part: string): string {
    return this.#masking.detectors === "none" ? part : maskText(part);
  }

  #value(part: string): string {
    if (this.#hiddenFrom > 0) return "";
    if (isMaskedPath(this.#path(), this.#masking)) return `"${mask}"`;
    if (this.#masking.detectors === "none") return part;
    const shown = maskText(part);
    // A number that is masked must not leave what is no JSON any more: people edit what they are shown.
    return shown === part || part.startsWith('"') ? shown : `"${mask}"`;
  }

  #path(): string {
    const level = this.#levels.at(-1);
    if (level === undefined) return "body";
    return level.isList ? `${level.path}[${level.index}]` : `${level.path}.${level.name ?? ""}`;
  }
}

/** Python writes its own with apostrophes. */
function nameOf(part: string): string {
  try {
    return String(JSON.parse(part));
  } catch {
    return part.replace(/^u?'(.*)'$/su, "$1");
  }
}

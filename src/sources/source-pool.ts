import type { SourceConfig } from "../config/config.ts";
import { queueRule } from "../config/queue-rule.ts";
import type { ReferenceOrigin } from "../config/reference.ts";
import type { Clock } from "../domain/clock.ts";
import { openSource } from "./open-source.ts";
import type { OpenedSource } from "./opened-source.ts";
import { sourceNotFound } from "./source-book.ts";

/** The sources, each opened when it is first needed and then kept. */
export interface SourcePool {
  /** Refuses a name that no source has. */
  get(name: string): Promise<OpenedSource>;
  /** Where the configuration sends the letters of a dead-letter queue back to; null: where each says it came from. */
  replayTo(source: string, deadLetters: string): string | null;
  /** Whether the configuration has that queue drained for as long as the office runs. */
  isDrained(source: string, queue: string): boolean;
  close(): Promise<void>;
}

export interface PoolParts {
  /** All there are by now. */
  readonly sources: () => readonly SourceConfig[];
  readonly origin: ReferenceOrigin;
  readonly clock: Clock;
}

interface Opened {
  /** The address it was opened at: at another it is another source. */
  readonly url: SourceConfig["url"];
  readonly opening: Promise<OpenedSource>;
}

export function sourcePool({ sources, origin, clock }: PoolParts): SourcePool {
  const opened = new Map<string, Opened>();
  const open = (source: SourceConfig) => {
    const entry = { url: source.url, opening: openSource({ source, origin, clock }) };
    opened.set(source.name, entry);
    // What could not be opened is tried again by the next who asks.
    entry.opening.catch(() => {
      if (opened.get(source.name) === entry) opened.delete(source.name);
    });
    return entry.opening;
  };
  const forget = async (name: string) => {
    const entry = opened.get(name);
    opened.delete(name);
    await entry?.opening.then((source) => source.close()).catch(() => {});
  };
  const named = (name: string) => sources().find((each) => each.name === name);
  const ruleOf = (name: string, queue: string) => {
    const source = named(name);
    return source === undefined ? null : queueRule(source, queue);
  };
  return {
    async get(name) {
      const source = named(name);
      const known = opened.get(name);
      if (known !== undefined && known.url === source?.url) return known.opening;
      if (known !== undefined) await forget(name);
      if (source === undefined) throw sourceNotFound(name, sources());
      return opened.get(name)?.opening ?? open(source);
    },
    replayTo: (name, deadLetters) => ruleOf(name, deadLetters)?.replayTo ?? null,
    isDrained: (name, queue) => ruleOf(name, queue)?.mode === "drain",
    async close() {
      await Promise.all([...opened.keys()].map(forget));
    },
  };
}

import type { SourceConfig } from "../config/config.ts";
import { queueRule } from "../config/queue-rule.ts";
import type { ReferenceOrigin } from "../config/reference.ts";
import type { Clock } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import { nearestName } from "../domain/options.ts";
import { openSource } from "./open-source.ts";
import type { OpenedSource } from "./opened-source.ts";

/** The sources of the configuration, each opened when it is first needed and then kept. */
export interface SourcePool {
  /** Refuses a name that the configuration does not have. */
  get(name: string): Promise<OpenedSource>;
  /** Where the configuration sends the letters of a dead-letter queue back to; null: where each says it came from. */
  replayTo(source: string, deadLetters: string): string | null;
  /** Whether the configuration has that queue drained for as long as the office runs. */
  isDrained(source: string, queue: string): boolean;
  close(): Promise<void>;
}

export interface PoolParts {
  readonly sources: readonly SourceConfig[];
  readonly origin: ReferenceOrigin;
  readonly clock: Clock;
}

export function sourcePool({ sources, origin, clock }: PoolParts): SourcePool {
  const opened = new Map<string, Promise<OpenedSource>>();
  const open = (name: string) => {
    const source = sources.find((each) => each.name === name);
    if (source === undefined) throw sourceNotFound(name, sources);
    const opening = openSource({ source, origin, clock });
    opened.set(name, opening);
    // What could not be opened is tried again by the next who asks.
    opening.catch(() => opened.delete(name));
    return opening;
  };
  const ruleOf = (name: string, queue: string) => {
    const source = sources.find((each) => each.name === name);
    return source === undefined ? null : queueRule(source, queue);
  };
  return {
    get: async (name) => opened.get(name) ?? open(name),
    replayTo: (name, deadLetters) => ruleOf(name, deadLetters)?.replayTo ?? null,
    isDrained: (name, queue) => ruleOf(name, queue)?.mode === "drain",
    async close() {
      const all = await Promise.allSettled(opened.values());
      await Promise.all(all.flatMap((result) => (result.status === "fulfilled" ? [result.value.close()] : [])));
    },
  };
}

function sourceNotFound(name: string, sources: readonly SourceConfig[]): OfficeError {
  const names = sources.map((source) => source.name);
  const nearest = nearestName(name, names);
  const way =
    names.length === 0
      ? "Add it to dlo.config.yaml, under `sources`."
      : nearest === undefined
        ? `It has ${names.join(", ")}.`
        : `Did you mean \`${nearest}\`?`;
  return new OfficeError("SOURCE_NOT_FOUND", `The configuration has no source \`${name}\`. ${way}`, {
    details: { source: name },
  });
}

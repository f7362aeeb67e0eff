import type { SourceConfig } from "../config/config.ts";
import { keyPlaceIn, queueRule } from "../config/queue-rule.ts";
import type { ReferenceOrigin } from "../config/reference.ts";
import type { Clock } from "../domain/clock.ts";
import type { KeyPlace } from "../domain/key-place.ts";
import { hostIn } from "./ask-broker.ts";
import { type KeysAddress, keysAddressOf } from "./consumers-keys.ts";
import { openSource } from "./open-source.ts";
import type { OpenedSource } from "./opened-source.ts";
import { sourceNotFound } from "./source-book.ts";

/** The sources, each opened when it is first needed and then kept. */
export interface SourcePool {
  /** Refuses a name that no source has. */
  get(name: string): Promise<OpenedSource>;
  /** Host and port of whoever shows how things are there, for people. */
  where(name: string): Promise<string>;
  /** Where the configuration sends the letters of a dead-letter queue back to; null: where each says it came from. */
  replayTo(source: string, deadLetters: string): string | null;
  /** Where consumers of its letters find the idempotency key: as its dead-letter queue says, or else its source; null: where senders usually put it. */
  keyAt(source: string, deadLetters: string): KeyPlace | null;
  /** Whether the configuration has that queue drained for as long as the office runs. */
  isDrained(source: string, queue: string): boolean;
  /** Lets go of what is gone or has another address by now; whoever was at work there begins anew at the other. */
  follow(): void;
  close(): Promise<void>;
}

export interface PoolParts {
  /** All there are by now. */
  readonly sources: () => readonly SourceConfig[];
  readonly origin: ReferenceOrigin;
  readonly clock: Clock;
}

interface Opened {
  /** As it was opened: at another address it is another source. */
  readonly source: SourceConfig;
  /** Where its blocked keys are: the source that it names for them may move, too. */
  readonly keys: KeysAddress | null;
  readonly opening: Promise<OpenedSource>;
  /** Once it is open. */
  ready?: OpenedSource;
}

export function sourcePool({ sources, origin, clock }: PoolParts): SourcePool {
  const opened = new Map<string, Opened>();
  const closing = new Set<Promise<void>>();
  const open = (source: SourceConfig) => {
    const keys = keysAddressOf(source, sources());
    const entry: Opened = { source, keys, opening: openSource({ source, keys, origin, clock }) };
    opened.set(source.name, entry);
    entry.opening.then(
      (ready) => {
        entry.ready = ready;
      },
      // What could not be opened is tried again by the next who asks.
      () => {
        if (opened.get(source.name) === entry) opened.delete(source.name);
      },
    );
    return entry.opening;
  };
  // What is in hand there may take its time: nobody who wants the other address waits for that.
  const forget = (name: string, { opening }: Opened) => {
    opened.delete(name);
    const closed: Promise<void> = opening
      .then((source) => source.close())
      .catch(() => {})
      .finally(() => closing.delete(closed));
    closing.add(closed);
  };
  const named = (name: string) => sources().find((each) => each.name === name);
  const isSamePlace = ({ source, keys }: Opened, now: SourceConfig | undefined) =>
    now !== undefined && hasSameAddress(source, now) && isSameStore(keys, keysAddressOf(now, sources()));
  const ruleOf = (name: string, queue: string) => {
    const source = named(name);
    return source === undefined ? null : queueRule(source, queue);
  };
  return {
    async get(name) {
      const source = named(name);
      const known = opened.get(name);
      if (known !== undefined && isSamePlace(known, source)) return known.opening;
      if (known !== undefined) forget(name, known);
      if (source === undefined) throw sourceNotFound(name, sources());
      return open(source);
    },
    async where(name) {
      const seenThrough = opened.get(name)?.ready?.seenThrough;
      return seenThrough === undefined ? hostIn((await named(name)?.url.resolve(origin)) ?? name) : seenThrough();
    },
    replayTo: (name, deadLetters) => ruleOf(name, deadLetters)?.replayTo ?? null,
    keyAt: (name, deadLetters) => keyPlaceIn(named(name), deadLetters),
    isDrained: (name, queue) => ruleOf(name, queue)?.mode === "drain",
    follow() {
      for (const [name, entry] of opened) if (!isSamePlace(entry, named(name))) forget(name, entry);
    },
    async close() {
      for (const [name, entry] of opened) forget(name, entry);
      await Promise.all(closing);
    },
  };
}

function hasSameAddress(opened: SourceConfig, now: SourceConfig): boolean {
  const settingsOf = ({ schema, prefix, transports }: SourceConfig) => JSON.stringify([schema, prefix, transports]);
  return opened.url === now.url && opened.management === now.management && settingsOf(opened) === settingsOf(now);
}

function isSameStore(opened: KeysAddress | null, now: KeysAddress | null): boolean {
  return opened?.url === now?.url && opened?.schema === now?.schema;
}

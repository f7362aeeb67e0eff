import type { ReplayVia } from "../../domain/dead-letter.ts";
import { isOfficeError } from "../../domain/errors.ts";
import { queueNames } from "../../domain/wire.ts";
import { workingConsumers } from "../../ledger/consumers.ts";
import { askBroker } from "../../sources/ask-broker.ts";
import type { OpenedSource, PlacedLetter } from "../../sources/opened-source.ts";
import type { ReturnOutlook } from "../../sources/return-outlook.ts";
import type { SourcePool } from "../../sources/source-pool.ts";
import type { DestinationFacts } from "./facts.ts";
import type { DrainedPlace, ReplayParts, SentTo, SilenceWatch, TakesBack, WantedPlace } from "./replay-parts.ts";

/** Takes what is in a dead-letter queue by now into the ledger; false where it could not come to an end. Rejects where it cannot be done. */
export type CatchUp = (queue: {
  readonly source: string;
  readonly queue: string;
  readonly signal: AbortSignal;
}) => Promise<boolean>;

export interface DeskParts
  extends Omit<
    ReplayParts,
    "replayTo" | "keyAt" | "look" | "outlooks" | "watch" | "line" | "blockedKeysOf" | "probe" | "takesBack"
  > {
  readonly pool: SourcePool;
  readonly catchUp: CatchUp;
}

/** Replaying to the sources of the configuration. */
export function replayDesk({ pool, catchUp, ...parts }: DeskParts): ReplayParts {
  const { clock } = parts.host;
  const asking = <Answer>(source: string, withinMs: number | undefined, ask: () => Promise<Answer>) =>
    askBroker({ source, where: () => pool.where(source), ask, clock, withinMs: withinMs ?? null });
  return {
    ...parts,
    replayTo: (source, deadLetters) => pool.replayTo(source, deadLetters),
    keyAt: (source, deadLetters) => pool.keyAt(source, deadLetters),
    look: (source, wanted, withinMs) => asking(source, withinMs, () => look(pool, source, wanted)),
    outlooks: (source, letters, withinMs) => asking(source, withinMs, () => outlooks(pool, source, letters)),
    watch: (place, replay) => asking(place.source, undefined, () => watch(pool, catchUp, { ...place, replay })),
    takesBack: (origin) => takesBack(pool, origin),
    blockedKeysOf: async (source) => (await pool.get(source)).blockedKeys ?? null,
    async probe(source, queue, question) {
      const { transport } = await pool.get(source);
      await transport.send({ name: queueNames.probes(queue) }, question, { onward: true });
    },
    async line(source, id) {
      const isOurs = async (queue: string) => (await workingConsumers(parts.ledger, [queue])).has(`${source}/${queue}`);
      return asking(source, undefined, async () => (await pool.get(source)).line(id, isOurs));
    },
  };
}

async function takesBack(pool: SourcePool, { source, queue, position }: DrainedPlace): Promise<TakesBack> {
  const opened = await pool.get(source);
  if (await opened.keepsDrained?.(queue, position)) return "there";
  return pool.isDrained(source, queue) ? "drained" : "yes";
}

async function look(pool: SourcePool, source: string, wanted: WantedPlace): Promise<DestinationFacts> {
  try {
    const opened = await pool.get(source);
    return wanted.queue === null
      ? await lookAlong(opened, wanted.via)
      : await lookInto(opened, wanted.queue, wanted.via);
  } catch (error) {
    if (isOfficeError(error, "SOURCE_NOT_FOUND")) return { kind: "source_gone", source };
    if (isOfficeError(error, "INVALID_OPTION")) return { kind: "source_cannot_take", source };
    throw error;
  }
}

/** Of a source that is gone there is nothing to say: `look` says it. */
async function outlooks(
  pool: SourcePool,
  source: string,
  letters: readonly PlacedLetter[],
): Promise<readonly ReturnOutlook[] | null> {
  try {
    return (await (await pool.get(source)).outlooks?.(letters)) ?? null;
  } catch (error) {
    if (isOfficeError(error, "SOURCE_NOT_FOUND") || isOfficeError(error, "INVALID_OPTION")) return null;
    throw error;
  }
}

async function lookInto(opened: OpenedSource, queue: string, route: ReplayVia | null): Promise<DestinationFacts> {
  const { address, via = null, ...condition } = await opened.look(queue, route);
  if (address === null) return { kind: "missing", destination: queue };
  return { kind: "known", queue, via, ...condition, breakers: [], redChecks: [] };
}

/** Of a letter that says by which exchange and key it came, and not in which queue it was. */
async function lookAlong(opened: OpenedSource, via: ReplayVia | null): Promise<DestinationFacts> {
  if (via?.exchange === "") return lookInto(opened, via.routingKey, via);
  if (via === null || opened.reachedBy === undefined) return { kind: "unknown" };
  const reached = await opened.reachedBy(via);
  if (reached === null) return { kind: "unknown", isUnseen: true };
  if ("unseenBecause" in reached) return { kind: "unknown", isUnseen: true, unseenBecause: reached.unseenBecause };
  const [queue, ...others] = reached;
  if (queue === undefined) return { kind: "missing", destination: `${via.exchange} (${via.routingKey})` };
  return others.length === 0 ? lookInto(opened, queue, via) : { kind: "ambiguous", candidates: reached };
}

/** Consumed first, then caught up: what died was dead before its place in the queue was free. */
async function watch(
  pool: SourcePool,
  catchUp: CatchUp,
  { source, queue, deadLetters, replay }: SentTo & { readonly replay: Uint8Array },
): Promise<SilenceWatch> {
  const opened = await pool.get(source);
  const wasConsumed = await opened.watch(queue, replay);
  return async (signal) => {
    if (!(await wasConsumed())) return false;
    try {
      const beside = (await opened.countBeside?.(queue)) ?? (opened.countBeside === undefined ? 0 : null);
      // What was parked by then may be back in its queue.
      if (!(await wasConsumed())) return false;
      for (const name of deadLetters) if (!(await catchUp({ source, queue: name, signal }))) return false;
      return beside === 0 || "unless_parked";
    } catch (error) {
      // A dead-letter queue nobody can look into is no evidence of anything.
      if (isOfficeError(error)) return false;
      throw error;
    }
  };
}

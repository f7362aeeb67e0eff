import type { OpenedOffice } from "../../compose.ts";
import { type Clock, pause } from "../../domain/clock.ts";
import { visible } from "../terminal/text.ts";

export interface TroubleWatch {
  /** How the work of this process goes. */
  readonly look: OpenedOffice["work"];
  readonly note: (line: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const lookMs = 1_000;

/**
 * Says when something this process keeps doing cannot be done, and when it can again, until `signal` aborts. Where there are
 * no pages, nothing else does. Said once: what is tried again fails in many words.
 */
export async function tellTroubles({ look, note, clock, signal }: TroubleWatch): Promise<void> {
  let before: ReadonlyMap<string, string> = new Map();
  while (!signal.aborted) {
    const now = troublesOf(look());
    for (const [work, why] of now) if (!before.has(work)) note(`Trouble: ${work}: ${why} It is tried again.`);
    for (const work of before.keys()) if (!now.has(work)) note(`Over: ${work}.`);
    before = now;
    await pause(clock, lookMs, signal);
  }
}

/** What is troubled, by what it is, with the reason. */
function troublesOf({
  drains,
  reports,
  notifiers,
  replays,
  chores,
}: ReturnType<OpenedOffice["work"]>): Map<string, string> {
  const waiting = ({ state }: { readonly state: string }) => state === "waiting";
  return new Map(
    [
      ...drains
        .filter(({ troubledSince }) => troubledSince !== null)
        .map(({ source, queue, trouble }) => [drained(source, queue), trouble] as const),
      ...reports.filter(waiting).map(({ source, trouble }) => [`reading the reports of ${source}`, trouble] as const),
      ...notifiers.filter(waiting).map(({ name, trouble }) => [`telling ${name}`, trouble] as const),
      ...replays.filter(waiting).map(({ replay, trouble }) => [`leading ${replay}`, trouble] as const),
      ...chores.filter(waiting).map(({ name, trouble }) => [`the work on ${name}`, trouble] as const),
    ].map(([work, trouble]) => [visible(work), sentence(trouble ?? "nobody knows why")]),
  );
}

function drained(source: string, queue: string): string {
  return queue === "*" ? `finding the queues of ${source}` : `draining ${source}/${queue}`;
}

function sentence(text: string): string {
  const shown = visible(text);
  return /[.!?]$/.test(shown) ? shown : `${shown}.`;
}

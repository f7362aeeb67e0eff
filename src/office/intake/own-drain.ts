import type { Actor } from "../../domain/actor.ts";
import type { DrainProgress, DrainRequest } from "./drain.ts";

/** Whoever does what the configuration says. */
export const officeItself: Actor = { id: "office", kind: "system", roles: ["admin"] };

/** A dead-letter queue in which nothing came for so long is taken in, in milliseconds. */
export const caughtUpMs = 1_000;

interface OwnDrain {
  readonly source: string;
  readonly queue: string;
  readonly idleMs: number | null;
  /** @default never aborts */
  readonly signal?: AbortSignal;
}

/** A drain that the office needs for its own ends. */
export function asOffice({ source, queue, idleMs, signal = new AbortController().signal }: OwnDrain): DrainRequest {
  return { source, queue, signal, tuning: { idleMs }, actor: officeItself };
}

export async function drainUntil(
  drain: (request: DrainRequest) => Promise<DrainProgress>,
  queue: Omit<OwnDrain, "idleMs">,
): Promise<void> {
  await drain(asOffice({ ...queue, idleMs: null }));
}

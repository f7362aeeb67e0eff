import { showId } from "../../domain/ids.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { ProbeAnswer } from "../../domain/report.ts";
import type { Candidate } from "../../ledger/read-candidates.ts";
import type { OpenedLetter } from "../open-letter.ts";
import { askConsumers } from "./ask-consumers.ts";
import { probeFailed } from "./effect-facts.ts";
import type { EffectFacts } from "./facts.ts";
import type { ReplayParts } from "./replay-parts.ts";

/** A letter, what is known of its effect, and whom its policy says to ask. */
export interface Uncertain {
  readonly candidate: Candidate;
  readonly opened: OpenedLetter;
  readonly effect: EffectFacts;
  /** Names whom to ask, or nobody. */
  readonly protocol: Protocol;
  /** Where it failed, if consumers there can be asked themselves where the policy names nobody; null where they cannot. */
  readonly probedQueue: string | null;
}

/** Questions under way at once: whoever answers them is somebody's production. */
const askedAtOnce = 8;

/**
 * What is known of the effect of each letter, in order, after asking whom the policy names, or the consumers themselves: of every letter,
 * since how an attempt failed says nothing of what it did before. Only "it happened" and "it did not" settle it; any other answer, or
 * none, leaves it to a person. Consumers that are `silent` are not asked again; those that turn out to be are added.
 */
export async function askEffects(
  parts: Pick<ReplayParts, "call" | "ledger" | "host" | "probe" | "hear">,
  letters: readonly Uncertain[],
  silent: Set<string>,
): Promise<readonly EffectFacts[]> {
  const { call } = parts;
  const effects = letters.map(({ effect }) => effect);
  const waiting = letters.map((letter, index) => ({ letter, index })).filter(({ letter }) => isAskable(letter));
  const ask = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      effects[next.index] = await askEffect(call, next.letter);
    }
  };
  const probed = letters.flatMap((letter, index) => (isProbed(letter) ? [{ ...letter, index }] : []));
  await Promise.all(Array.from({ length: Math.min(askedAtOnce, waiting.length) }, ask));
  const said = await askConsumers(
    parts,
    probed.map(({ candidate, opened, probedQueue }) => ({ candidate, opened, queue: probedQueue ?? "" })),
    silent,
  );
  for (const [n, { index }] of probed.entries()) effects[index] = effectFacts(said[n] ?? "unknown");
  return effects;
}

/** There is somebody who may know of its effect what nobody here does. */
export function hasWhomToAsk(letter: Uncertain): boolean {
  return isAskable(letter) || isProbed(letter);
}

/** What is known where nobody is asked, though somebody could be: only what the letter itself tells. */
export function unaskedEffect(letter: Uncertain): EffectFacts {
  return letter.effect.kind !== "uncertain" && hasWhomToAsk(letter) ? { kind: "unasked" } : letter.effect;
}

function isProbed({ effect, protocol, probedQueue }: Uncertain): boolean {
  return effect.kind !== "done" && protocol.probe === null && probedQueue !== null;
}

function effectFacts(effect: ProbeAnswer): EffectFacts {
  return effect === "unknown" ? probeFailed : { kind: effect };
}

function isAskable({ effect, protocol }: Uncertain): boolean {
  return effect.kind !== "done" && protocol.probe !== null;
}

async function askEffect(
  call: ReplayParts["call"],
  { candidate, opened, effect, protocol: { probe } }: Uncertain,
): Promise<EffectFacts> {
  if (probe === null) return effect;
  const failed = { kind: "probe_failed", probe: originOf(probe.url) } as const;
  const url = filled(probe.url, { candidate, opened });
  if (url === null) return failed;
  try {
    const { status, body } = await call(url);
    const isDone = status === 200 ? doneIn(body) : null;
    return isDone === null ? failed : { kind: isDone ? "done" : "none" };
  } catch {
    return failed;
  }
}

/** As part of an address these lead to another path, however they are encoded. */
const namesNothing: ReadonlySet<string> = new Set(["", ".", ".."]);

/** Null where the letter has no such thing: to ask about nothing in particular would be answered for something else. */
function filled(url: string, { candidate, opened }: Pick<Uncertain, "candidate" | "opened">): string | null {
  const { schema, tenant } = opened.reading;
  const own: Readonly<Record<string, string | null>> = {
    ...{ letter: showId("letter", candidate.id), key: candidate.key, queue: candidate.queue, type: schema, tenant },
  };
  let isWhole = true;
  const text = url.replace(/\{(\w+)\}/gu, (_all, name: string) => {
    const value = own[name] ?? null;
    if (value === null || namesNothing.has(value)) isWhole = false;
    return encodeURIComponent(value ?? "");
  });
  return isWhole ? text : null;
}

/** `{ "done": true }` or `{ "done": false }`; null for anything else. */
function doneIn(body: Uint8Array): boolean | null {
  try {
    const { done } = JSON.parse(new TextDecoder().decode(body)) as { readonly done?: unknown };
    return typeof done === "boolean" ? done : null;
  } catch {
    return null;
  }
}

/** Those of these health checks that do not say yes, each asked once, however many letters go there. */
export async function redChecks(
  { call }: Pick<ReplayParts, "call">,
  known: Map<string, Promise<boolean>>,
  urls: readonly string[],
): Promise<readonly string[]> {
  const isGreen = (url: string) => {
    const asked =
      known.get(url) ??
      call(url)
        .then(({ status }) => status >= 200 && status < 300)
        .catch(() => false);
    known.set(url, asked);
    return asked;
  };
  const green = await Promise.all(urls.map(isGreen));
  return urls.filter((_url, index) => green[index] !== true).map(originOf);
}

/** Without its path, which may hold what is nobody's business. */
function originOf(url: string): string {
  return URL.parse(url.replace(/\{\w+\}/gu, "x"))?.host ?? "the policy's";
}

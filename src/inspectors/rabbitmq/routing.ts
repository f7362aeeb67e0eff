import type { BindingFacts, ExchangeFacts } from "./broker-facts.ts";

/** Who gets a message. */
export interface Routed {
  readonly queues: ReadonlySet<string>;
  /** Depends on headers, or on a plug-in's rules: any of the queues may get it, or none. */
  readonly isUnsure: boolean;
}

/** A key, or any at all. */
export type Key = string | null;

export interface Router {
  /** Who gets a message that is published to an exchange. Who might, when the key is not known. */
  route(exchange: string, key: Key): Routed;
}

/** Follows messages through exchanges as RabbitMQ does: bindings between exchanges and alternate exchanges included. */
export function router(
  exchanges: ReadonlyMap<string, ExchangeFacts>,
  bindings: readonly BindingFacts[],
  queues: ReadonlySet<string>,
): Router {
  const bySource = groupedBySource(bindings);

  function walk(exchange: string, key: Key, seen: Set<string>): { queues: Set<string>; isUnsure: boolean } {
    if (exchange === "") return { queues: defaultTargets(key), isUnsure: key === null };
    const facts = exchanges.get(exchange);
    if (facts === undefined || seen.has(exchange)) return { queues: new Set(), isUnsure: false };
    seen.add(exchange);
    const accepts = acceptance[facts.type];
    const matching = (bySource.get(exchange) ?? []).filter((binding) => accepts?.(binding.key, key) ?? true);
    const direct = matching.filter(({ toQueue }) => toQueue).map(({ destination }) => destination);
    const onward = matching.filter(({ toQueue }) => !toQueue).map(({ destination }) => walk(destination, key, seen));
    const reached = new Set([...direct, ...onward.flatMap((each) => [...each.queues])]);
    const isUnsure =
      accepts === undefined || (key === null && facts.type !== "fanout") || onward.some((each) => each.isUnsure);
    if ((reached.size > 0 && !isUnsure) || facts.alternate === null) return { queues: reached, isUnsure };
    const other = walk(facts.alternate, key, seen);
    return { queues: new Set([...reached, ...other.queues]), isUnsure: isUnsure || other.isUnsure };
  }

  /** The default exchange knows every queue by its name. With any key it could be any of them, which says nothing. */
  function defaultTargets(key: Key): Set<string> {
    return new Set(key !== null && queues.has(key) ? [key] : []);
  }

  return { route: (exchange, key) => walk(exchange, key, new Set()) };
}

/** Whether a binding takes a key. Types that are not here go by something else. */
const acceptance: Readonly<Record<string, (bound: string, key: Key) => boolean>> = {
  direct: (bound, key) => key === null || bound === key,
  fanout: () => true,
  topic: (bound, key) => key === null || matchesTopic(bound.split("."), key.split(".")),
};

/** `*` is one word, `#` any number. One row of a table a word of the pattern, so that no pattern takes long. */
function matchesTopic(pattern: readonly string[], words: readonly string[]): boolean {
  // reachable[n]: the pattern so far can stand for the first n words.
  let reachable = words.map(() => false);
  reachable = [true, ...reachable];
  for (const part of pattern) {
    const next = words.map((word, index) =>
      part === "#" ? false : reachable[index] === true && (part === "*" || part === word),
    );
    reachable = part === "#" ? fromFirst(reachable) : [false, ...next];
  }
  return reachable.at(-1) === true;
}

/** `#` stands for any number of words, so whatever comes after the first reachable place is reachable as well. */
function fromFirst(reachable: readonly boolean[]): boolean[] {
  const first = reachable.indexOf(true);
  return reachable.map((_, index) => first !== -1 && index >= first);
}

function groupedBySource(bindings: readonly BindingFacts[]): ReadonlyMap<string, readonly BindingFacts[]> {
  const groups = new Map<string, BindingFacts[]>();
  for (const binding of bindings) {
    const group = groups.get(binding.source);
    if (group === undefined) groups.set(binding.source, [binding]);
    else group.push(binding);
  }
  return groups;
}

import type { DeadLetter } from "../domain/dead-letter.ts";
import { brokers, libraries } from "./all-dialects.ts";
import type { Dialect } from "./dialect.ts";
import type { LetterView } from "./letter-view.ts";

/** Dialects that a letter may speak. */
export interface MaySpeak {
  readonly libraries: readonly Dialect[];
  readonly brokers: readonly Dialect[];
}

const all: MaySpeak = { libraries, brokers };

/** Shapes remembered at once; in characters, the longest that is. */
const most = 1_024;
const longest = 4_096;

/** By shape: who may speak, or null after the first letter of it, when nobody knows yet whether another comes. */
const known = new Map<string, MaySpeak | null>();

/**
 * Those dialects that are worth asking. Letters of one queue carry headers of the same names, and most dialects give up at names
 * that are not there: whoever did so at one letter need not be asked about the next of the same shape.
 */
export function maySpeak(view: LetterView): MaySpeak {
  const shape = shapeOf(view.letter);
  if (shape.length > longest) return all;
  const found = known.get(shape);
  if (found) return found;
  if (known.size >= most) known.clear();
  const narrowed = found === undefined ? null : narrow(view);
  known.set(shape, narrowed);
  return narrowed ?? all;
}

/** What dialects may go by without `watch` noticing: broker, queue, and names, each with its length so that none runs into the next. */
function shapeOf({ broker, queue, message: { headers, properties } }: DeadLetter): string {
  let shape = `${broker} ${queue?.length ?? -1} ${queue} ${headers.length} `;
  for (const { name } of headers) shape += `${name.length} ${name}`;
  for (const { name } of properties) shape += `${name.length} ${name}`;
  return shape;
}

function narrow(view: LetterView): MaySpeak {
  const isWorthAsking = ({ read }: Dialect) => {
    const { view: watched, hasLooked } = watch(view);
    return read(watched) !== null || hasLooked();
  };
  return { libraries: libraries.filter(isWorthAsking), brokers: brokers.filter(isWorthAsking) };
}

/** The same view; `hasLooked` says whether anything was looked at that another letter of the shape may have otherwise. */
function watch(view: LetterView): { readonly view: LetterView; readonly hasLooked: () => boolean } {
  let looked = false;
  const look = () => {
    looked = true;
  };
  const watched: LetterView = {
    letter: new Proxy(view.letter, {
      get(letter, name) {
        if (name !== "broker" && name !== "queue") look();
        const value: unknown = Reflect.get(letter, name);
        return value;
      },
    }),
    headers: watchValues(view.headers, look),
    names: view.names,
    properties: watchValues(view.properties, look),
    text: () => {
      look();
      return view.text();
    },
    json: () => {
      look();
      return view.json();
    },
  };
  return { view: watched, hasLooked: () => looked };
}

/** That a name is there, or is not, is part of the shape; what stands under it is not. */
function watchValues<Value>(values: ReadonlyMap<string, Value>, look: () => void): ReadonlyMap<string, Value> {
  return new Proxy(values, {
    get(target, name) {
      if (name === "has") return (key: string) => target.has(key);
      if (name !== "get") look();
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]): unknown => {
        const result: unknown = Reflect.apply(value, target, given);
        if (result !== undefined) look();
        return result;
      };
    },
  });
}

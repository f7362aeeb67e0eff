import { memo } from "../domain/memo.ts";

/** Stands where the letter's message stood: the character for "something else belongs here", in no stack of its own accord. */
const place = "\u001a";
const picture = "\u241a";

/**
 * A stack without the letter's own message, which is in its reading. Languages print it above the frames, with the ids and
 * numbers that are in it, and so no two stacks would be the same: thousands of letters share a handful otherwise.
 */
export function sharedStack(stack: string, message: string | null): string {
  const plain = stack.includes(place) ? stack.replaceAll(place, picture) : stack;
  const shared = message === null || message === "" ? plain : plain.replaceAll(message, place);
  return onlyOne(shared);
}

/** The very same string for equal ones: thousands of copies of it would wait in memory, and each be compared whole. */
const onlyOne = memo((text) => text, { most: 1_024, longest: 8_192 });

/** The stack as the letter had it. */
export function ownStack(shared: string, message: string | null): string {
  return message === null ? shared : shared.replaceAll(place, () => message);
}

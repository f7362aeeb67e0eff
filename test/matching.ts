import { expect } from "vitest";

/** A text that matches, in an object that is compared: a bare pattern there would match anything. */
export function matching(pattern: RegExp): string {
  return expect.stringMatching(pattern) as string;
}

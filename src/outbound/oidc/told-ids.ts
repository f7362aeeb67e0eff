/** Longer ones the standard forbids, and an index of the database can't hold. */
export const longestSubject = 255;
/** Of sessions and messages, which are found by them in an index as well. */
export const longestName = 512;

/** Whether someone can be known by that. A database holds no NUL, and no log should show what draws on a terminal. */
export function isSubject(sub: unknown): sub is string {
  return isText(sub, longestSubject);
}

/** Whether a session or a message of a provider can be known by that. */
export function isNameThere(name: unknown): name is string {
  return isText(name, longestName);
}

function isText(given: unknown, longest: number): given is string {
  return typeof given === "string" && given !== "" && given.length <= longest && !/\p{Cc}/u.test(given);
}

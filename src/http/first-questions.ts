import type { InputOf } from "../office/operations/operations.ts";

/** What the inbox asks when it is opened: a browser is told to ask for it with the page, before the code is there that shows it. */
export const firstInbox = { limit: 200, withSnoozed: false } as const satisfies InputOf<"inbox.list">;

import { createContext, use } from "react";
import type { Session } from "./office.ts";

/** Somebody who is signed in. */
export type Present = Session & { readonly actor: NonNullable<Session["actor"]> };

export const SessionContext = createContext<Present | null>(null);

/** Who is here, on every page inside the frame. */
export function useSession(): Present {
  const session = use(SessionContext);
  if (session === null) throw new Error("There is no session outside the frame.");
  return session;
}

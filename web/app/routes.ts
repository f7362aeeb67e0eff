import { useSyncExternalStore } from "react";
import { basePath } from "./office.ts";

type Values = Readonly<Record<string, string>>;

/** How a list of letters is shown. What is empty is as every list has it. */
export interface LetterList {
  /** The view that the search began from. */
  readonly view: string;
  /** In which order. */
  readonly sort: string;
  /** What of each letter, with commas between. */
  readonly cols: string;
}

/** Which groups the inbox shows. */
export interface InboxShown {
  /** @default false */
  readonly withSnoozed?: boolean;
  /** Only those of this lane. @default null, all of them */
  readonly lane?: string | null;
}

/** Which entries of the audit log are shown. What is empty does not matter. */
export interface AuditSearch {
  readonly by: string;
  readonly action: string;
  readonly about: string;
  /** `without`: not what the office did by itself. */
  readonly own: string;
}

/** Every page there is, and every link to one. */
export const pages = {
  inbox: ({ withSnoozed = false, lane = null }: InboxShown = {}) =>
    `/${queryOf({ lane: lane ?? "", snoozed: withSnoozed ? "too" : "" })}`,
  group: (id: string) => `/groups/${encodeURIComponent(id)}`,
  letters: (q = "", after: string | null = null, { view = "", sort = "", cols = "" }: Partial<LetterList> = {}) =>
    `/letters${queryOf({ q, view, sort, cols, after: after ?? "" })}`,
  letter: (id: string) => `/letters/${encodeURIComponent(id)}`,
  edit: (id: string) => `/letters/${encodeURIComponent(id)}/edit`,
  replays: (tab = "", after: string | null = null) => `/replays${queryOf({ tab, after: after ?? "" })}`,
  replay: (id: string, show: Values = {}) => `/replays/${encodeURIComponent(id)}${queryOf(show)}`,
  /**
   * `q`, `group`, or `ids` with commas between; with a `patch` each is edited by it. The last two may be long, and stand behind
   * the sign that browsers keep to themselves: a server refuses an address of more than some thousand characters.
   */
  plan: ({ ids = "", patch = "", ...selection }: Values) =>
    `/replays/new${queryOf(selection)}${queryOf({ ids, patch }).replace("?", "#")}`,
  approvals: () => "/approvals",
  queues: () => "/queues",
  queue: (source: string, name: string) => `/queues/${encodeURIComponent(source)}/${encodeURIComponent(name)}`,
  /** `focus`: a source, `source/queue`, dead-letter queue or service, and what hangs together with it. */
  topology: (focus = "") => `/topology${queryOf({ focus })}`,
  breakers: () => "/breakers",
  keys: (after: string | null = null) => `/keys${queryOf({ after: after ?? "" })}`,
  breaker: (name: string) => `/breakers/${encodeURIComponent(name)}`,
  consumers: () => "/consumers",
  alerts: () => "/alerts",
  policies: (version: number | null = null) => `/policies${version === null ? "" : `/${version}`}`,
  policyOf: (category: string) => `/policies/${encodeURIComponent(category)}`,
  /** The whole scenario is in the address. */
  simulator: (scenario: Values = {}) => `/simulator${queryOf(scenario)}`,
  /** Of letters that arrived in so many days; null: as many as usual. */
  insights: (days: number | null = null) => `/insights${queryOf({ days: days === null ? "" : String(days) })}`,
  audit: ({ by = "", action = "", about = "", own = "" }: Partial<AuditSearch> = {}, before: number | null = null) =>
    `/audit${queryOf({ by, action, about, own, before: before === null ? "" : String(before) })}`,
  status: () => "/status",
  connect: () => "/connect",
  settings: (part = "people") => `/settings/${part}`,
};

function queryOf(values: Values): string {
  const given = Object.entries(values).filter(([, value]) => value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}

export interface Place {
  /** Without the base path. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** What stands behind `#`, read as a query is. */
  readonly fragment: URLSearchParams;
}

/** The address is another one. */
export const moved = "dlo-moved";

/** `replace`: where one was is not come back to. */
export function goTo(to: string, how: "push" | "replace" = "push"): void {
  history[`${how}State`](null, "", `${basePath}${to}`);
  dispatchEvent(new Event(moved));
  scrollTo(0, 0);
}

/** Where the reader is: the address is the state, so that a link shows what was seen. */
export function usePlace(): Place {
  useSyncExternalStore(listen, () => location.href);
  return placeNow();
}

export function placeNow(): Place {
  const { pathname, searchParams, hash } = new URL(location.href);
  const fragment = new URLSearchParams(hash.slice(1));
  return { path: pathname.slice(basePath.length) || "/", query: searchParams, fragment };
}

function listen(changed: () => void): () => void {
  for (const name of ["popstate", moved]) addEventListener(name, changed);
  return () => {
    for (const name of ["popstate", moved]) removeEventListener(name, changed);
  };
}

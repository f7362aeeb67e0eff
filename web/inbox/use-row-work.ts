import { useCallback, useRef, useState } from "react";
import type { OperationName, OutputOf } from "../../src/office/operations/operations.ts";
import type { SingleKey } from "../app/key-map.ts";
import { type PageKey, usePageKeys } from "../app/page-keys.ts";
import { goTo, pages } from "../app/routes.ts";
import { useSay } from "../app/said.tsx";
import { useSession } from "../app/session.ts";
import { whyForbidden } from "../ui/act.tsx";
import { rowAtHand } from "../ui/rows-at-hand.ts";
import type { SteadyRow } from "../ui/use-steady-rows.ts";
import { acknowledging } from "./group-words.ts";
import { type SayWord, useSayWord } from "./use-say-word.ts";

export type InboxItem = OutputOf<"inbox.list">["items"][number];

/** What is asked about a row, beside it. */
type Panel = "menu" | "snooze" | "assign" | "note" | "classify";

/** What may be done with a row of the inbox, by its key. */
const rowActs = {
  r: "plan",
  d: "decide",
  c: "classify",
  e: "acknowledge",
  h: "snooze",
  a: "assign",
  n: "note",
  ".": "menu",
} as const satisfies Partial<Record<SingleKey, string>>;

export type RowKey = keyof typeof rowActs;

const operations: Readonly<Partial<Record<RowKey, OperationName>>> = {
  ...{ c: "groups.classify", e: "groups.acknowledge", h: "groups.snooze", a: "groups.assign", n: "groups.note" },
};

export interface RowWork extends SayWord {
  readonly asked: { readonly panel: Panel; readonly item: InboxItem } | null;
  readonly closed: () => void;
  /** Does what the key is for, or asks what has to be known first. */
  readonly press: (key: RowKey, item: InboxItem) => void;
  /** For rows, which are not drawn anew because of it. */
  readonly openMenu: (id: string) => void;
}

/** The row that is walked to is worked with where it stands: nobody leaves the inbox for a word about a group. */
export function useRowWork(rows: readonly SteadyRow<InboxItem>[], onChange: () => void): RowWork {
  const [asked, setAsked] = useState<RowWork["asked"]>(null);
  const session = useSession();
  const tell = useSay();
  const words = useSayWord(onChange);
  const latest = useRef(rows);
  latest.current = rows;
  const press = (key: RowKey, item: InboxItem) => {
    const act = rowActs[key];
    const operation = operations[key];
    const forbidden = operation === undefined ? null : whyForbidden(session, operation);
    if (forbidden !== null) tell({ text: forbidden });
    else if (act === "plan") goTo(pages.plan({ group: item.id }));
    else if (act === "decide") goTo(pages.letters(`group:${item.id} is:inbox`));
    else if (act !== "acknowledge") setAsked({ panel: act, item });
    else if (item.attention.status !== "acknowledged") words.say(acknowledging(item.id), item);
    else tell({ text: `It was acknowledged already, by ${item.attention.by}.` });
  };
  usePageKeys((key, event) => {
    if (!isRowKey(key)) return;
    const found = latest.current.find(({ row }) => row.id === rowAtHand());
    // Otherwise the key is typed into the field that is focused by then.
    event.preventDefault();
    if (found === undefined) tell({ text: "No row is chosen: walk to one, or open its menu." });
    else if (found.isGone) tell({ text: "It is not in the inbox any more." });
    else press(key, found.row);
  });
  const openMenu = useCallback((id: string) => {
    const found = latest.current.find(({ row }) => row.id === id);
    if (found !== undefined) setAsked({ panel: "menu", item: found.row });
  }, []);
  return { ...words, asked, closed: () => setAsked(null), press, openMenu };
}

export function isRowKey(key: PageKey): key is RowKey {
  return Object.hasOwn(rowActs, key);
}

import type { KeyboardEvent } from "react";
import { type KeyMap, keyFor } from "../app/key-map.ts";
import { peek } from "../app/peek.ts";
import { goTo, pages } from "../app/routes.ts";
import { keyMeant, useKeyMap } from "../app/use-key-map.ts";
import { showLetters } from "../ui/counts.ts";
import { waking } from "./group-words.ts";
import type { PanelProps } from "./row-work.tsx";
import { type InboxItem, isRowKey, type RowKey, type RowWork } from "./use-row-work.ts";

interface Choice {
  readonly label: string;
  readonly key: string | null;
  readonly run: () => void;
}

/** All that may be done with a row, with the key of each: by mouse, by thumb, or to learn the keys from. */
export function RowMenu({ work, asked: { item }, close }: PanelProps) {
  const choose = (run: () => void) => {
    close();
    run();
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const meant = keyMeant(event.nativeEvent);
    const by = meant === "j" || event.key === "ArrowDown" ? 1 : meant === "k" || event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) step(event.currentTarget, by);
    else if (meant !== null && meant !== "." && isRowKey(meant)) choose(() => work.press(meant, item));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <p className="row-title">{titleIn(item)}</p>
      <div role="menu" tabIndex={-1} aria-label="What to do" onKeyDown={press}>
        {choicesOf(item, work, useKeyMap()).map(({ label, key, run }) => (
          <button key={label} type="button" role="menuitem" onClick={() => choose(run)}>
            {label} {key === null ? null : <kbd>{key}</kbd>}
          </button>
        ))}
      </div>
    </>
  );
}

function choicesOf(item: InboxItem, work: RowWork, map: KeyMap): readonly Choice[] {
  const { status, assignee } = item.attention;
  const keyed = (own: RowKey, label: string): Choice => ({
    ...{ label, key: keyFor(map, own) },
    run: () => work.press(own, item),
  });
  const wake = () => work.say(waking(item.id), item);
  return [
    { label: "Open the group", key: "Enter", run: () => goTo(pages.group(item.id)) },
    { label: "Look beside the list", key: "Space", run: () => peek(item.id) },
    ...(status === "acknowledged" ? [] : [keyed("e", "Acknowledge until it gets worse")]),
    ...(status === null ? [] : [{ label: "Ask for attention again", key: null, run: wake }]),
    keyed("h", "Snooze…"),
    keyed("a", assignee === null ? "Assign…" : "Assign to somebody else…"),
    keyed("n", "Add a note…"),
    keyed("c", `Classify ${showLetters(item.open)}…`),
    keyed("r", "Plan a replay"),
    keyed("d", "Drop, compensate or escalate"),
  ];
}

/** Which row it is, where the dialog hides it. */
export function titleIn({ title, queue }: Pick<InboxItem, "title" | "queue">) {
  return (
    <>
      <b>{title}</b> <span className="muted">{queue}</span>
    </>
  );
}

function step(menu: HTMLElement, by: number): void {
  const choices = [...menu.querySelectorAll<HTMLElement>("[role=menuitem]")];
  const at = choices.indexOf(document.activeElement as HTMLElement);
  choices[(at + by + choices.length) % choices.length]?.focus();
}

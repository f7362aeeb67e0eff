import { useEffect } from "react";
import { writeText } from "../ui/copy-button.tsx";
import { rowAtHand, rowOf, stepRow } from "../ui/rows-at-hand.ts";
import { turnZone } from "./display-zone.ts";
import { isTyping } from "./is-typing.ts";
import { pressOnPage, selectingBy } from "./page-keys.ts";
import { goTo, pages } from "./routes.ts";
import type { Say } from "./said.tsx";
import { linkToNow } from "./search-times.ts";
import { keyMeant } from "./use-key-map.ts";

/** `g`, then one of these. */
const destinations: Readonly<Record<string, () => string>> = {
  i: () => pages.inbox(),
  m: () => pages.letters(),
  r: () => pages.replays(),
  a: pages.approvals,
  q: pages.queues,
  b: pages.breakers,
  c: pages.consumers,
  l: pages.alerts,
  p: () => pages.policies(),
  s: () => pages.simulator(),
  n: () => pages.insights(),
  u: () => pages.audit(),
  t: () => pages.topology(),
  h: pages.status,
};

/** Keys that hold on every page. None of them sends, drops or changes anything. */
export function useKeys(showHelp: () => void, say: Say): void {
  useEffect(() => {
    let first: string | null = null;
    const press = (event: KeyboardEvent) => {
      const key = keyMeant(event);
      const isTyped = event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target);
      const to = first === "g" && !isTyped ? destinations[event.key] : undefined;
      const selects = first === "*" && !isTyped ? selectingBy(event.key) : null;
      first = key;
      if (to !== undefined) goTo(to());
      else if (selects !== null) pressOnPage(selects, event);
      else if (key !== null) {
        act(key, event, showHelp);
        pressOnPage(key, event);
      }
      if (key === "z") say({ text: turnZone() });
      if (key === "y" || key === "Y") void copyBy(key).then((text) => say({ text }));
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [showHelp, say]);
}

function act(key: string, event: KeyboardEvent, showHelp: () => void): void {
  if (key === "?") showHelp();
  if (key === "r") document.querySelector<HTMLAnchorElement>("a[data-plan]")?.click();
  if (key === "j") stepRow(1);
  if (key === "k") stepRow(-1);
  if (key === "Z") document.querySelector<HTMLButtonElement>("[data-undo]")?.click();
  if (key === "x") pickRow();
  if (key === "d") document.querySelector<HTMLButtonElement>("[data-decide] button")?.focus();
  if ("ceahn".includes(key)) openAct(key, event);
  if (key === "[" || key === "]") document.querySelector<HTMLAnchorElement>(`[data-walk="${key}"] > a`)?.click();
  if (key === "/") {
    event.preventDefault();
    document.querySelector<HTMLInputElement>('.bar input[type="search"]')?.select();
  }
}

/** Opens what the key is for on this page; whatever is asked there is asked before anything is done. */
function openAct(key: string, event: KeyboardEvent): void {
  if (document.querySelector("dialog[open]") !== null) return;
  const button = document.querySelector<HTMLButtonElement>(`[data-key="${key}"] > button`);
  if (button === null) return;
  // Otherwise the key is typed into the field that is focused by then.
  event.preventDefault();
  button.click();
}

/** The link to the page, or what asks for the same in a terminal; gives what to say of it. */
async function copyBy(key: "y" | "Y"): Promise<string> {
  if (key === "y") {
    const { link, isFrozen } = linkToNow();
    await writeText(link);
    return isFrozen
      ? "Copied the link to this page, with moments for what counts from now."
      : "Copied the link to this page.";
  }
  // The last is that of the whole page; those within dialogs are of what has not been done.
  const command = [...document.querySelectorAll("main > .command code")].at(-1)?.textContent;
  if (command === undefined || command === null) return "This page has no command of its own.";
  await writeText(command);
  return `Copied: ${command}`;
}

/** Selects the row that is walked to. */
function pickRow(): void {
  const id = rowAtHand();
  if (id !== null) rowOf(id)?.querySelector<HTMLInputElement>("input[data-pick]")?.click();
}

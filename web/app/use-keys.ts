import { useEffect } from "react";
import { isTyping } from "./is-typing.ts";
import { goTo, pages } from "./routes.ts";

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
  n: pages.insights,
  u: () => pages.audit(),
  t: () => pages.topology(),
  h: pages.status,
};

/** Keys that hold on every page. None of them sends, drops or changes anything. */
export function useKeys(showHelp: () => void): void {
  useEffect(() => {
    let goes = false;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const to = goes ? destinations[event.key] : undefined;
      goes = event.key === "g";
      if (to !== undefined) goTo(to());
      else act(event, showHelp);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [showHelp]);
}

function act(event: KeyboardEvent, showHelp: () => void): void {
  if (event.key === "?") showHelp();
  if (event.key === "r") document.querySelector<HTMLAnchorElement>("a[data-plan]")?.click();
  if (event.key === "j") moveRow(1);
  if (event.key === "k") moveRow(-1);
  if (event.key === "x") pickRow();
  if (event.key === "d") document.querySelector<HTMLButtonElement>("[data-decide] button")?.focus();
  if ("ceahn".includes(event.key)) openAct(event);
  if (event.key === "/") {
    event.preventDefault();
    const search = document.querySelector<HTMLInputElement>('input[type="search"]');
    if (search === null) goTo(pages.letters());
    else search.focus();
  }
}

/** Opens what the key is for on this page; whatever is asked there is asked before anything is done. */
function openAct(event: KeyboardEvent): void {
  if (document.querySelector("dialog[open]") !== null) return;
  const button = document.querySelector<HTMLButtonElement>(`[data-key="${event.key}"] > button`);
  if (button === null) return;
  // Otherwise the key is typed into the field that is focused by then.
  event.preventDefault();
  button.click();
}

/** Rows are walked by their links, so that Enter opens one as it does everywhere. */
function moveRow(by: number): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("a[data-row]")];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  links[at === -1 ? 0 : Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
}

/** Selects the row that is walked to. */
function pickRow(): void {
  document.activeElement?.closest("tr")?.querySelector<HTMLInputElement>("input[data-pick]")?.click();
}

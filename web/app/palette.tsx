import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { basePath } from "./office.ts";
import { choicesFor, type PaletteChoice } from "./palette-choices.ts";
import { goTo } from "./routes.ts";

/** Ctrl K, or ⌘ K: to any page, any id, the next step of the page at hand, or a search. It leads, and never acts. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [here, setHere] = useState<readonly PaletteChoice[] | null>(null);
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (dialog.current?.open || document.querySelector("dialog[open]") !== null) return;
      setHere(linksOfPage());
      dialog.current?.showModal();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <dialog ref={dialog} className="act palette" aria-label="Go to" onClose={() => setHere(null)}>
      {here === null ? null : <PaletteBox here={here} dialog={dialog} />}
    </dialog>
  );
}

/** What the page at hand offers as its next steps. */
function linksOfPage(): readonly PaletteChoice[] {
  return [...document.querySelectorAll<HTMLAnchorElement>("main a.button:not(.terms *)")].map((link) => ({
    name: link.textContent ?? "",
    about: "on this page",
    to: link.getAttribute("href")?.slice(basePath.length) ?? "/",
  }));
}

interface PaletteBoxProps {
  readonly here: readonly PaletteChoice[];
  readonly dialog: RefObject<HTMLDialogElement | null>;
}

function PaletteBox({ here, dialog }: PaletteBoxProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // The dialog opens before it has a field to give the focus to.
  useEffect(() => field.current?.focus(), []);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const choices = choicesFor(typed, here);
  const chosen = Math.min(at, choices.length - 1);
  const go = (choice: PaletteChoice | undefined) => {
    if (choice === undefined) return;
    dialog.current?.close();
    goTo(choice.to);
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) setAt(Math.max(0, Math.min(choices.length - 1, chosen + by)));
    if (event.key === "Enter") go(choices[chosen]);
    if (by !== undefined || event.key === "Enter") event.preventDefault();
  };
  return (
    <>
      <input
        ref={field}
        role="combobox"
        aria-label="A page, an id, or a search"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={`${id}-${chosen}`}
        placeholder="A page, an id, or a search"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onKeyDown={press}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
      />
      <PaletteList id={id} choices={choices} chosen={chosen} onGo={go} />
    </>
  );
}

interface PaletteListProps {
  readonly id: string;
  readonly choices: readonly PaletteChoice[];
  readonly chosen: number;
  readonly onGo: (choice: PaletteChoice) => void;
}

function PaletteList({ id, choices, chosen, onGo }: PaletteListProps) {
  return (
    <div id={id} role="listbox" aria-label="Where to" className="choices">
      {choices.map((choice, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field has the focus and the keys
        <div
          key={`${choice.about} ${choice.name}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          onClick={() => onGo(choice)}
        >
          {choice.name} <span className="muted">{choice.about}</span>
        </div>
      ))}
    </div>
  );
}

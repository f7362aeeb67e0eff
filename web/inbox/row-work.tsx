import { type MouseEvent, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { rowOf } from "../ui/rows-at-hand.ts";
import { RowMenu } from "./row-menu.tsx";
import { AssignPanel, ClassifyPanel, NotePanel, SnoozePanel } from "./row-panels.tsx";
import type { RowWork } from "./use-row-work.ts";
import "./row-work.css";

const titles = { menu: "What to do", snooze: "Snooze", assign: "Assign", note: "Add a note", classify: "Classify" };

/** What is asked about a row, beside the row; on a phone at the bottom, where a thumb is. */
export function RowDialog({ work }: { readonly work: RowWork }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { asked } = work;
  useLayoutEffect(() => {
    const shown = dialog.current;
    if (shown === null || asked === null) return undefined;
    if (!shown.open) shown.showModal();
    const place = () => placeBeside(rowOf(asked.item.id), shown);
    place();
    shown.querySelector<HTMLElement>("button, input, textarea, select")?.focus();
    // It grows with what is said in it.
    const watch = new ResizeObserver(place);
    watch.observe(shown);
    return () => watch.disconnect();
  }, [asked]);
  const close = () => dialog.current?.close();
  const closed = () => {
    // It says so later: by then something else may be asked in it.
    if (dialog.current?.open === false) work.closed();
  };
  const closeFromOutside = (event: MouseEvent) => {
    if (event.target === dialog.current) close();
  };
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it
    <dialog
      ref={dialog}
      className="row-work"
      aria-label={asked === null ? undefined : `${titles[asked.panel]}: ${asked.item.title}`}
      onClose={closed}
      onClick={closeFromOutside}
    >
      {asked === null ? null : (
        <Panel key={`${asked.panel} ${asked.item.id}`} work={work} asked={asked} close={close} />
      )}
    </dialog>,
    // Outside of the page, which cannot be reached while something covers it.
    document.body,
  );
}

export interface PanelProps {
  readonly work: RowWork;
  readonly asked: NonNullable<RowWork["asked"]>;
  readonly close: () => void;
}

function Panel(props: PanelProps) {
  const { panel } = props.asked;
  if (panel === "menu") return <RowMenu {...props} />;
  if (panel === "snooze") return <SnoozePanel {...props} />;
  if (panel === "assign") return <AssignPanel {...props} />;
  if (panel === "note") return <NotePanel {...props} />;
  return <ClassifyPanel {...props} />;
}

const marginPx = 8;

/** Below its row where there is room, at the row's end; the style sheet knows when there is none beside it at all. */
function placeBeside(row: HTMLElement | null, dialog: HTMLElement): void {
  if (row === null) return;
  const { bottom, right } = row.getBoundingClientRect();
  const top = Math.max(marginPx, Math.min(bottom, innerHeight - dialog.offsetHeight - marginPx));
  dialog.style.setProperty("--top", `${top}px`);
  dialog.style.setProperty("--end", `${Math.max(marginPx, innerWidth - right)}px`);
}

import { EventEmitter } from "node:events";
import type { Window } from "../../src/cli/demo/in-pictures.ts";

export interface FakeWindowOptions {
  readonly columns: number;
  readonly rows: number;
  readonly isTTY?: boolean;
}

/** A terminal that remembers what it was sent, and which mode its keyboard is in. */
export function fakeWindow({ columns, rows, isTTY = true }: FakeWindowOptions) {
  const written: string[] = [];
  const size = { columns, rows };
  const atExit = new Set<() => void>();
  const keyboard = Object.assign(new EventEmitter(), {
    isTTY,
    raw: false,
    flowing: false,
    setRawMode: (raw: boolean) => {
      keyboard.raw = raw;
    },
    resume: () => {
      keyboard.flowing = true;
    },
    pause: () => {
      keyboard.flowing = false;
    },
  });
  const window: Window = {
    keyboard,
    display: Object.assign(size, { write: (text: string) => written.push(text) }),
    onExit(run) {
      atExit.add(run);
      return () => atExit.delete(run);
    },
  };
  return {
    window,
    keyboard,
    size,
    /** All that was written since it was last taken. */
    take: () => written.splice(0).join(""),
    /** Ends the process, as far as the window can tell. */
    exit: () => {
      for (const run of atExit) run();
    },
  };
}

/** The terminal's keyboard, as far as the screen needs it; `process.stdin` is one. */
export interface Keyboard {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  on(event: "data", listener: (data: Uint8Array | string) => void): unknown;
  off(event: "data", listener: (data: Uint8Array | string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** The terminal's display; `process.stdout` is one. */
export interface Display {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const csi = "\u001b[";
const alternateScreen = { enter: `${csi}?1049h`, leave: `${csi}?1049l` };
const cursor = { hide: `${csi}?25l`, show: `${csi}?25h` };
/** Terminals that know it show what lies between at once; the others ignore it. */
const together = { begin: `${csi}?2026h`, end: `${csi}?2026l` };
const clearScreen = `${csi}2J`;
const resetInk = `${csi}0m`;

/**
 * The whole window, drawn over and over. Only lines that changed are sent, so nothing flickers and a slow connection
 * keeps up. Whatever was on the terminal before is there again after `close`.
 */
export class Screen {
  readonly #keyboard: Keyboard;
  readonly #display: Display;
  readonly #pressed: (key: string) => void;
  #shown: readonly string[] = [];
  #size = "";
  #open = false;

  constructor(keyboard: Keyboard, display: Display, pressed: (key: string) => void) {
    this.#keyboard = keyboard;
    this.#display = display;
    this.#pressed = pressed;
  }

  /** In characters, as of now: windows change their size. */
  get size(): { readonly columns: number; readonly rows: number } {
    return { columns: this.#display.columns || 80, rows: this.#display.rows || 24 };
  }

  /** Whether keys are heard. A pipe has none. */
  get hasKeys(): boolean {
    return this.#keyboard.isTTY === true;
  }

  open(): void {
    if (this.#open) return;
    this.#open = true;
    this.#display.write(alternateScreen.enter + cursor.hide + clearScreen);
    if (!this.hasKeys) return;
    this.#keyboard.setRawMode?.(true);
    this.#keyboard.on("data", this.#hear);
    this.#keyboard.resume();
  }

  /** Shows these lines, each as wide as the window and as many as it has rows. */
  show(lines: readonly string[]): void {
    if (!this.#open) return;
    const { columns, rows } = this.size;
    const size = `${columns}x${rows}`;
    const resized = size !== this.#size;
    if (resized) this.#shown = [];
    this.#size = size;
    const changed = lines.map((line, row) => (line === this.#shown[row] ? "" : `${csi}${row + 1};1H${line}`)).join("");
    this.#shown = lines;
    if (changed !== "") this.#display.write(together.begin + (resized ? clearScreen : "") + changed + together.end);
  }

  /** Gives the terminal back as it was. Calling it again does nothing. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    // Some terminals carry lines over when their size changed meanwhile: nothing is left to carry.
    this.#display.write(resetInk + clearScreen + cursor.show + alternateScreen.leave);
    if (!this.hasKeys) return;
    this.#keyboard.off("data", this.#hear);
    this.#keyboard.setRawMode?.(false);
    this.#keyboard.pause();
  }

  readonly #hear = (data: Uint8Array | string): void => {
    this.#pressed(typeof data === "string" ? data : new TextDecoder().decode(data));
  };
}

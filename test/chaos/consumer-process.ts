import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { within } from "../../src/domain/clock.ts";
import { systemClock } from "../../src/system/host.ts";
import type { BrokerName } from "./brokers.ts";
import type { Failpoint } from "./failpoint.ts";
import type { Note } from "./note.ts";

/** What a consumer's process is told when it is started. */
export interface ConsumerSettings {
  readonly broker: BrokerName;
  readonly url: string;
  /** Where payments and the inbox are. */
  readonly booksUrl: string;
  readonly queue: string;
  readonly inbox: boolean;
  readonly leaseMs: number;
  readonly timeLimitMs: number;
  readonly concurrency: number;
  readonly prefetch: number;
  readonly failpoint?: Failpoint;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what it wrote to stderr. */
  readonly complaint: string;
}

const program = fileURLToPath(new URL("consumer.ts", import.meta.url));
const complaintCharacters = 4_000;

/** A consumer in a process of its own, as its keeper sees it. */
export class ConsumerProcess {
  /** What it has told so far, in order. */
  readonly notes: Note[] = [];
  /** Resolves when its first handler has begun, or it has ended without. */
  readonly busy: Promise<void>;
  /** Resolves when it has ended and everything it told has been heard. */
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #complaint = "";
  #over = false;

  constructor(settings: ConsumerSettings, heard: (note: Note) => void = () => {}) {
    this.#child = spawn(process.execPath, [program, JSON.stringify(settings)], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    this.ended = this.#untilEnded();
    this.busy = this.#untilBusy(heard);
    this.#endWithUs();
    // Our end of the pipe is what it knows us by; that it may be gone first is no news.
    this.#child.stdin.on("error", () => {});
  }

  get hasEnded(): boolean {
    return this.#over;
  }

  /** As it ended by itself, or everything it told until the time was over. */
  endsWithin(limitMs: number): Promise<Ending> {
    return within(systemClock, limitMs, this.ended, () => {
      throw new Error(`It still runs after ${limitMs} ms. ${this.account()}`);
    });
  }

  /** What it did and said so far, for whoever has to find out why it did not do more. */
  account(): string {
    const told = this.notes.map((note) => JSON.stringify(note)).join("\n");
    return `It told:\n${told || "nothing"}\nIt complained:\n${this.#complaint || "of nothing"}`;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** As a crash would. */
  kill(): Promise<Ending> {
    this.signal("SIGKILL");
    return this.ended;
  }

  /** As a supervisor does. */
  stop(): Promise<Ending> {
    this.signal("SIGTERM");
    return this.ended;
  }

  /** Also when it is stopped, and cannot see that we are gone. */
  #endWithUs(): void {
    const end = () => this.signal("SIGKILL");
    process.once("exit", end);
    this.#child.once("close", () => process.off("exit", end));
  }

  #untilEnded(): Promise<Ending> {
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-complaintCharacters);
    });
    return new Promise((resolve) => {
      this.#child.once("close", (code, signal) => {
        this.#over = true;
        resolve({ code, signal, complaint: this.#complaint });
      });
    });
  }

  #untilBusy(heard: (note: Note) => void): Promise<void> {
    return new Promise((resolve) => {
      createInterface(this.#child.stdout).on("line", (line) => {
        const note = readNote(line);
        if (note === undefined) return;
        this.notes.push(note);
        if (note.type === "attempt-started") resolve();
        heard(note);
      });
      void this.ended.then(() => resolve());
    });
  }
}

/** The last line of a process that was killed may be half a line. */
function readNote(line: string): Note | undefined {
  try {
    return JSON.parse(line) as Note;
  } catch {
    return undefined;
  }
}

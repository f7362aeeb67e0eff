import type { WrittenEntry } from "../../ledger/read-audit.ts";

/** When somebody outside wants to be told. */
export type Occasion = "alert" | "approval" | "halted" | "returned" | "token";

/** Something that somebody outside is told of. It says where to look, and nothing of what is in any letter. */
export interface Notice {
  readonly occasion: Occasion;
  /** Stable, for programs. */
  readonly type: string;
  /** Of the entry in the audit log it comes from. */
  readonly n: number;
  /** ISO 8601. */
  readonly at: string;
  /** One line for a phone. */
  readonly text: string;
  /** What it is about: the same for all that is said of one thing. */
  readonly about: string;
  /** Where to look, below the office's address. */
  readonly path: string;
  /** Only those of these names are told; none: all who want to be told of its occasion. @default none */
  readonly to?: readonly string[];
  /** What becomes of what was said before of the same thing. @default "begins" */
  readonly step?: NoticeStep;
  /** Said each time it happens, however soon after the last. @default false: an alert is said once in a while */
  readonly isEach?: boolean;
}

/** Whether something begins, somebody takes care of it, or it is over. */
export type NoticeStep = "begins" | "taken" | "over";

export interface NoticeRules {
  /** Whether one letter there is an alert. */
  readonly isCritical: (source: string, queue: string) => boolean;
}

interface Entry {
  readonly at: string;
  readonly action: string;
  readonly actor?: { readonly id?: unknown };
  readonly replay?: unknown;
  readonly reason?: unknown;
  readonly sentence?: unknown;
  readonly because?: unknown;
  readonly verdict?: unknown;
  readonly counts?: { readonly sent?: unknown; readonly returned?: unknown };
  readonly source?: unknown;
  readonly drainedFrom?: unknown;
  readonly held?: unknown;
  readonly rule?: unknown;
  readonly about?: unknown;
  readonly path?: unknown;
  readonly notifiers?: unknown;
  readonly owner?: unknown;
  readonly tokens?: unknown;
  readonly suspendsAt?: unknown;
}

type Said = Omit<Notice, "n" | "at" | "type"> | null;

const byAction: Readonly<Record<string, (entry: Entry, rules: NoticeRules) => Said>> = {
  "replay.asked": (entry) => ofReplay(entry, "approval", `${who(entry)} asks for approval: ${cut(entry.reason)}`),
  "replay.halted": (entry) => ofReplay(entry, "halted", `A replay halted: ${cut(entry.sentence)}`),
  "replay.paused": (entry) =>
    entry.because === "outcome unknown"
      ? ofReplay(entry, "halted", "A replay is paused: nobody reported what became of the messages it sent")
      : null,
  "replay.glass_broken": (entry) => ofReplay(entry, "halted", `${who(entry)} broke the glass: ${cut(entry.reason)}`),
  "replay.finished": (entry) =>
    entry.verdict === "with returns"
      ? ofReplay(
          entry,
          "returned",
          `A replay finished: ${count(entry.counts?.returned)} of ${count(entry.counts?.sent)} came back`,
        )
      : null,
  "sending.stopped": (entry) => ({
    ...{ occasion: "halted", about: "sending", path: "/" },
    text: `${who(entry)} stopped all sending${entry.reason ? `: ${cut(entry.reason)}` : ""}`,
  }),
  "alert.fired": (entry) => ofAlert(entry, "begins", cut(entry.sentence)),
  "alert.more": (entry) => ofAlert(entry, "begins", cut(entry.sentence)),
  "alert.acknowledged": (entry) =>
    ofAlert(entry, "taken", `${who(entry)} is taking care of it: ${cut(entry.sentence)}`),
  "alert.cleared": (entry) => ofAlert(entry, "over", `Resolved: ${cut(entry.sentence)}`),
  "alert.tested": (entry) =>
    ofAlert(entry, "begins", `Test of the rule ${cut(entry.rule)} by ${who(entry)}: nothing is wrong`),
  "alert.test_over": (entry) =>
    ofAlert(entry, "over", `Resolved: test of the rule ${cut(entry.rule)} by ${who(entry)}`),
  "tokens.suspending": ({ owner, tokens, suspendsAt }) => ({
    ...{ occasion: "token", about: `tokens:${cut(owner)}`, path: "/settings/tokens" },
    text: `Tokens of ${cut(owner)} (${count(tokens)}) will be suspended on ${cut(suspendsAt).slice(0, 10)}, unless they sign in before`,
  }),
  "letters.held": ({ source, drainedFrom, held }, { isCritical }) => {
    if (typeof source !== "string" || typeof drainedFrom !== "string" || !(Number(held) > 0)) return null;
    if (!isCritical(source, drainedFrom)) return null;
    const place = `${source}/${drainedFrom}`;
    const letters = Number(held) === 1 ? "letter" : "letters";
    return {
      occasion: "alert",
      about: place,
      path: "/",
      text: `${count(held)} dead ${letters} in ${cut(place)}, which is critical`,
    };
  },
};

/** What an entry of the audit log means for somebody who is not looking; null where it can wait. */
export function noticeOf({ n, text }: WrittenEntry, rules: NoticeRules): Notice | null {
  const entry = JSON.parse(text) as Entry;
  const said = byAction[entry.action]?.(entry, rules) ?? null;
  return said === null ? null : { ...said, n, at: entry.at, type: entry.action };
}

function ofReplay({ replay }: Entry, occasion: Occasion, text: string): Said {
  return typeof replay === "string" ? { occasion, text, about: replay, path: `/replays/${replay}` } : null;
}

function ofAlert({ rule, about, path, notifiers }: Entry, step: NoticeStep, text: string): Said {
  if (typeof rule !== "string" || typeof about !== "string" || typeof path !== "string") return null;
  const to = Array.isArray(notifiers) ? notifiers.filter((each) => typeof each === "string") : [];
  return { occasion: "alert", text, about: `${rule}:${about}`, path, to, step, isEach: true };
}

function who({ actor }: Entry): string {
  return typeof actor?.id === "string" ? actor.id : "Somebody";
}

function count(n: unknown): string {
  return typeof n === "number" ? n.toLocaleString("en") : "some";
}

/** A phone shows no more. */
const mostCharacters = 100;

function cut(text: unknown): string {
  const line = typeof text === "string" ? text.replaceAll(/\s+/g, " ").trim() : "";
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line;
}

import { useEffect, useState, useSyncExternalStore } from "react";
import { piecesOf, readEvents } from "../../src/http/event-stream.ts";
import { apiPrefix } from "../../src/http/routes.ts";
import { basePath } from "./office.ts";

/** How the page stands to the office, for the reader. `at` is when it last heard of it. */
export interface LiveState {
  readonly kind: "connecting" | "live" | "paused" | "reconnecting" | "stale";
  readonly at: number;
}

/** A comment comes every 15 s: silence of so long means that nobody is there. */
const silentMs = 35_000;
const staleMs = 60_000;
const againMs = 2_000;
/** A tab that nobody sees lets go of its connection: browsers have few of them for one office. */
const hiddenMs = 60_000;
/** What changes a hundred times a second is looked at again once a second. */
const calmMs = 1_000;

let state: LiveState = { kind: "connecting", at: Date.now() };
/** Counts what is to be looked at again. */
let turn = 0;
let isMissed = false;
let heardAt = Date.now();
let lastId: string | null = null;
let calmUntil = 0;
let calmTimer: ReturnType<typeof setTimeout> | undefined;
const holds = new Set<object>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

function become(kind: LiveState["kind"], at = heardAt): void {
  if (state.kind === kind) return;
  state = { kind, at };
  tell();
}

/** Something changed: pages look again, soon, and not while they are held. */
function changed(): void {
  if (holds.size > 0) {
    isMissed = true;
    return;
  }
  if (calmTimer !== undefined) return;
  calmTimer = setTimeout(
    () => {
      calmTimer = undefined;
      if (holds.size > 0) isMissed = true;
      else nextTurn();
    },
    Math.max(0, calmUntil - Date.now()),
  );
}

function nextTurn(): void {
  calmUntil = Date.now() + calmMs;
  isMissed = false;
  turn += 1;
  tell();
}

/** Nothing is asked of the office, and nothing on the page changes, until what is returned is called. */
export function holdLive(): () => void {
  const hold = {};
  holds.add(hold);
  if (state.kind === "live") become("paused", Date.now());
  return () => {
    if (!holds.delete(hold) || holds.size > 0) return;
    if (state.kind === "paused") become("live");
    if (isMissed) nextTurn();
  };
}

async function listen(signal: AbortSignal): Promise<"again" | "over"> {
  const after = lastId === null ? "" : `?after=${lastId}`;
  const response = await fetch(`${basePath}${apiPrefix}/stream${after}`, { signal });
  if (response.status === 401) return "over";
  if (!response.ok || response.body === null) return "again";
  for await (const heard of readEvents(piecesOf(response.body))) {
    heardAt = Date.now();
    become(holds.size > 0 ? "paused" : "live");
    if (heard === "beat") continue;
    lastId = heard.id;
    if (heard.event === "bye") return heard.data.includes("actor.") ? "over" : "again";
    // This only says where the stream is: what was asked before may have changed while nobody listened, and the page was busy just now.
    if (heard.event === "message") calmUntil = Date.now() + calmMs;
    changed();
  }
  return "again";
}

/** Keeps one stream open while the page is seen. Gives what ends it. */
export function startLive(): () => void {
  const stop = new AbortController();
  void keepListening(stop.signal);
  return () => stop.abort();
}

async function keepListening(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await untilSeen(signal);
    const line = new AbortController();
    const cut = watchLine(line);
    const end = await listen(AbortSignal.any([signal, line.signal])).catch(() => "again" as const);
    cut();
    if (signal.aborted) return;
    if (end === "over") return location.reload();
    if (state.kind !== "connecting" || Date.now() - heardAt > silentMs)
      become(Date.now() - heardAt > staleMs ? "stale" : "reconnecting");
    await wait(againMs, signal);
  }
}

/** Cuts a line on which nothing is heard, or that nobody needs. */
function watchLine(line: AbortController): () => void {
  let hiddenAt: number | null = null;
  heardAt = Math.max(heardAt, Date.now() - silentMs / 2);
  const timer = setInterval(() => {
    hiddenAt = document.visibilityState === "visible" ? null : (hiddenAt ?? Date.now());
    const isUnseen = hiddenAt !== null && Date.now() - hiddenAt > hiddenMs;
    if (isUnseen || Date.now() - heardAt > silentMs) line.abort();
  }, 1_000);
  return () => clearInterval(timer);
}

async function untilSeen(signal: AbortSignal): Promise<void> {
  while (document.visibilityState !== "visible" && !signal.aborted) await wait(againMs / 4, signal);
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(subscribe, () => state);
}

/** Another number whenever what is shown should be looked at again. */
export function useLiveTurn(): number {
  return useSyncExternalStore(subscribe, () => turn);
}

/** Whether pages must leave the office alone for now. */
export function isHeld(): boolean {
  return holds.size > 0;
}

/** Without a stream, pages ask by themselves now and then. */
export function isListening(): boolean {
  return state.kind === "live" || state.kind === "paused";
}

/** Holds while the condition is true. */
export function useHold(condition: boolean): void {
  useEffect(() => (condition ? holdLive() : undefined), [condition]);
}

/** Pausing by hand: whether it is, and what turns it over. */
export function usePause(): readonly [boolean, () => void] {
  const [isPaused, setPaused] = useState(false);
  useHold(isPaused);
  return [isPaused, () => setPaused((before) => !before)];
}

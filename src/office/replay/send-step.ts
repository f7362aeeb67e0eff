import { type Clock, pause } from "../../domain/clock.ts";
import type { ItemToSend } from "../../ledger/replay-items.ts";
import type { ReplayLimits } from "../../ledger/replay-record.ts";
import type { ExaminedLetter } from "./examine-letters.ts";
import { type SentWindow, type WindowsInFlight, windowsInFlight } from "./windows-in-flight.ts";

/**
 * Where a broker takes each send by itself, a batch goes in so many windows: the next is made ready while others are under way.
 * Together they are a batch at most, which is what a crash may leave in doubt.
 */
const windowsAtOnce = 4;

export interface MeantWindow {
  readonly items: readonly ItemToSend[];
  readonly examined: readonly ExaminedLetter[];
}

/** What it takes to send what is left of a step. `Stop` is whatever may speak against going on. */
export interface StepParts<Stop> {
  readonly clock: Clock;
  /** Aborted when nothing more may be sent. */
  readonly signal: AbortSignal;
  readonly limits: Pick<ReplayLimits, "batch" | "rate">;
  /** How many may still be sent in this step. */
  readonly room: number;
  /** How often `mayGoOn` is asked, in milliseconds. */
  readonly lookEveryMs: number;
  /** The next items behind that number. */
  next(after: number, limit: number): Promise<readonly ItemToSend[]>;
  examine(items: readonly ItemToSend[]): Promise<readonly ExaminedLetter[]>;
  against(window: MeantWindow): Stop | null;
  /** Whether windows may be sent side by side where these go. */
  goSideBySide(items: readonly ItemToSend[]): Promise<boolean>;
  send(window: MeantWindow): Promise<SentWindow>;
  mayGoOn(): Promise<boolean>;
}

/**
 * Sends what is left of a step, window by window, each judged right before it goes. Ends when all is sent, when something went
 * other than well or speaks against going on, and always with nothing under way. Gives what spoke against a window.
 */
export async function sendStep<Stop>(step: StepParts<Stop>): Promise<Stop | null> {
  const flight = windowsInFlight();
  try {
    return await sendWindows(step, flight);
  } finally {
    await flight.landed();
  }
}

async function sendWindows<Stop>(step: StepParts<Stop>, flight: WindowsInFlight): Promise<Stop | null> {
  const { clock, signal, limits, lookEveryMs } = step;
  const isOver = () => signal.aborted || !flight.isSound();
  let [after, left, lookedAt] = [0, step.room, clock.now()];
  let looking = Promise.resolve(true);
  let size = Math.ceil(limits.batch / windowsAtOnce);
  while (left > 0 && !isOver()) {
    const startedAt = clock.now();
    const items = await step.next(after, Math.min(size, left));
    if (items.length === 0) return null;
    const sideBySide = await step.goSideBySide(items);
    size = sideBySide ? Math.ceil(limits.batch / windowsAtOnce) : limits.batch;
    await flight.room(sideBySide ? Math.floor(limits.batch / size) : 1);
    const examined = await examineApart(step, flight, items);
    if (!(await looking) || isOver()) return null;
    const stop = step.against({ items, examined });
    if (stop !== null) return stop;
    flight.add(keysOf(examined), step.send({ items, examined }));
    after = items.at(-1)?.n ?? after;
    left -= items.length;
    const going = examined.filter(({ judgement }) => judgement.decision === "replay").length;
    await pause(clock, Math.max(0, (going / limits.rate) * 1_000 - (clock.now() - startedAt)), signal);
    if (clock.now() - lookedAt < lookEveryMs) continue;
    // Waited for before the next window goes, and looked up while that is made ready.
    looking = step.mayGoOn();
    looking.catch(() => {});
    lookedAt = clock.now();
  }
  return null;
}

/** Letters of an ordering key that is under way wait until that is over, and are judged by what became of it. */
async function examineApart<Stop>(
  step: StepParts<Stop>,
  flight: WindowsInFlight,
  items: readonly ItemToSend[],
): Promise<readonly ExaminedLetter[]> {
  // Asked before: what lands while these are looked at may have been seen as under way still.
  const underWay = flight.keys();
  const examined = await step.examine(items);
  if (![...keysOf(examined)].some((key) => underWay.has(key))) return examined;
  await flight.room(1);
  return step.examine(items);
}

function keysOf(examined: readonly ExaminedLetter[]): ReadonlySet<string> {
  return new Set(
    examined.flatMap(({ candidate: { queue, orderKey } }) =>
      orderKey === null ? [] : [JSON.stringify([queue, orderKey])],
    ),
  );
}

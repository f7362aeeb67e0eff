import { pause } from "../../domain/clock.ts";
import type { Context } from "../command.ts";
import { quitKeys, type Window } from "../demo/in-pictures.ts";
import { Screen } from "../demo/screen.ts";
import { groupInLines } from "../ledger/group.ts";
import type { AtWork } from "../ledger/ledger-flags.ts";
import { drawTop, type TopFrame } from "./draw-top.ts";
import { look } from "./look.ts";

const everyMs = 2_000;
const [upKey, downKey, escapeKey] = ["\u001b[A", "\u001b[B", "\u001b"];

/** Draws until somebody quits. Gives the group that is to be planned, if they asked for that. */
export async function showLive(
  work: AtWork,
  { terminal, clock, signal: stop }: Pick<Context, "terminal" | "clock" | "signal">,
  { keyboard, display, onExit }: Window,
): Promise<string | null> {
  const quit = new AbortController();
  const signal = AbortSignal.any([stop, quit.signal]);
  let frame: TopFrame = { look: await look(work), chosen: null, detail: null, trouble: null };
  let planned: string | null = null;
  const become = (change: Partial<TopFrame>) => {
    frame = { ...frame, ...change };
    screen.show(drawTop(frame, screen.size, terminal));
  };
  const press = (key: string) => {
    if (frame.detail !== null && key === escapeKey) become({ detail: null });
    else if (quitKeys.includes(key)) quit.abort();
    else if (key === "j" || key === downKey) become({ chosen: neighbour(frame, 1), detail: null });
    else if (key === "k" || key === upKey) become({ chosen: neighbour(frame, -1), detail: null });
    else if (key === "\r") void detailOf(work, frame.chosen).then((detail) => become({ detail }));
    else if (key === "r" && frame.chosen !== null) {
      planned = frame.chosen;
      quit.abort();
    }
  };
  const screen = new Screen(keyboard, display, press);
  const cancel = onExit(() => screen.close());
  try {
    screen.open();
    become({});
    while (!signal.aborted) {
      await pause(clock, everyMs, signal);
      if (!signal.aborted) become(await lookAgain(work));
    }
  } finally {
    screen.close();
    cancel();
  }
  return planned;
}

/** An office that does not answer for a while leaves the screen as it was, and says so. */
function lookAgain(work: AtWork): Promise<Partial<TopFrame>> {
  return look(work).then(
    (seen) => ({ look: seen, trouble: null }),
    (error: unknown) => ({ trouble: error instanceof Error ? error.message : String(error) }),
  );
}

/** By id, so that what is chosen stays so when the order changes. */
function neighbour({ look: { groups }, chosen }: TopFrame, by: number): string | null {
  const at = groups.findIndex(({ id }) => id === chosen);
  const next = at === -1 ? 0 : Math.max(0, Math.min(groups.length - 1, at + by));
  return groups[next]?.id ?? null;
}

async function detailOf({ ask }: AtWork, id: string | null): Promise<readonly string[] | null> {
  if (id === null) return null;
  const group = await ask("groups.get", { id }).catch(() => null);
  if (group === null) return null;
  return groupInLines({ ...group, id });
}

import { type Ending, Story, type StoryListener } from "../../demo/story.ts";
import type { Context } from "../command.ts";
import { endingLines } from "./ending.ts";
import { PlainTeller } from "./plain.ts";
import { type Pace, play, type Telling } from "./play.ts";

/** For a log: what happens in words, the summary last. */
export async function tellPlainly(telling: Telling, { print, clock, terminal }: Context): Promise<Ending> {
  const teller = new PlainTeller(print, terminal.columns);
  const story = new Story(telling.seed, teller);
  await play(
    story,
    paceOf(telling, clock, () => teller.look(story.scene())),
  );
  const ending = await story.end();
  print(["", ...endingLines(ending, telling.seed, terminal)].join("\n"));
  return ending;
}

/** For a program: what happens as JSON, a document to a line, the summary last. */
export async function tellInJson(telling: Telling, { print, clock }: Context): Promise<Ending> {
  const say = (record: object) => print(JSON.stringify(record));
  const listener: StoryListener = {
    act: ({ number, of, title }, atMs) => say({ type: "act", atMs, number, of, title }),
    record: say,
  };
  const story = new Story(telling.seed, listener);
  await play(story, paceOf(telling, clock));
  const ending = await story.end();
  say({ type: "summary", seed: telling.seed, ...ending });
  return ending;
}

function paceOf(telling: Telling, clock: Context["clock"], step = () => {}): Pace {
  return { ...telling, clock, isHalted: () => false, step, frame: () => {} };
}

import { refusedBy } from "../app/refused-by.ts";
import { type Say, useSay } from "../app/said.tsx";
import { focusRow } from "../ui/rows-at-hand.ts";
import { type Attention, type GroupWord, takingBack } from "./group-words.ts";

interface Named {
  readonly id: string;
  readonly title: string;
  readonly attention: Attention;
}

export interface SayWord {
  /** Says it at once, with the way back. */
  readonly say: (word: GroupWord, about: Named) => void;
  /** Says what was done otherwise. */
  readonly done: Say;
}

/** What can be taken back is not asked twice: a line says what happened, and undoes it. */
export function useSayWord(onChange: () => void): SayWord {
  const tell = useSay();
  const done: Say = (said) => {
    tell(said);
    onChange();
  };
  const attempt = async (what: () => Promise<unknown>) => {
    try {
      await what();
      return true;
    } catch (error) {
      const { message, hint } = refusedBy(error);
      tell({ text: [message, hint ?? ""].join(" ").trim() });
      return false;
    }
  };
  const takeBack = async (word: GroupWord, { id, title, attention }: Named) => {
    focusRow(id);
    if (await attempt(takingBack(word, id, attention))) done({ text: `Taken back: ${title}` });
  };
  const say = async (word: GroupWord, about: Named) => {
    if (!(await attempt(word.say))) return;
    const undo = { label: "Undo", run: () => void takeBack(word, about) };
    done({ text: `${word.sentence}: ${about.title}`, command: word.command, undo });
  };
  return { say: (word, about) => void say(word, about), done };
}

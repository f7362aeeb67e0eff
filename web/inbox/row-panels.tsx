import { type SubmitEventHandler, useState } from "react";
import { useReading } from "../app/display-zone.ts";
import { officeNow } from "../app/office-clock.ts";
import { useSession } from "../app/session.ts";
import { useClassifyGroup } from "../letters/classify.tsx";
import { ActPanel } from "../ui/act.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { inWords, showLetters } from "../ui/counts.ts";
import { instantIn } from "../ui/moment-words.ts";
import { useNote } from "./attend.tsx";
import { assigning, snoozing } from "./group-words.ts";
import { type Nap, napsFrom, napUntil } from "./naps.ts";
import { titleIn } from "./row-menu.tsx";
import type { PanelProps } from "./row-work.tsx";

/** Choosing for how long is all there is to it. */
export function SnoozePanel({ work, asked: { item }, close }: PanelProps) {
  const [isUntilWorse, setUntilWorse] = useState(true);
  const reading = useReading();
  const [now] = useState(officeNow);
  const [until, setUntil] = useState("");
  const choose = (nap: Nap) => {
    close();
    work.say(snoozing(item.id, nap, isUntilWorse || nap.until === null), item);
  };
  const submit: SubmitEventHandler = (event) => {
    event.preventDefault();
    choose(napUntil(instantIn(reading.zone, until), reading));
  };
  return (
    <>
      <h2>Snooze</h2>
      <p className="row-title">{titleIn(item)}</p>
      <div className="naps">
        {napsFrom(now, reading).map((nap) => (
          <button key={nap.name} type="button" onClick={() => choose(nap)}>
            {nap.name}
          </button>
        ))}
      </div>
      <form onSubmit={submit} className="until">
        <label>
          until, in {reading.zone}{" "}
          <input type="datetime-local" required value={until} onChange={({ target }) => setUntil(target.value)} />
        </label>
        <button type="submit">Snooze until then</button>
      </form>
      <label>
        <input type="checkbox" checked={isUntilWorse} onChange={({ target }) => setUntilWorse(target.checked)} /> but no
        longer than until it gets worse
      </label>
    </>
  );
}

/** Whoever looks at it takes it by one key more. */
export function AssignPanel({ work, asked: { item }, close }: PanelProps) {
  const { actor } = useSession();
  const [to, setTo] = useState(actor.id);
  const word = assigning(item.id, to.trim() || null);
  const submit: SubmitEventHandler = (event) => {
    event.preventDefault();
    close();
    work.say(word, item);
  };
  const { assignee } = item.attention;
  return (
    <form onSubmit={submit}>
      <h2>Assign</h2>
      <p className="row-title">{titleIn(item)}</p>
      {assignee === null ? null : <p>{assignee} has it.</p>}
      <label className="field">
        Who has it: a person or a team; empty for nobody
        <input value={to} onChange={({ target }) => setTo(target.value)} autoComplete="off" spellCheck={false} />
      </label>
      <CommandLine command={word.command} />
      <div className="buttons">
        <button type="submit" className="first">
          {to.trim() === "" ? "Take it from them" : `Assign to ${to.trim()}`}
        </button>
        <button type="button" onClick={close}>
          Not now
        </button>
      </div>
    </form>
  );
}

/** What is noted stays: it is asked for once, and not taken back. */
export function NotePanel({ work, asked: { item }, close }: PanelProps) {
  const onDone = () => {
    close();
    work.done({ text: `Noted, in the history of ${item.title}` });
  };
  const note = useNote({ id: item.id, onDone });
  const children = (
    <>
      <p className="row-title">{titleIn(item)}</p>
      {note.children}
    </>
  );
  return <ActPanel act={{ ...note, children }} onKeep={close} />;
}

/** What they are has to be said, and why; calling them as before brings back no rule that spoke of them. */
export function ClassifyPanel({ work, asked: { item }, close }: PanelProps) {
  const onDone = (category: string) => {
    close();
    work.done({ text: `Classified ${showLetters(item.open)} as ${inWords(category)}: ${item.title}` });
  };
  return <ActPanel act={useClassifyGroup({ group: item, isFirst: true, onDone })} onKeep={close} />;
}

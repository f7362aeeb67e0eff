import { type ReactNode, useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useReading } from "../app/display-zone.ts";
import { officeNow } from "../app/office-clock.ts";
import { useSession } from "../app/session.ts";
import { AddTags, RemoveTag } from "../letters/tags.tsx";
import { Act, type ActProps } from "../ui/act.tsx";
import { Ago } from "../ui/age.tsx";
import { showMoment } from "../ui/moment-words.ts";
import { because, quoted } from "../ui/quoted.ts";
import type { Attention } from "./group-words.ts";

interface AttendProps {
  readonly group: Pick<OutputOf<"groups.get">, "id" | "attention" | "tags">;
  readonly onChange: () => void;
}

/** Who looks after a group, and whether it may wait. */
export function Attend({ group: { id, attention, tags }, onChange }: AttendProps) {
  return (
    <section aria-label="Attention" className="actions">
      <p role="status">
        <AttentionWords attention={attention} />
      </p>
      <div className="buttons">
        {attention.status === null ? (
          <Acknowledge id={id} onDone={onChange} />
        ) : (
          <Act
            operation="groups.wake"
            label="Ask for attention again"
            reason="optional"
            command={(why) => `dlo groups wake ${id}${because(why)}`}
            input={(reason) => ({ id, reason: reason || null })}
            onDone={onChange}
          >
            <p>It goes back to its place in the inbox.</p>
          </Act>
        )}
        {attention.status === "snoozed" ? null : <Snooze id={id} onDone={onChange} />}
        <Assign id={id} assignee={attention.assignee} onDone={onChange} />
        <IntroducedBy id={id} introducedBy={attention.introducedBy} onDone={onChange} />
        <Note id={id} onDone={onChange} />
        <AddTags of={{ kind: "group", id }} onChange={onChange} />
        <RemoveTag of={{ kind: "group", id }} own={tags.map(({ tag }) => tag)} onChange={onChange} />
      </div>
    </section>
  );
}

/** In a sentence or two; nothing where nobody said anything. */
export function AttentionWords({ attention: { status, by, at, until, isUntilWorse, ended, assignee } }: OneAttention) {
  const reading = useReading();
  const ends = [
    until === null ? "" : showMoment(Date.parse(until), reading),
    isUntilWorse ? "it gets worse" : "",
  ].filter((end) => end !== "");
  return (
    <>
      {assignee === null ? "Nobody has it. " : `${assignee} has it. `}
      {status === null ? null : (
        <>
          {status === "snoozed" ? "Snoozed" : "Acknowledged"} by {by} <Ago since={at} />, until {ends.join(" or ")}.
        </>
      )}
      {ended === null ? null : `It was put off by ${by}, and asks for attention again: ${ended}`}
    </>
  );
}

interface OneAttention {
  readonly attention: Attention;
}

interface OnGroup {
  readonly id: string;
  readonly onDone: () => void;
}

/** A key opens it, and sends nothing. */
function Keyed({ by, children }: { readonly by: string; readonly children: ReactNode }) {
  return <span data-key={by}>{children}</span>;
}

function Acknowledge({ id, onDone }: OnGroup) {
  return (
    <Keyed by="e">
      <Act
        operation="groups.acknowledge"
        label="Acknowledge"
        reason="optional"
        command={(why) => `dlo groups ack ${id}${because(why)}`}
        input={(reason) => ({ id, reason: reason || null })}
        onDone={onDone}
      >
        <p>
          It goes down in the inbox until it gets worse: a letter comes back after a replay, its category changes, it
          grows, or its oldest letter gets a day old.
        </p>
      </Act>
    </Keyed>
  );
}

const hourMs = 3_600_000;

/** Until when, counted from when it is said. */
const naps = {
  "an hour": { forMs: hourMs, flag: "--for 1h" },
  "eight hours": { forMs: 8 * hourMs, flag: "--for 8h" },
  "a day": { forMs: 24 * hourMs, flag: "--for 24h" },
  "a week": { forMs: 7 * 24 * hourMs, flag: "--for 7d" },
  "as long as it gets no worse": { forMs: null, flag: "" },
} as const;

type Nap = keyof typeof naps;

function Snooze({ id, onDone }: OnGroup) {
  const [nap, setNap] = useState<Nap>("an hour");
  const [isUntilWorse, setUntilWorse] = useState(true);
  const { forMs, flag } = naps[nap];
  const untilWorse = isUntilWorse || forMs === null;
  return (
    <Keyed by="h">
      <Act
        operation="groups.snooze"
        label="Snooze"
        reason="optional"
        command={(why) =>
          `dlo groups snooze ${[id, flag, untilWorse ? "--until-worse" : ""].filter((part) => part !== "").join(" ")}${because(why)}`
        }
        input={(reason) => ({
          ...{ id, untilWorse, reason: reason || null },
          until: forMs === null ? null : new Date(officeNow() + forMs).toISOString(),
        })}
        onDone={onDone}
      >
        <p>It is not in the inbox until then.</p>
        <label className="field">
          For
          <select value={nap} onChange={({ target }) => setNap(target.value as Nap)}>
            {Object.keys(naps).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={untilWorse}
            disabled={forMs === null}
            onChange={({ target }) => setUntilWorse(target.checked)}
          />{" "}
          but no longer than until it gets worse
        </label>
      </Act>
    </Keyed>
  );
}

function Assign({ id, assignee, onDone }: OnGroup & Pick<Attention, "assignee">) {
  const { actor } = useSession();
  const [to, setTo] = useState(actor.id);
  return (
    <Keyed by="a">
      <Act
        operation="groups.assign"
        label={assignee === null ? "Assign" : "Assign to somebody else"}
        reason="optional"
        command={(why) => `dlo groups assign ${id} --to ${quoted(to.trim() || "nobody")}${because(why)}`}
        input={(reason) => ({ id, to: to.trim() || null, reason: reason || null })}
        onDone={onDone}
      >
        <label className="field">
          Who has it: a person or a team; empty for nobody
          <input value={to} onChange={({ target }) => setTo(target.value)} autoComplete="off" />
        </label>
      </Act>
    </Keyed>
  );
}

function IntroducedBy({ id, introducedBy, onDone }: OnGroup & Pick<Attention, "introducedBy">) {
  const [commit, setCommit] = useState(introducedBy ?? "");
  return (
    <Act
      operation="groups.introducedBy"
      label={introducedBy === null ? "Record what introduced it" : "Change what introduced it"}
      reason="optional"
      command={(why) => `dlo groups introduced-by ${id} --commit ${quoted(commit.trim() || "unknown")}${because(why)}`}
      input={(reason) => ({ id, commit: commit.trim() || null, reason: reason || null })}
      onDone={onDone}
    >
      <p>A deploy of that version is marked in the timeline and in the chart of failures.</p>
      <label className="field">
        The commit or version that brought the bug in; empty if it is not known
        <input value={commit} onChange={({ target }) => setCommit(target.value)} autoComplete="off" />
      </label>
    </Act>
  );
}

function Note(props: OnGroup) {
  return (
    <Keyed by="n">
      <Act {...useNote(props)} />
    </Keyed>
  );
}

/** What is asked before a note is added, wherever that is. */
export function useNote({ id, onDone }: OnGroup): ActProps<"groups.note"> {
  const [text, setText] = useState("");
  return {
    operation: "groups.note",
    label: "Add a note",
    reason: "none",
    command: () => `dlo groups note ${id} --text ${quoted(text || "…")}`,
    input: () => ({ id, text }),
    onDone: () => {
      setText("");
      onDone();
    },
    children: (
      <label className="field">
        What to remember. It stays in the group's history
        <textarea required rows={4} value={text} onChange={({ target }) => setText(target.value)} />
      </label>
    ),
  };
}

import { useState } from "react";
import { showAge } from "../../src/domain/duration.ts";
import { showCount as countOf } from "../../src/domain/show-count.ts";
import type { InputOf, OutputOf } from "../../src/office/operations/operations.ts";
import { Act } from "../ui/act.tsx";
import { showBytes, showCount, showLetters } from "../ui/counts.ts";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import type { Address } from "./address-form.tsx";
import { BeforeDraining } from "./before-draining.tsx";
import { keysIn, MessageKeys, noKeys } from "./message-keys.tsx";
import { sourceCommand } from "./source-command.ts";

type Seen = OutputOf<"sources.look">;
type Queue = Seen["queues"][number];
type Mode = "leave" | "observe" | "drain";
type Rules = InputOf<"sources.add">["queues"];

interface FoundQueuesProps {
  readonly address: Address;
  readonly seen: Seen;
  readonly onConnected: (name: string) => void;
}

/** What is there and who takes from it, before anything is taken. */
export function FoundQueues({ address, seen, onConnected }: FoundQueuesProps) {
  const [modes, setModes] = useState<Readonly<Record<string, Mode>>>({});
  const [typed, setTyped] = useState(noKeys);
  const [name, setName] = useState(`my-${seen.broker}`);
  const modeOf = ({ queue }: Queue): Mode => modes[queue] ?? "observe";
  const drained = seen.queues.filter((queue) => modeOf(queue) === "drain");
  const rules = rulesOf(seen, modeOf);
  const added = { ...address, ...(seen.isReadInPlace ? {} : keysIn(typed)), name, queues: rules };
  return (
    <section aria-labelledby="found">
      <h2 id="found">{titleOf(seen)}</h2>
      <Gaps gaps={seen.gaps} />
      <RowsTable
        caption={seen.isReadInPlace ? "Its queues, the fullest first" : "Queues for dead letters, the fullest first"}
        columns={columnsOf(seen, modeOf, (queue, mode) => setModes({ ...modes, [queue]: mode }))}
        rows={seen.queues}
        keyOf={({ queue }) => queue}
      />
      {seen.isReadInPlace ? (
        <BeforeReading seen={seen} rules={rules} />
      ) : (
        <BeforeDraining seen={seen} drained={drained} />
      )}
      <label className="field sheet">
        How the source is called from now on
        <input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" spellCheck={false} />
      </label>
      {seen.isReadInPlace ? null : <MessageKeys typed={typed} onChange={setTyped} />}
      <Act
        operation="sources.add"
        tone="first"
        label={seen.isReadInPlace ? readingLabel(seen, modeOf) : labelOf(drained)}
        reason="none"
        command={() => sourceCommand(added)}
        input={() => added}
        onDone={(done) => onConnected(done.name)}
      >
        <p>
          {drained.length > 0 || seen.isReadInPlace
            ? seen.draining
            : "Nothing is taken from it: its queues are only looked at."}
        </p>
      </Act>
    </section>
  );
}

function labelOf(drained: readonly Queue[]): string {
  if (drained.length === 0) return "Connect, and drain nothing";
  const letters = drained.reduce((sum, { depth }) => sum + (depth ?? 0), 0);
  const isKnown = drained.every(({ depth }) => depth !== null);
  return isKnown ? `Connect, and drain ${showLetters(letters)}` : "Connect, and drain what is there";
}

function titleOf({ product, queues, otherQueues, isReadInPlace }: Seen): string {
  if (isReadInPlace) return `${product}: ${showCount(queues.length)} ${queues.length === 1 ? "queue" : "queues"}`;
  return `${product}: ${showCount(queues.length)} for dead letters, ${showCount(otherQueues)} other queues`;
}

/** A framework makes queues as it goes: unless somebody leaves one alone, those that come later are read as well. */
function rulesOf({ queues, isReadInPlace }: Seen, modeOf: (queue: Queue) => Mode): Rules {
  if (isReadInPlace && queues.every((queue) => modeOf(queue) !== "leave")) return [{ match: "*", mode: "observe" }];
  return queues.flatMap((queue) => {
    const mode = modeOf(queue);
    return mode === "leave" ? [] : [{ match: queue.queue, mode }];
  });
}

/** What is read, before somebody agrees. */
function BeforeReading({ seen, rules }: { readonly seen: Seen; readonly rules: Rules }) {
  return <p>{readInWords(rules, seen.queues.length)}</p>;
}

function readInWords(rules: Rules, n: number): string {
  if (rules.some(({ match }) => match === "*")) return "All its queues are read, and those that come later.";
  if (rules.length === 0) return "None of its queues is read, and none that comes later.";
  const are = rules.length === 1 ? "is" : "are";
  return `Only ${showCount(rules.length)} of ${countOf(n, "queue")} ${are} read, and none that comes later.`;
}

function readingLabel({ queues }: Seen, modeOf: (queue: Queue) => Mode): string {
  const read = queues.filter((queue) => modeOf(queue) !== "leave");
  const jobs = read.reduce((sum, { depth }) => sum + (depth ?? 0), 0);
  return `Connect, and read ${showCount(jobs)} failed ${jobs === 1 ? "job" : "jobs"}`;
}

function columnsOf(
  seen: Seen,
  modeOf: (queue: Queue) => Mode,
  onMode: (queue: string, mode: Mode) => void,
): readonly TableColumn<Queue>[] {
  const whatToDo = modeColumn(seen, modeOf, onMode);
  if (!seen.isReadInPlace) return [...letterColumns, whatToDo];
  return [
    { heading: "Queue", kind: "name", cell: ({ queue }) => queue },
    { heading: "Failed jobs", kind: "number", cell: ({ depth }) => (depth === null ? "not told" : showCount(depth)) },
    whatToDo,
  ];
}

const letterColumns: readonly TableColumn<Queue>[] = [
  { heading: "Queue", kind: "name", cell: ({ queue }) => queue },
  { heading: "Letters from", label: "from", cell: ({ from }) => from.join(", ") || "not told" },
  { heading: "Letters", kind: "number", cell: ({ depth }) => (depth === null ? "not told" : showCount(depth)) },
  { heading: "Bytes", kind: "number", cell: ({ bytes }) => (bytes === null ? "not told" : showBytes(bytes)) },
  {
    heading: "Oldest",
    kind: "number",
    cell: ({ oldestSeconds }) => (oldestSeconds === null ? "not told" : showAge(oldestSeconds * 1_000)),
  },
  {
    heading: "Who takes from it",
    label: "taken by",
    cell: ({ consumers }) => (consumers === null ? "not told" : consumers.join(", ") || "nobody"),
  },
];

function modeColumn(
  { isReadInPlace }: Seen,
  modeOf: (queue: Queue) => Mode,
  onMode: (queue: string, mode: Mode) => void,
): TableColumn<Queue> {
  return {
    heading: "What to do",
    cell: (row) => (
      <select
        aria-label={`What to do with ${row.queue}`}
        value={modeOf(row)}
        onChange={(event) => onMode(row.queue, event.target.value as Mode)}
      >
        <option value="observe">{isReadInPlace ? "read" : "look only"}</option>
        {isReadInPlace ? null : <option value="drain">drain</option>}
        <option value="leave">leave alone</option>
      </select>
    ),
  };
}

function Gaps({ gaps }: { readonly gaps: Seen["gaps"] }) {
  if (gaps.length === 0) return null;
  return (
    <ul>
      {gaps.map(({ sentence, remedy }) => (
        <li key={sentence}>
          {sentence} <code>{remedy}</code>
        </li>
      ))}
    </ul>
  );
}

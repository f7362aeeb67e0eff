import { useState } from "react";
import { showAge } from "../../src/domain/duration.ts";
import type { InputOf, OutputOf } from "../../src/office/operations/operations.ts";
import { Act } from "../ui/act.tsx";
import { quoted } from "../ui/command-line.tsx";
import { showBytes, showCount, showLetters } from "../ui/counts.ts";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { BeforeDraining } from "./before-draining.tsx";

type Seen = OutputOf<"sources.look">;
type Queue = Seen["queues"][number];
type Mode = "leave" | "observe" | "drain";

interface FoundQueuesProps {
  readonly address: InputOf<"sources.look"> & { readonly url: string };
  readonly seen: Seen;
  readonly onConnected: (name: string) => void;
}

/** What is there and who takes from it, before anything is taken. */
export function FoundQueues({ address, seen, onConnected }: FoundQueuesProps) {
  const [modes, setModes] = useState<Readonly<Record<string, Mode>>>({});
  const [name, setName] = useState(`my-${seen.broker}`);
  const modeOf = ({ queue }: Queue): Mode => modes[queue] ?? "observe";
  const drained = seen.queues.filter((queue) => modeOf(queue) === "drain");
  const rules = seen.queues.flatMap((queue) => {
    const mode = modeOf(queue);
    return mode === "leave" ? [] : [{ match: queue.queue, mode }];
  });
  return (
    <section aria-labelledby="found">
      <h2 id="found">
        {seen.product}: {showCount(seen.queues.length)} for dead letters, {showCount(seen.otherQueues)} other queues
      </h2>
      <Gaps gaps={seen.gaps} />
      <RowsTable
        caption="Queues for dead letters, the fullest first"
        columns={columnsOf(modeOf, (queue, mode) => setModes({ ...modes, [queue]: mode }))}
        rows={seen.queues}
        keyOf={({ queue }) => queue}
      />
      <BeforeDraining seen={seen} drained={drained} />
      <label className="field sheet">
        How the source is called from now on
        <input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" spellCheck={false} />
      </label>
      <Act
        operation="sources.add"
        tone="first"
        label={labelOf(drained)}
        reason="none"
        command={() => commandOf(name, rules)}
        input={() => ({ ...address, name, queues: rules })}
        onDone={(added) => onConnected(added.name)}
      >
        <p>{drained.length === 0 ? "Nothing is taken from it: its queues are only looked at." : seen.draining}</p>
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

/** The same in the configuration, where the address is a variable. */
function commandOf(name: string, rules: InputOf<"sources.add">["queues"]): string {
  const [first] = rules;
  const rule = first === undefined ? "" : ` --queue ${quoted(first.match)} --mode ${first.mode}`;
  return `dlo sources add ${quoted(name)} --url '\${BROKER_URL}'${rule}`;
}

function columnsOf(
  modeOf: (queue: Queue) => Mode,
  onMode: (queue: string, mode: Mode) => void,
): readonly TableColumn<Queue>[] {
  return [
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
    {
      heading: "What to do",
      cell: (row) => (
        <select
          aria-label={`What to do with ${row.queue}`}
          value={modeOf(row)}
          onChange={(event) => onMode(row.queue, event.target.value as Mode)}
        >
          <option value="observe">look only</option>
          <option value="drain">drain</option>
          <option value="leave">leave alone</option>
        </select>
      ),
    },
  ];
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

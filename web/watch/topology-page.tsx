import { type SubmitEventHandler, useState } from "react";
import { showCount as countOf } from "../../src/domain/show-count.ts";
import { goTo, pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { CommandLine } from "../ui/command-line.tsx";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { quoted } from "../ui/quoted.ts";
import { TopologyDrawing } from "./topology-drawing.tsx";
import type { Topology } from "./topology-layout.ts";
import { TopologyTable } from "./topology-table.tsx";

/** Where messages go from here, and where a replay would land. */
export function TopologyPage({ focus }: { readonly focus: string }) {
  const answer = useAnswer("topology.get", { focus });
  const found = answer.data;
  return (
    <>
      <h1>{focus === "" ? "Topology" : `Topology around ${focus}`}</h1>
      <Trouble answer={answer} />
      {found === null ? null : <p role="status">{summaryOf(found, focus)}</p>}
      <AroundForm key={focus} focus={focus} />
      {focus === "" ? null : (
        <p>
          <Link to={pages.topology()}>Show all</Link>
        </p>
      )}
      {found === null || found.sources.length === 0 ? null : (
        <>
          <Warnings topology={found} />
          <TopologyDrawing topology={found} />
          {found.sources.map((source) => (
            <TopologyTable key={source.name} source={source} />
          ))}
        </>
      )}
      <p className="muted">
        Drawn from letters and where they were found, heartbeats and breakers of consumers, drains at work and the
        configuration. What is dashed is where a replay lands; thicker lines carry more.
      </p>
      <CommandLine command={focus === "" ? "dlo topology" : `dlo topology --focus ${quoted(focus)}`} />
      <Freshness answer={answer} />
    </>
  );
}

/** Not everything is drawn where there is much: what is not can be named. */
function AroundForm({ focus }: { readonly focus: string }) {
  const [name, setName] = useState(focus);
  const submit: SubmitEventHandler<HTMLFormElement> = (event) => {
    event.preventDefault();
    goTo(pages.topology(name.trim()));
  };
  return (
    <form onSubmit={submit} className="search">
      <label htmlFor="around">Around</label>
      <input
        id="around"
        type="search"
        value={name}
        onChange={(event) => setName(event.target.value)}
        placeholder="a queue, dead-letter queue, service or source"
        spellCheck={false}
        autoComplete="off"
      />
      <button type="submit">Show</button>
    </form>
  );
}

function nothing(focus: string, unexplored: number): string {
  if (focus === "") return "Nothing is connected, and no letter came yet.";
  const unseen = `Of ${countOf(unexplored, "queue")} nobody looked where they die: name the queue itself.`;
  return `Nothing that is known is called ${focus}.${unexplored === 0 ? "" : ` ${unseen}`}`;
}

function summaryOf({ sources, shown, matching, unexplored }: Topology, focus: string): string {
  if (sources.length === 0) return nothing(focus, unexplored);
  const queues = `${showCount(matching)} ${matching === 1 ? "queue" : "queues"}`;
  const whole = `${queues} of ${sources.length} ${sources.length === 1 ? "source" : "sources"}.`;
  return shown === matching
    ? whole
    : `${showCount(shown)} of ${queues}, those with most open letters. Name any other to see what is around it.`;
}

/** One cause often has a warning at each queue: those must not push everything else away. */
const warningsAtOnce = 8;

/** What does not hold together, before anybody has to look for it. */
function Warnings({ topology: { sources } }: { readonly topology: Topology }) {
  const all = sources.flatMap(({ name, warnings, queues }) => [
    ...warnings.map(({ sentence }) => ({ focus: name, sentence })),
    ...queues.flatMap((queue) => queue.warnings.map(({ sentence }) => ({ focus: `${name}/${queue.name}`, sentence }))),
  ]);
  if (all.length === 0) return null;
  return (
    <section aria-labelledby="warnings">
      <h2 id="warnings">What does not hold together</h2>
      <WarningList warnings={all.slice(0, warningsAtOnce)} />
      {all.length <= warningsAtOnce ? null : (
        <details>
          <summary>{showCount(all.length - warningsAtOnce)} more</summary>
          <WarningList warnings={all.slice(warningsAtOnce)} />
        </details>
      )}
    </section>
  );
}

interface SaidOf {
  readonly focus: string;
  readonly sentence: string;
}

function WarningList({ warnings }: { readonly warnings: readonly SaidOf[] }) {
  return (
    <ul>
      {warnings.map(({ focus, sentence }) => (
        <li key={`${focus} ${sentence}`}>
          <Link to={pages.topology(focus)}>{focus}</Link>: {sentence}
        </li>
      ))}
    </ul>
  );
}

import { pages } from "../app/routes.ts";
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
      <Freshness at={answer.at} />
    </>
  );
}

function summaryOf({ sources, shown, matching }: Topology, focus: string): string {
  if (sources.length === 0)
    return focus === "" ? "Nothing is connected, and no letter came yet." : `Nothing that is known is called ${focus}.`;
  const queues = `${showCount(matching)} ${matching === 1 ? "queue" : "queues"}`;
  const whole = `${queues} of ${sources.length} ${sources.length === 1 ? "source" : "sources"}.`;
  return shown === matching
    ? whole
    : `${showCount(shown)} of ${queues}, those with most open letters. Choose one to see what is around it.`;
}

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
      <ul>
        {all.map(({ focus, sentence }) => (
          <li key={`${focus} ${sentence}`}>
            <Link to={pages.topology(focus)}>{focus}</Link>: {sentence}
          </li>
        ))}
      </ul>
    </section>
  );
}

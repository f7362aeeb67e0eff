import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import { breakerTones } from "./breaker-tones.ts";
import { Drains } from "./drains.tsx";
import { Peek } from "./peek.tsx";
import type { TopologyQueue } from "./topology-layout.ts";

type Drain = OutputOf<"status.get">["drains"][number];

interface AroundQueueProps {
  readonly source: string;
  readonly queue: string;
}

/** Who consumes a queue, what holds it up, where its messages die, and whether they are taken in from there. */
export function AroundQueue({ source, queue }: AroundQueueProps) {
  const answer = useAnswer("topology.get", { focus: `${source}/${queue}`, source, hops: 0 });
  const status = useAnswer("status.get", {});
  const own = answer.data?.sources.find(({ name }) => name === source);
  const found = own?.queues.find(({ name }) => name === queue);
  const names = found?.deadLetters.map(({ name }) => name) ?? [];
  const drains = status.data?.drains.filter((each) => each.source === source && names.includes(each.queue)) ?? [];
  const [first] = found?.deadLetters.filter(({ fate }) => fate !== "read in place") ?? [];
  return (
    <>
      <Trouble answer={answer} />
      {found === undefined ? null : (
        <>
          <Warnings found={found} />
          <Consumers found={found} />
          <Breakers found={found} />
          <DeadLetters found={found} drains={drains} />
        </>
      )}
      {first === undefined ? null : <Peek key={first.name} at={`${source}/${first.name}`} />}
    </>
  );
}

interface FoundProps {
  readonly found: TopologyQueue;
}

function Warnings({ found: { warnings } }: FoundProps) {
  return warnings.map(({ sentence }) => (
    <p key={sentence} className="trouble">
      {sentence}
    </p>
  ));
}

function Consumers({ found: { consumers } }: FoundProps) {
  return (
    <>
      <h2>Consumed by</h2>
      {consumers.length === 0 ? <p>No consumer has reported that it works on this queue.</p> : null}
      <ul>
        {consumers.map(({ service, version, instances }) => (
          <li key={`${service} ${version}`}>
            <Link to={pages.consumers()}>{service}</Link> <code>{version}</code>{" "}
            <StateChip
              state={instances === 0 ? "gone" : `${instances} at work`}
              tone={instances === 0 ? "idle" : "good"}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function Breakers({ found: { breakers } }: FoundProps) {
  if (breakers.length === 0) return null;
  return (
    <>
      <h2>Breakers</h2>
      <ul>
        {breakers.map(({ name, state }) => (
          <li key={name}>
            <Link to={pages.breaker(name)}>{name}</Link> <StateChip state={state} tone={breakerTones[state]} />
          </li>
        ))}
      </ul>
    </>
  );
}

function DeadLetters({ found: { deadLetters }, drains }: FoundProps & { readonly drains: readonly Drain[] }) {
  return (
    <>
      <h2>Where its messages die</h2>
      {deadLetters.length === 0 ? <p>Not known: none of its letters was found in a dead-letter queue lately.</p> : null}
      <ul>
        {deadLetters.map(({ name, fate }) => (
          <li key={name}>
            {name}: {fate}
          </li>
        ))}
      </ul>
      {drains.length === 0 ? null : <Drains drains={drains} />}
      <p className="muted">
        What is drained is chosen in <Link to={pages.settings("sources")}>the settings of its source</Link>, or in the
        configuration where that names it.
      </p>
    </>
  );
}

import { pages } from "../app/routes.ts";
import { type Answer, useAnswer } from "../app/use-answer.ts";
import { useTitle } from "../app/use-title.ts";
import { term, waitingIn } from "../letters/search-terms.ts";
import { Ago, HowOld } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { showCount } from "../ui/counts.ts";
import { Fact } from "../ui/fact.tsx";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { quoted } from "../ui/quoted.ts";
import { AroundQueue } from "./around-queue.tsx";
import { QueueDay } from "./queue-day.tsx";
import { QueueDuplicates } from "./queue-duplicates.tsx";
import { QueueGroups } from "./queue-groups.tsx";
import { QueueLetters } from "./queue-letters.tsx";
import { type QueueRow, queueRows } from "./queue-rows.ts";

interface QueuePageProps {
  readonly source: string;
  readonly queue: string;
}

/** One queue: what waits there, whether it is growing, who consumes it, and whether what dies is taken in. */
export function QueuePage({ source, queue }: QueuePageProps) {
  const answer = useAnswer("queues.list", {});
  const groups = useAnswer("groups.list", {
    ...{ q: `${term("source", source)} ${term("queue", queue)}`, onlyOpen: true, limit: 10 },
  });
  const place = `${source}/${queue}`;
  useTitle(place);
  const rows = answer.data === null ? [] : queueRows(answer.data);
  const row = rows.find((each) => each.source === source && each.queue === queue);
  return (
    <>
      <p className="over">
        <Link to={pages.queues()}>Queue</Link> at {source}
      </p>
      <h1>{queue}</h1>
      <Trouble answer={answer} />
      {row === undefined ? <NoLetters answer={answer} place={place} /> : <QueueFacts row={row} />}
      {row === undefined ? null : <QueueLetters row={row} />}
      <QueueGroups answer={groups} />
      <QueueDuplicates source={source} queue={queue} />
      <AroundQueue source={source} queue={queue} />
      <CommandLine command={`dlo queues show ${quoted(place)}`} />
      <Freshness answer={answer} />
    </>
  );
}

function NoLetters({ answer, place }: { readonly answer: Answer<unknown>; readonly place: string }) {
  if (answer.data === null) return null;
  return (
    <p role="status">
      No letter came from {place}. <Link to={pages.queues()}>All queues</Link>
    </p>
  );
}

function QueueFacts({ row }: { readonly row: QueueRow }) {
  const { source, queue, open, total, oldestAt, hours, lastArrivedAt } = row;
  return (
    <>
      <dl className="facts">
        <Fact name="Open">
          <Link to={pages.letters(waitingIn(source, queue))}>{showCount(open)}</Link> of {showCount(total)} held
        </Fact>
        <Fact name="Oldest open">
          <HowOld since={oldestAt} />
        </Fact>
        <Fact name="Last taken in">
          <Ago since={lastArrivedAt} />
        </Fact>
        <Fact name="Around it">
          <Link to={pages.topology(`${source}/${queue}`)}>topology</Link>
        </Fact>
      </dl>
      <QueueDay hours={hours} />
    </>
  );
}

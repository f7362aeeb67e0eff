import { Onlookers } from "../app/onlookers.tsx";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { useTitle } from "../app/use-title.ts";
import { LettersTable } from "../letters/letters-table.tsx";
import { TagsFact } from "../letters/tags.tsx";
import { Ago } from "../ui/age.tsx";
import { CategoryChip } from "../ui/category-chip.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import { Fact } from "../ui/fact.tsx";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { Sparkline } from "../ui/sparkline.tsx";
import { WaitingBehindGroup } from "../watch/waiting-behind.tsx";
import { Affected } from "./affected.tsx";
import { Attend } from "./attend.tsx";
import { type Group, GroupSteps } from "./group-steps.tsx";
import { GroupTimeline, SuspectDeploy } from "./group-timeline.tsx";
import { InCommon } from "./in-common.tsx";
import { WalkGroups } from "./walk-groups.tsx";
import { WhyGrouped } from "./why-grouped.tsx";
import { WhySo } from "./why-so.tsx";

/** As many as say what they are like; the timeline below them stays in reach. */
const newest = 10;

/** Whether these are really one problem, which, whom it concerns, and what may be done about it. */
export function GroupPage({ id }: { readonly id: string }) {
  const group = useAnswer("groups.get", { id });
  const letters = useAnswer("letters.list", { q: `group:${id}`, limit: newest });
  const timeline = useAnswer("groups.timeline", { id });
  useTitle(group.data?.title ?? null);
  const changed = () => {
    for (const answer of [group, letters, timeline]) answer.reload();
  };
  return (
    <>
      <WalkGroups id={id} />
      <Onlookers id={id} />
      <Trouble answer={group} />
      {group.data === null ? <h1>Group</h1> : <GroupFacts group={group.data} />}
      <SuspectDeploy suspect={timeline.data?.suspect ?? null} />
      {group.data === null ? null : <WaitingBehindGroup id={id} />}
      {group.data === null ? null : <GroupSteps group={group.data} onChange={changed} />}
      {group.data === null ? null : <Attend group={group.data} onChange={changed} />}
      {group.data === null ? null : <InCommon group={group.data} />}
      {group.data === null ? null : <WhyGrouped group={group.data} onChange={changed} />}
      {group.data === null ? null : <Affected group={group.data} />}
      <h2>{letters.data?.next ? `The newest ${newest} letters` : "Letters"}</h2>
      <Trouble answer={letters} />
      <LettersTable letters={letters.data?.items ?? []} list={id} />
      {letters.data?.next && group.data !== null ? (
        <Link to={pages.letters(`group:${id}`)}>All {showLetters(group.data.total)} of this group</Link>
      ) : null}
      <CommandLine command={`dlo letters -q group:${id}`} />
      <GroupTimeline answer={timeline} />
      <CommandLine command={`dlo groups show ${id}`} />
      <Freshness answer={group} />
    </>
  );
}

function GroupFacts({ group }: { readonly group: Group }) {
  return (
    <>
      <p className="over">
        Group <CategoryChip category={group.category} />
      </p>
      <h1>{group.title}</h1>
      <WhySo group={group} />
      <dl className="facts">
        <Fact name="Queue">
          <Link to={pages.queue(group.source, group.queue)}>
            {group.source}/{group.queue}
          </Link>
        </Fact>
        <Fact name="Open">
          {showCount(group.open)} of {showCount(group.total)} that came
        </Fact>
        <Fact name="First failed">
          <Ago since={group.firstFailedAt} />
        </Fact>
        <Fact name="Last failed">
          <Ago since={group.lastFailedAt} />
        </Fact>
        <Fact name="Last taken in">
          <Ago since={group.lastArrivedAt} />
        </Fact>
        <Fact name="Oldest open">
          <Ago since={group.oldestOpenAt} />
        </Fact>
        {group.attention.introducedBy === null ? null : (
          <Fact name="Introduced by">
            <code>{group.attention.introducedBy}</code>
          </Fact>
        )}
        <Fact name="24 hours">
          <Sparkline hours={group.hours} />
        </Fact>
        <TagsFact tags={group.tags} />
      </dl>
    </>
  );
}

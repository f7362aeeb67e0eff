import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { CommandLine } from "../ui/command-line.tsx";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { Classifier } from "./classifier.tsx";
import { ReturnDelay } from "./return-delay.tsx";
import { TimeToClear } from "./time-to-clear.tsx";
import { WasAndBecame } from "./was-and-became.tsx";

const spans = [1, 7, 30, 90];
const usualDays = 30;

/** How good the sorting is and how long things take, of the letters that arrived in so many days: the address says how many. */
export function InsightsPage({ query }: { readonly query: URLSearchParams }) {
  const asked = Number(query.get("days"));
  const days = Number.isInteger(asked) && asked >= 1 && asked <= 90 ? asked : usualDays;
  const answer = useAnswer("insights.get", { days });
  const found = answer.data;
  return (
    <>
      <h1>Insights</h1>
      <nav aria-label="Letters that arrived in" className="tabs">
        {spans.map((span) => (
          <Link key={span} to={pages.insights(span === usualDays ? null : span)} current={span === days}>
            {span === 1 ? "1 day" : `${span} days`}
          </Link>
        ))}
      </nav>
      <Trouble answer={answer} />
      {found === null ? null : <p className="figure">{found.cleared.sentence}</p>}
      <WasAndBecame days={days} />
      {found === null ? null : (
        <>
          <TimeToClear items={found.cleared.items} days={days} isExact={found.isExact} />
          <Classifier classifier={found.classifier} />
          <ReturnDelay returns={found.returns} />
        </>
      )}
      <CommandLine command={`dlo insights --days ${days}`} />
      <Freshness answer={answer} />
    </>
  );
}

import { useEffect } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import { Drains } from "../watch/drains.tsx";
import { LeastRights } from "./least-rights.tsx";

interface DrainingNowProps {
  readonly source: string;
  readonly rights: OutputOf<"sources.guides">["items"][number]["rights"];
}

const everyMs = 1_000;

/** What came of it so far, and what keeps it from going on. */
export function DrainingNow({ source, rights }: DrainingNowProps) {
  const status = useAnswer("status.get", {}, null);
  const { reload } = status;
  useEffect(() => {
    // What a drain has taken, and what stops it, is in no log that the stream tells of.
    const timer = setTimeout(reload, everyMs);
    return () => clearTimeout(timer);
  }, [reload]);
  const drains = status.data?.drains.filter((each) => each.source === source) ?? [];
  return (
    <section aria-labelledby="connected">
      <h2 id="connected">{source} is connected</h2>
      <Trouble answer={status} />
      {drains.length === 0 ? <p>Nothing is drained from it, or not yet.</p> : <Drains drains={drains} />}
      {drains.some(({ trouble }) => trouble !== null) ? <LeastRights rights={rights} isOpen /> : null}
      <div className="buttons">
        <Link to={pages.inbox()} look="first">
          Open the inbox
        </Link>
        <Link to={pages.settings("sources")} look="button">
          All sources
        </Link>
      </div>
    </section>
  );
}

import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useAnswer } from "../app/use-answer.ts";
import { CommandLine } from "../ui/command-line.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { BreakersTable } from "./breakers-table.tsx";

type Breaker = OutputOf<"breakers.list">["items"][number];

/** Whether what letters failed for want of is back: whether they may go. */
export function BreakersPage() {
  const answer = useAnswer("breakers.list", {}, 5_000);
  const breakers = answer.data?.items ?? [];
  return (
    <>
      <h1>Breakers</h1>
      <Trouble answer={answer} />
      {answer.data === null ? null : <p role="status">{summaryOf(breakers)}</p>}
      {breakers.length === 0 ? null : <BreakersTable breakers={breakers} onChange={answer.reload} />}
      <p className="muted">
        Consumers report them with their heartbeats. While one is open no letter is sent to its queue; while it is
        half-open letters go as trials. One whose state its processes share, in PostgreSQL or Redis, can be opened here
        for a time; there is no way to force one closed.
      </p>
      <CommandLine command="dlo breakers" />
      <Freshness answer={answer} />
    </>
  );
}

function summaryOf(breakers: readonly Breaker[]): string {
  const open = breakers.filter(({ state }) => state !== "closed").length;
  if (breakers.length === 0) return "No consumer reports a breaker that is open, or was lately.";
  if (open > 0) return `${open} of ${breakers.length} ${open === 1 ? "is" : "are"} not closed.`;
  return breakers.length === 1 ? "It is closed." : `All ${breakers.length} are closed.`;
}

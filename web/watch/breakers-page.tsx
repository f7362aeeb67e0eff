import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Age } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { StateChip } from "../ui/state-chip.tsx";

type Breaker = OutputOf<"breakers.list">["items"][number];

const tones = { open: "bad", "half-open": "warn", closed: "good" } as const;

/** Whether what letters failed for want of is back: whether they may go. */
export function BreakersPage() {
  const answer = useAnswer("breakers.list", {}, 5_000);
  const breakers = answer.data?.items ?? [];
  return (
    <>
      <h1>Breakers</h1>
      <Trouble answer={answer} />
      {answer.data === null ? null : <p role="status">{summaryOf(breakers)}</p>}
      {breakers.length === 0 ? null : <BreakersTable breakers={breakers} />}
      <p className="muted">
        Consumers report them with their heartbeats. While one is open no letter is sent to its queue; while it is
        half-open letters go as trials. There is no way to force one closed.
      </p>
      <CommandLine command="dlo breakers" />
      <Freshness at={answer.at} />
    </>
  );
}

function summaryOf(breakers: readonly Breaker[]): string {
  const open = breakers.filter(({ state }) => state !== "closed").length;
  if (breakers.length === 0) return "No consumer has reported a breaker.";
  return open === 0 ? `All ${breakers.length} are closed.` : `${open} of ${breakers.length} are not closed.`;
}

function BreakersTable({ breakers }: { readonly breakers: readonly Breaker[] }) {
  return (
    <table className="rows">
      <caption className="unseen">Breakers, open ones first</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Dependency</th>
          <th scope="col">Queue</th>
          <th scope="col">Service</th>
          <th scope="col" className="number">
            Since
          </th>
          <th scope="col" className="number">
            Heard
          </th>
          <th scope="col">Processes</th>
        </tr>
      </thead>
      <tbody>
        {breakers.map((breaker) => (
          <BreakerRow
            key={JSON.stringify([breaker.source, breaker.queue, breaker.name, breaker.service])}
            breaker={breaker}
          />
        ))}
      </tbody>
    </table>
  );
}

function BreakerRow({ breaker }: { readonly breaker: Breaker }) {
  const { name, source, queue, service, state, since, heardAt, saying, processes } = breaker;
  return (
    <tr>
      <td>
        <StateChip state={state} tone={tones[state]} />
      </td>
      <th scope="row">{name}</th>
      <td>
        {source}/{queue}
      </td>
      <td data-label="service">{service}</td>
      <td className="number" data-label="since">
        <Age since={since} />
      </td>
      <td className="number" data-label="heard">
        <Age since={heardAt} /> ago
      </td>
      <td>
        {saying === processes ? `all ${processes} say so` : `${saying} of ${processes} say so, the others disagree`}
      </td>
    </tr>
  );
}

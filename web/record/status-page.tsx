import { useAnswer } from "../app/use-answer.ts";
import { Age } from "../ui/age.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";

/** How the office itself is. */
export function StatusPage() {
  const answer = useAnswer("status.get", {});
  const drains = answer.data?.drains ?? [];
  return (
    <>
      <h1>Status</h1>
      <Trouble answer={answer} />
      {answer.data === null ? null : (
        <p>
          Version {answer.data.version} · ledger {answer.data.ledger.place}
          {answer.data.ledger.isEmbedded ? ", embedded: it survives a crash, not a power cut" : ""}
        </p>
      )}
      <h2>Drains</h2>
      {drains.length === 0 ? <p>The configuration asks for no queue to be drained.</p> : <Drains drains={drains} />}
      <Freshness at={answer.at} />
    </>
  );
}

interface Drain {
  readonly source: string;
  readonly queue: string;
  readonly state: string;
  readonly since: string;
  readonly held: number;
  readonly trouble: string | null;
}

function Drains({ drains }: { readonly drains: readonly Drain[] }) {
  return (
    <table className="rows">
      <thead>
        <tr>
          <th scope="col">Queue</th>
          <th scope="col">State</th>
          <th scope="col" className="number">
            Letters
          </th>
          <th scope="col">Trouble</th>
        </tr>
      </thead>
      <tbody>
        {drains.map(({ source, queue, state, since, held, trouble }) => (
          <tr key={`${source}/${queue}`}>
            <td>
              {source}/{queue}
            </td>
            <td>
              {state} for <Age since={since} />
            </td>
            <td className="number" data-label="letters">
              {held.toLocaleString("en")}
            </td>
            <td>{trouble ?? "none"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import { useState } from "react";
import { ask } from "../app/office.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";

/** Who did what, newest first. */
export function AuditPage({ before }: { readonly before: number | null }) {
  const answer = useAnswer("audit.list", { before, limit: 50 });
  return (
    <>
      <h1>Audit</h1>
      <ProofButton />
      <Trouble answer={answer} />
      <table className="rows">
        <caption className="unseen">Who did what, newest first</caption>
        <thead>
          <tr>
            <th scope="col" className="number">
              No.
            </th>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">More</th>
          </tr>
        </thead>
        <tbody>
          {answer.data?.items.map(({ n, at, actor, action, details }) => (
            <tr key={n}>
              <td className="number">{n}</td>
              <td>
                <time dateTime={at}>{at.replace("T", " ").slice(0, 19)}</time>
              </td>
              <td>{actor}</td>
              <td>{action}</td>
              <td className="more">{details}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <nav aria-label="More entries" className="pages">
        {before === null ? null : <Link to={pages.audit()}>Newest</Link>}
        {answer.data?.next ? <Link to={pages.audit(Number(answer.data.next))}>Older</Link> : null}
      </nav>
      <Freshness at={answer.at} />
    </>
  );
}

/** Computes every hash again, and says which range that proved. */
function ProofButton() {
  const [proof, setProof] = useState("");
  const prove = async () => {
    setProof("Computing…");
    try {
      const { entries, problem } = await ask("audit.verify", {});
      setProof(problem ?? `Entries 1 to ${entries.toLocaleString("en")} are whole.`);
    } catch (error) {
      setProof(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <p>
      <button type="button" onClick={() => void prove()}>
        Verify the chain
      </button>{" "}
      <span role="status">{proof}</span>
    </p>
  );
}

import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Ago } from "../ui/age.tsx";
import { Link } from "../ui/link.tsx";

/** Nothing has ever come, or nothing is left: the letters say which. */
export function NothingYet() {
  const letters = useAnswer("letters.list", { limit: 1 });
  if (letters.data === null) return null;
  const [last] = letters.data.items;
  if (last !== undefined)
    return (
      <p>
        Nothing needs a decision. The last letter came <Ago since={last.arrivedAt} />, from <code>{last.queue}</code>.
      </p>
    );
  return (
    <section className="card">
      <h2>No letters yet</h2>
      <p>Three ways to the first ones:</p>
      <ul>
        <li>
          <Link to={pages.connect()}>Connect a source</Link>, a broker or a job framework: it is looked at first, and
          nothing is taken from it before you say so
        </li>
        <li>
          Write it into <code>dlo.config.yaml</code> with <code>mode: drain</code>, and start <code>dlo up</code> again:{" "}
          <code>dlo sources add</code> does the writing
        </li>
        <li>
          Import a file: <code>dlo letters import letters.ndjson</code>
        </li>
      </ul>
    </section>
  );
}

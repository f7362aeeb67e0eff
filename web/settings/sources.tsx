import { useAnswer } from "../app/use-answer.ts";
import { CommandLine } from "../ui/command-line.tsx";
import { Trouble } from "../ui/notice.tsx";

/** Read-only: what stands in the configuration wins over anything here. */
export function Sources() {
  const answer = useAnswer("sources.list", {});
  const sources = answer.data?.items ?? [];
  return (
    <section aria-labelledby="sources">
      <h2 id="sources">Sources</h2>
      <p>
        They are in <code>dlo.config.yaml</code>, which is changed there and not here.
      </p>
      <Trouble answer={answer} />
      {answer.data !== null && sources.length === 0 ? <p>It names none.</p> : null}
      {sources.length === 0 ? null : (
        <table className="rows">
          <caption className="unseen">Sources of the configuration</caption>
          <thead>
            <tr>
              <th scope="col">Source</th>
              <th scope="col">Broker</th>
              <th scope="col">Owner</th>
              <th scope="col">Dead-letter queues</th>
            </tr>
          </thead>
          <tbody>
            {sources.map(({ name, broker, owner, queues }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td data-label="broker">{broker}</td>
                <td data-label="owner">{owner ?? "–"}</td>
                <td>{queues.map(({ match, mode }) => `${match} (${mode})`).join(" · ") || "none"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <CommandLine command="dlo sources list" />
    </section>
  );
}

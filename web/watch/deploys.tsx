import { useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { Age } from "../ui/age.tsx";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import { quoted } from "../ui/quoted.ts";

type Deploy = OutputOf<"deploys.list">["items"][number];

export function Deploys() {
  const answer = useAnswer("deploys.list", { limit: 20 });
  const deploys = answer.data?.items ?? [];
  return (
    <section aria-labelledby="deploys">
      <h2 id="deploys">Deploys</h2>
      <Trouble answer={answer} />
      {answer.data !== null && deploys.length === 0 ? (
        <p>None was recorded. Your pipeline can do so, or you can, when a version is live.</p>
      ) : null}
      {deploys.length === 0 ? null : <DeploysTable deploys={deploys} />}
      <div className="buttons">
        <RecordDeploy onChange={answer.reload} />
      </div>
    </section>
  );
}

function DeploysTable({ deploys }: { readonly deploys: readonly Deploy[] }) {
  return (
    <table className="rows">
      <caption className="unseen">Deploys, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Service</th>
          <th scope="col">Version</th>
          <th scope="col">Queues</th>
          <th scope="col" className="number">
            Live for
          </th>
          <th scope="col">By</th>
        </tr>
      </thead>
      <tbody>
        {deploys.map(({ id, service, version, queues, deployedAt, recordedBy, introduced }) => (
          <tr key={id}>
            <th scope="row">{service}</th>
            <td>
              <code>{version}</code>
              {introduced.map(({ group }) => (
                <div key={group}>
                  introduced <Link to={pages.group(group)}>{group}</Link>
                </div>
              ))}
            </td>
            <td>{queues.join(", ")}</td>
            <td className="number" data-label="live for">
              <Age since={deployedAt} />
            </td>
            <td data-label="by">{recordedBy}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** For consumers that do not report themselves. */
function RecordDeploy({ onChange }: { readonly onChange: () => void }) {
  const [said, setSaid] = useState({ service: "", version: "", queues: "" });
  const queues = said.queues.split(",").flatMap((queue) => queue.trim() || []);
  const field = (name: keyof typeof said, label: string, isRequired: boolean) => (
    <label className="field">
      {label}
      <input
        required={isRequired}
        value={said[name]}
        onChange={(event) => setSaid({ ...said, [name]: event.target.value })}
        autoComplete="off"
      />
    </label>
  );
  return (
    <Act
      operation="deploys.record"
      label="Record a deploy"
      reason="none"
      command={() =>
        `dlo deploy record ${quoted(`${said.service || "SERVICE"}@${said.version || "VERSION"}`)}${queues.length === 0 ? "" : ` --queue ${quoted(queues.join(","))}`}`
      }
      input={() => ({ service: said.service, version: said.version, queues })}
      onDone={onChange}
    >
      <p>
        It is live from now on. Letters that its predecessor did not understand, and that failed before, may then go.
      </p>
      {field("service", "Service", true)}
      {field("version", "Version", true)}
      {field("queues", "Queues it consumes, with commas between; empty: where it was seen at work", false)}
    </Act>
  );
}

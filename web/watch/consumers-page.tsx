import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Age } from "../ui/age.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import { Deploys } from "./deploys.tsx";
import { Fixes } from "./fixes.tsx";

type Consumer = OutputOf<"consumers.list">["items"][number];

/** Which versions are at work, what was deployed, and what was mended: the gates that letters wait for. */
export function ConsumersPage() {
  const answer = useAnswer("consumers.list", {});
  const consumers = answer.data?.items ?? [];
  return (
    <>
      <h1>Consumers</h1>
      <Trouble answer={answer} />
      {answer.data !== null && consumers.length === 0 ? (
        <p>
          No consumer has reported itself. One with the runtime does so by <code>officeReports</code>; for any other
          record its deploys.
        </p>
      ) : null}
      {consumers.length === 0 ? null : <ConsumersTable consumers={consumers} />}
      <Deploys />
      <Fixes />
      <Freshness at={answer.at} />
    </>
  );
}

function ConsumersTable({ consumers }: { readonly consumers: readonly Consumer[] }) {
  return (
    <table className="rows">
      <caption className="unseen">Versions of services, those at work first</caption>
      <thead>
        <tr>
          <th scope="col">Service</th>
          <th scope="col">Version</th>
          <th scope="col">Queue</th>
          <th scope="col">State</th>
          <th scope="col" className="number">
            Since
          </th>
          <th scope="col" className="number">
            Heard
          </th>
          <th scope="col">Understands</th>
        </tr>
      </thead>
      <tbody>
        {consumers.map((consumer) => (
          <ConsumerRow
            key={JSON.stringify([consumer.source, consumer.queue, consumer.service, consumer.version])}
            consumer={consumer}
          />
        ))}
      </tbody>
    </table>
  );
}

function ConsumerRow({ consumer }: { readonly consumer: Consumer }) {
  const { source, queue, service, version, instances, firstSeenAt, lastSeenAt, schemas } = consumer;
  const state = instances === 0 ? "gone" : `${instances} at work`;
  return (
    <tr>
      <th scope="row">{service}</th>
      <td>
        <code>{version}</code>
      </td>
      <td>
        {source}/{queue}
      </td>
      <td>
        <StateChip state={state} tone={instances === 0 ? "idle" : "good"} />
      </td>
      <td className="number" data-label="since">
        <Age since={firstSeenAt} />
      </td>
      <td className="number" data-label="heard">
        <Age since={lastSeenAt} /> ago
      </td>
      <td>{schemas.map(({ name, versions }) => `${name} ${versions.join(", ")}`).join(" · ") || "–"}</td>
    </tr>
  );
}

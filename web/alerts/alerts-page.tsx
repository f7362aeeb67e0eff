import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { Age } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import { AlertRules } from "./alert-rules.tsx";

type Alert = OutputOf<"alerts.list">["items"][number];

/** What is wrong by rules of one's own, who takes care of it, and who is told. */
export function AlertsPage() {
  const answer = useAnswer("alerts.list", { limit: 50 });
  const alerts = answer.data?.items ?? [];
  return (
    <>
      <h1>Alerts</h1>
      <Trouble answer={answer} />
      {answer.data === null ? null : <p role="status">{summaryOf(alerts)}</p>}
      {alerts.length === 0 ? null : <AlertsTable alerts={alerts} onChange={answer.reload} />}
      <AlertRules />
      <CommandLine command="dlo alerts list" />
      <Freshness answer={answer} />
    </>
  );
}

function summaryOf(alerts: readonly Alert[]): string {
  const on = alerts.filter(({ clearedAt }) => clearedAt === null);
  const untaken = on.filter(({ acknowledgedBy }) => acknowledgedBy === null).length;
  if (on.length === 0) return "Nothing is on.";
  return untaken === 0
    ? `${on.length} on, and somebody takes care of each.`
    : `${on.length} on. Of ${untaken} nobody takes care yet.`;
}

interface AlertsTableProps {
  readonly alerts: readonly Alert[];
  readonly onChange: () => void;
}

function AlertsTable({ alerts, onChange }: AlertsTableProps) {
  return (
    <table className="rows">
      <caption className="unseen">Alerts, what is on first, then the latest</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">What</th>
          <th scope="col">Rule</th>
          <th scope="col" className="number">
            Since
          </th>
          <th scope="col">Who takes care</th>
        </tr>
      </thead>
      <tbody>
        {alerts.map((alert) => (
          <AlertRow key={alert.id} alert={alert} onChange={onChange} />
        ))}
      </tbody>
    </table>
  );
}

function AlertRow({ alert, onChange }: { readonly alert: Alert; readonly onChange: () => void }) {
  const { id, sentence, path, rule, firedAt, clearedAt, acknowledgedBy } = alert;
  const isOver = clearedAt !== null;
  return (
    <tr>
      <td>
        <StateChip state={isOver ? "over" : "on"} tone={isOver ? "good" : acknowledgedBy === null ? "bad" : "warn"} />
      </td>
      <td>
        <Link to={path} row>
          {sentence}
        </Link>
      </td>
      <td data-label="rule">{rule}</td>
      <td className="number" data-label={isOver ? "over for" : "on for"}>
        <Age since={clearedAt ?? firedAt} />
      </td>
      <td data-label={acknowledgedBy === null && !isOver ? undefined : "in the care of"}>
        {acknowledgedBy ?? (isOver ? "nobody" : <TakeAlert id={id} sentence={sentence} onChange={onChange} />)}
      </td>
    </tr>
  );
}

interface TakeAlertProps extends Pick<Alert, "id" | "sentence"> {
  readonly onChange: () => void;
}

function TakeAlert({ id, sentence, onChange }: TakeAlertProps) {
  return (
    <Act
      operation="alerts.acknowledge"
      label="Acknowledge"
      reason="none"
      command={() => `dlo alerts ack ${id}`}
      input={() => ({ id })}
      onDone={onChange}
    >
      <p>{sentence}.</p>
      <p>You take care of it, and those who were told of it are told so. It stays on until its condition is over.</p>
    </Act>
  );
}

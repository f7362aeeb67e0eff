import { useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useReading } from "../app/display-zone.ts";
import { officeNow } from "../app/office-clock.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { showMoment } from "../ui/moment-words.ts";
import { Trouble } from "../ui/notice.tsx";
import { SetRule } from "./set-rule.tsx";

export type AlertRules = OutputOf<"alerts.rules">;
type Rule = AlertRules["items"][number];

const hourMs = 3_600_000;

/** When somebody is told, and whom that tells. */
export function AlertRules() {
  const answer = useAnswer("alerts.rules", {});
  const [said, setSaid] = useState("");
  const rules = answer.data?.items ?? [];
  return (
    <section aria-labelledby="rules">
      <h2 id="rules">Rules</h2>
      <Trouble answer={answer} />
      {answer.data === null ? null : <Notifiers notifiers={answer.data.notifiers} />}
      {answer.data !== null && rules.length === 0 ? <p>There are none. A good first one: a group that grows.</p> : null}
      {rules.map((rule) => (
        <RuleCard key={rule.name} rule={rule} onChange={answer.reload} onTested={setSaid} />
      ))}
      <p role="status">{said}</p>
      {answer.data === null ? null : (
        <div className="buttons">
          <SetRule notifiers={answer.data.notifiers} onChange={answer.reload} />
        </div>
      )}
    </section>
  );
}

function Notifiers({ notifiers }: Pick<AlertRules, "notifiers">) {
  if (notifiers.length === 0)
    return (
      <p className="risk">
        Nobody is told of anything: the configuration has no <code>notifiers</code>. Until it has, alerts are only seen
        here.
      </p>
    );
  const named = notifiers.map(({ name, kind, takesAlerts }) => {
    return `${name} (${kind}${takesAlerts ? "" : ", only where a rule names it"})`;
  });
  return <p className="muted">The configuration has: {named.join(", ")}.</p>;
}

interface RuleCardProps {
  readonly rule: Rule;
  readonly onChange: () => void;
  readonly onTested: (said: string) => void;
}

function RuleCard({ rule, onChange, onTested }: RuleCardProps) {
  const { name, sentence, tells, mutedUntil, setBy } = rule;
  const reading = useReading();
  const isMuted = mutedUntil !== null && Date.parse(mutedUntil) > reading.now;
  return (
    <div className="card">
      <h3>{name}</h3>
      <p>{sentence}</p>
      <p className="muted">
        {tells.length === 0 ? "Tells nobody." : `Tells ${tells.join(", ")}.`} Set by {setBy}.
        {isMuted ? ` Muted until ${showMoment(Date.parse(mutedUntil), reading)}.` : ""}
      </p>
      <div className="buttons">
        <MuteRule rule={rule} isMuted={isMuted} onChange={onChange} />
        <Act
          operation="alerts.test"
          label={`Try ${name}`}
          reason="none"
          command={() => `dlo alerts test ${name}`}
          input={() => ({ name })}
          onDone={() =>
            onTested(tells.length === 0 ? "There is nobody to tell." : `${tells.join(", ")} is being told.`)
          }
        >
          <p>{tells.length === 0 ? "Nobody" : tells.join(", ")} is told that you try it, and that nothing is wrong.</p>
        </Act>
        <Act
          operation="alerts.removeRule"
          label={`Remove ${name}`}
          tone="danger"
          reason="none"
          command={() => `dlo alerts remove ${name}`}
          input={() => ({ name })}
          onDone={onChange}
        >
          <p>What it found is over then. Nobody is told by it any more.</p>
        </Act>
      </div>
    </div>
  );
}

interface MuteRuleProps extends Pick<RuleCardProps, "rule" | "onChange"> {
  readonly isMuted: boolean;
}

function MuteRule({ rule: { name }, isMuted, onChange }: MuteRuleProps) {
  return (
    <Act
      operation="alerts.mute"
      label={isMuted ? `Unmute ${name}` : `Mute ${name} for 1 h`}
      reason="none"
      command={() => `dlo alerts mute ${name} --for ${isMuted ? "0s" : "1h"}`}
      input={() => ({ name, until: isMuted ? null : new Date(officeNow() + hourMs).toISOString() })}
      onDone={onChange}
    >
      <p>{isMuted ? "It is looked at again." : "It is not looked at meanwhile, and what it found is over."}</p>
    </Act>
  );
}

import { useState } from "react";
import { type AlertKind, alertKindFacts, alertKinds } from "../../src/domain/alert-rule.ts";
import type { InputOf, OutputOf } from "../../src/office/operations/operations.ts";
import { useAction } from "../app/use-action.ts";
import { Act } from "../ui/act.tsx";
import { Ago } from "../ui/age.tsx";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { quoted } from "../ui/quoted.ts";
import type { AlertRules } from "./alert-rules.tsx";

interface Draft {
  readonly name: string;
  readonly kind: AlertKind;
  /** Letters, or minutes; empty: as the kind has it. */
  readonly over: string;
  readonly minutes: string;
  readonly queues: string;
  readonly notifiers: readonly string[];
}

const empty: Draft = { name: "", kind: "growing", over: "", minutes: "", queues: "", notifiers: [] };

const kindNames: Readonly<Record<AlertKind, string>> = {
  growing: "a group grows",
  new: "a failure was never seen before",
  returned: "letters came back after a replay",
  depth: "a queue has many open letters",
  age: "the oldest open letter is old",
  breaker: "a breaker stays open",
  approval: "a plan waits for approval",
};

interface SetRuleProps extends Pick<AlertRules, "notifiers"> {
  readonly onChange: () => void;
}

/** A rule is a sentence with blanks; before it holds it says what it would find now. */
export function SetRule({ notifiers, onChange }: SetRuleProps) {
  const [draft, setDraft] = useState(empty);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  return (
    <Act
      operation="alerts.setRule"
      tone="first"
      label="Set a rule"
      reason="none"
      command={() => commandOf(draft)}
      input={() => inputOf(draft)}
      onDone={() => {
        setDraft(empty);
        onChange();
      }}
    >
      <Blanks draft={draft} onChange={change} />
      <fieldset>
        <legend>Tell; none: all who take alerts</legend>
        {notifiers.length === 0 ? <p>The configuration has no notifiers.</p> : null}
        {notifiers.map(({ name, kind }) => (
          <p key={name}>
            <label>
              <input
                type="checkbox"
                checked={draft.notifiers.includes(name)}
                onChange={({ target }) =>
                  change({
                    notifiers: target.checked
                      ? [...draft.notifiers, name]
                      : draft.notifiers.filter((each) => each !== name),
                  })
                }
              />{" "}
              {name} ({kind})
            </label>
          </p>
        ))}
      </fieldset>
      <Preview draft={draft} />
    </Act>
  );
}

interface BlanksProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

function Blanks({ draft, onChange }: BlanksProps) {
  const facts = alertKindFacts[draft.kind];
  const isTime = facts.unit === "seconds";
  const field = (key: "name" | "over" | "minutes" | "queues", label: string, more: object = {}) => (
    <label className="field">
      {label}
      <input
        value={draft[key]}
        onChange={(event) => onChange({ [key]: event.target.value })}
        autoComplete="off"
        {...more}
      />
    </label>
  );
  const usual = String(isTime ? facts.over / 60 : facts.over);
  return (
    <>
      {field("name", "What it is called", { required: true, pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]*" })}
      <label className="field">
        When
        <select value={draft.kind} onChange={(event) => onChange({ kind: event.target.value as AlertKind, over: "" })}>
          {alertKinds.map((kind) => (
            <option key={kind} value={kind}>
              {kindNames[kind]}
            </option>
          ))}
        </select>
      </label>
      {field("over", isTime ? "Over how many minutes" : "More than how many letters", {
        ...{ inputMode: "numeric", pattern: "[0-9]*", placeholder: usual },
      })}
      {field("minutes", "For how many minutes before it is said", {
        ...{ inputMode: "numeric", pattern: "[0-9]*", placeholder: String(facts.holdS / 60) },
      })}
      {field("queues", "Only in these queues, such as rabbit/orders*, with commas between; empty: in all")}
    </>
  );
}

/** What it would find now, and would have said, for whoever asks. */
function Preview({ draft }: { readonly draft: Draft }) {
  const preview = useAction("alerts.preview");
  const [seen, setSeen] = useState<OutputOf<"alerts.preview"> | null>(null);
  const look = async () => setSeen(await preview.run({ ...inputOf(draft), name: draft.name || "draft" }));
  const found = seen?.found ?? null;
  return (
    <>
      <p className="buttons">
        <button type="button" onClick={() => void look()}>
          What would it find?
        </button>
        <span role="status">
          {found === null ? "" : found.length === 0 ? "Nothing now." : `Now ${found.length}, such as:`}
        </span>
      </p>
      {preview.refused === null ? null : <p role="alert">{preview.refused.message}</p>}
      <ul className="names">
        {found?.slice(0, 5).map(({ sentence, path }) => (
          <li key={sentence}>
            <Link to={path}>{sentence}</Link>
          </li>
        ))}
      </ul>
      {seen === null ? null : <PastAlerts past={seen.past} />}
    </>
  );
}

const pastShown = 5;

function PastAlerts({ past: { sentence, times, items, limits } }: Pick<OutputOf<"alerts.preview">, "past">) {
  const shown = items.slice(0, pastShown);
  return (
    <>
      <p>{sentence}</p>
      <ul className="names">
        {shown.map(({ at, until, sentence: said, path }) => (
          <li key={`${at} ${said}`}>
            <Link to={path}>{said}</Link>,{" "}
            <span className="muted">
              <Ago since={at} />
              {until === null ? ", still" : ""}
            </span>
          </li>
        ))}
        {times > shown.length ? <li className="muted">and {showCount(times - shown.length)} before</li> : null}
      </ul>
      {limits.map((limit) => (
        <p key={limit} className="muted">
          {limit}
        </p>
      ))}
    </>
  );
}

function queuesOf({ queues }: Draft): string[] {
  return queues.split(",").flatMap((queue) => queue.trim() || []);
}

function inputOf(draft: Draft): InputOf<"alerts.setRule"> {
  const { name, kind, over, minutes, notifiers } = draft;
  const unit = alertKindFacts[kind].unit === "seconds" ? 60 : 1;
  return {
    ...{ name, kind, queues: queuesOf(draft), notifiers: [...notifiers] },
    ...(over === "" ? {} : { over: Number(over) * unit }),
    ...(minutes === "" ? {} : { holdS: Number(minutes) * 60 }),
  };
}

function commandOf(draft: Draft): string {
  const { name, kind, over, minutes, notifiers } = draft;
  const unit = alertKindFacts[kind].unit === "seconds" ? "m" : "";
  return [
    `dlo alerts set ${name || "NAME"} --when ${kind}`,
    ...(over === "" ? [] : [`--over ${over}${unit}`]),
    ...(minutes === "" ? [] : [`--for ${minutes}m`]),
    ...queuesOf(draft).map((queue) => `--queue ${quoted(queue)}`),
    ...notifiers.map((notifier) => `--tell ${quoted(notifier)}`),
  ].join(" ");
}

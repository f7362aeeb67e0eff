import { useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { Age } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { quoted } from "../ui/quoted.ts";
import { RawText } from "../ui/raw-text.tsx";
import { PolicyCategories } from "./policy-categories.tsx";
import { PolicyDraft } from "./policy-draft.tsx";

type Version = OutputOf<"policy.history">["items"][number];

/** What may be done with letters, and by whose word: in force, before, and what a change would do. */
export function PoliciesPage({ version }: { readonly version: number | null }) {
  const answer = useAnswer("policy.get", { version });
  const said = useAnswer("policy.protocols", { version });
  const policy = answer.data;
  const changed = () => {
    answer.reload();
    said.reload();
  };
  return (
    <>
      <h1>{version === null ? "Policies" : `Policy, version ${version}`}</h1>
      <Trouble answer={answer} />
      {policy === null ? null : (
        <>
          <p>
            {policy.version === null
              ? "Nobody has applied one: what is built in holds, until you draft a change below."
              : `Version ${policy.version}, applied by ${policy.appliedBy ?? "somebody"}.`}{" "}
            Hash <code>{policy.hash.slice(0, 12)}</code>.
            {version === null ? null : (
              <>
                {" "}
                <Link to={pages.policies()}>Show the one in force</Link>
              </>
            )}
          </p>
          <Trouble answer={said} />
          <PolicyCategories items={said.data?.items ?? []} />
          <details>
            <summary>As it was written</summary>
            <RawText text={policy.text} />
          </details>
          <CommandLine command={version === null ? "dlo policy show" : `dlo policy show ${version}`} />
          {version === null ? <ChangePolicy inForce={policy.text} onChange={changed} /> : null}
        </>
      )}
      <History shown={version} />
      <Freshness answer={answer} />
    </>
  );
}

interface ChangePolicyProps {
  readonly inForce: string;
  readonly onChange: () => void;
}

/** A draft, compared and tried on the open letters; only then put in force. */
function ChangePolicy({ inForce, onChange }: ChangePolicyProps) {
  const [text, setText] = useState<string | null>(null);
  const [checked, setChecked] = useState<string | null>(null);
  if (text === null)
    return (
      <div className="buttons">
        <button type="button" onClick={() => setText(inForce)}>
          Draft a change
        </button>
      </div>
    );
  return (
    <section aria-labelledby="draft">
      <h2 id="draft">Draft</h2>
      <label className="field draft">
        The policy as it would be
        <textarea rows={18} spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <div className="buttons">
        <button type="button" className="first" onClick={() => setChecked(text)}>
          Compare and try on open letters
        </button>
        <Act
          operation="policy.apply"
          label="Put it in force"
          blocked={checked === text ? null : "Compare this text first: it says which letters it would move."}
          command={(why) => `dlo policy apply dlo.policy.yaml --reason ${quoted(why || "…")}`}
          input={(reason) => ({ text, reason })}
          onDone={() => {
            setText(null);
            onChange();
          }}
        >
          <p>
            It holds from the next decision on, also for plans that were approved: each letter is judged again before it
            goes.
          </p>
        </Act>
        <button type="button" onClick={() => setText(null)}>
          Discard the draft
        </button>
      </div>
      {checked === null ? null : <PolicyDraft key={checked} text={checked} />}
    </section>
  );
}

function History({ shown }: { readonly shown: number | null }) {
  const answer = useAnswer("policy.history", { limit: 50 });
  const versions = answer.data?.items ?? [];
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <Trouble answer={answer} />
      {answer.data !== null && versions.length === 0 ? <p>No policy was applied yet.</p> : null}
      {versions.length === 0 ? null : (
        <table className="rows">
          <caption className="unseen">Versions of the policy, newest first</caption>
          <thead>
            <tr>
              <th scope="col" className="number">
                Version
              </th>
              <th scope="col">Hash</th>
              <th scope="col">By</th>
              <th scope="col" className="number">
                When
              </th>
            </tr>
          </thead>
          <tbody>
            {versions.map((each) => (
              <VersionRow key={each.version} version={each} isShown={each.version === shown} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function VersionRow({ version: each, isShown }: { readonly version: Version; readonly isShown: boolean }) {
  return (
    <tr>
      <td className="number" data-label="version">
        <Link to={pages.policies(each.version)} row current={isShown}>
          {each.version}
        </Link>
      </td>
      <td>
        <code>{each.hash.slice(0, 12)}</code>
      </td>
      <td data-label="by">{each.appliedBy}</td>
      <td className="number" data-label="when">
        <Age since={each.appliedAt} />
      </td>
    </tr>
  );
}

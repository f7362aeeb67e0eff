import { useState } from "react";
import type { InputOf, OutputOf } from "../../src/office/operations/operations.ts";
import { basePath } from "../app/office.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act, useForbidden } from "../ui/act.tsx";
import { Age } from "../ui/age.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Trouble } from "../ui/notice.tsx";
import { StateChip } from "../ui/state-chip.tsx";

type Person = OutputOf<"people.list">["items"][number];
type Role = Person["roles"][number];

const roles = ["viewer", "operator", "approver", "admin"] as const;

export function People() {
  const forbidden = useForbidden("people.list");
  if (forbidden !== null) return <p>Only an admin sees who may come in.</p>;
  return <Everybody />;
}

function Everybody() {
  const answer = useAnswer("people.list", {});
  return (
    <section aria-labelledby="people">
      <h2 id="people">People</h2>
      <Trouble answer={answer} />
      <table className="rows">
        <caption className="unseen">Who may come in</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Kind</th>
            <th scope="col">Roles</th>
            <th scope="col">State</th>
            <th scope="col" className="number">
              Here for
            </th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {answer.data?.items.map((person) => (
            <PersonRow key={person.id} person={person} onChange={answer.reload} />
          ))}
        </tbody>
      </table>
      <Invite onChange={answer.reload} />
    </section>
  );
}

function stateOf({ disabledAt, hasPassword, kind, identities }: Person): readonly [string, "good" | "warn" | "idle"] {
  if (disabledAt !== null) return ["shut out", "idle"];
  return hasPassword || kind === "agent" || identities.length > 0 ? ["may come in", "good"] : ["invited", "warn"];
}

function PersonRow({ person, onChange }: { readonly person: Person; readonly onChange: () => void }) {
  const { id, kind, roles: own, madeAt, disabledAt } = person;
  const [state, tone] = stateOf(person);
  const isIn = disabledAt === null;
  return (
    <tr>
      <th scope="row">{id}</th>
      <td data-label="kind">{kind}</td>
      <td>{own.join(", ") || "none"}</td>
      <td>
        <StateChip state={state} tone={tone} />
      </td>
      <td className="number" data-label="here for">
        <Age since={madeAt} />
      </td>
      <td>
        <div className="buttons">
          <Act
            operation="people.change"
            label={isIn ? `Shut ${id} out` : `Let ${id} in again`}
            reason="none"
            command={() => `POST /api/v1/people/${id} ${JSON.stringify({ isDisabled: isIn })}`}
            input={() => ({ id, isDisabled: isIn })}
            onDone={onChange}
          >
            <p>{isIn ? "Sessions and tokens of theirs end at once." : "They come in with the password they had."}</p>
          </Act>
          <Rename id={id} onChange={onChange} />
        </div>
      </td>
    </tr>
  );
}

/** Frees the name, for the person of the configuration who is refused because of it. */
function Rename({ id, onChange }: { readonly id: string; readonly onChange: () => void }) {
  const [to, setTo] = useState("");
  return (
    <Act
      operation="people.rename"
      label={`Rename ${id}`}
      reason="none"
      command={() => `dlo people rename ${id} --to ${to || "NAME"}`}
      input={() => ({ id, to })}
      onDone={onChange}
    >
      <p>
        Roles, tokens and ways to sign in stay with the account. Its sessions end, and the name {id} is free. Tell its
        owner if they sign in with a password.
      </p>
      <label className="field">
        New name
        <input required value={to} onChange={(event) => setTo(event.target.value)} autoComplete="off" />
      </label>
    </Act>
  );
}

/** The code is shown once: with it they choose a password. */
function Invite({ onChange }: { readonly onChange: () => void }) {
  const [id, setId] = useState("");
  const [role, setRole] = useState<Role>("operator");
  const [link, setLink] = useState<string | null>(null);
  const person: InputOf<"people.add"> = { id, roles: [role] };
  return (
    <div className="buttons">
      <Act
        operation="people.add"
        tone="first"
        label="Invite somebody"
        reason="none"
        command={() => `POST /api/v1/people ${JSON.stringify(person)}`}
        input={() => person}
        onDone={({ code }) => {
          setLink(code === null ? null : `${location.origin}${basePath}/setup#${code}`);
          onChange();
        }}
      >
        <label className="field">
          Name
          <input required value={id} onChange={(event) => setId(event.target.value)} autoComplete="off" />
        </label>
        <label className="field">
          Role
          <select value={role} onChange={(event) => setRole(event.target.value)}>
            {roles.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      </Act>
      {link === null ? null : (
        <p role="status">
          Give them this link within three days; it is not shown again: <code>{link}</code>{" "}
          <CopyButton text={link} label="Copy the link" />
        </p>
      )}
    </div>
  );
}

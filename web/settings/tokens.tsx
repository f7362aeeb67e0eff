import { useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { Age, OnDate } from "../ui/age.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Trouble } from "../ui/notice.tsx";

type Token = OutputOf<"tokens.list">["items"][number];

/** For programs that act for somebody. A token approves nothing. */
export function Tokens() {
  const answer = useAnswer("tokens.list", {});
  const tokens = answer.data?.items ?? [];
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">Tokens</h2>
      <Trouble answer={answer} />
      {answer.data !== null && tokens.length === 0 ? <p>There are none.</p> : null}
      {tokens.length === 0 ? null : (
        <table className="rows">
          <caption className="unseen">Tokens</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Of</th>
              <th scope="col">Only for</th>
              <th scope="col" className="number">
                Used
              </th>
              <th scope="col">Until</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} onChange={answer.reload} />
            ))}
          </tbody>
        </table>
      )}
      <MakeToken onChange={answer.reload} />
    </section>
  );
}

function TokenRow({ token, onChange }: { readonly token: Token; readonly onChange: () => void }) {
  const { id, owner, name, operations, usedAt, expiresAt, revokedAt, suspendsAt } = token;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-label="of">{owner}</td>
      <td>{operations === null ? "whatever its owner may" : operations.join(", ")}</td>
      <td className="number" data-label="used">
        {usedAt === null ? "never" : <Age since={usedAt} />}
      </td>
      <td data-label="until">
        <OnDate at={expiresAt} />
        {suspendsAt === null || revokedAt !== null || suspendsAt > expiresAt ? null : (
          <p>
            Suspended from <OnDate at={suspendsAt} /> if its owner does not sign in before
          </p>
        )}
      </td>
      <td>
        {revokedAt === null ? (
          <Act
            operation="tokens.revoke"
            label={`Revoke ${name}`}
            reason="none"
            command={() => `POST /api/v1/tokens/${id}/revoke`}
            input={() => ({ id })}
            onDone={onChange}
          >
            <p>Whatever uses it is refused from now on.</p>
          </Act>
        ) : (
          "revoked"
        )}
      </td>
    </tr>
  );
}

/** Shown once, when it is made. */
function MakeToken({ onChange }: { readonly onChange: () => void }) {
  const [name, setName] = useState("");
  const [token, setToken] = useState<string | null>(null);
  return (
    <div className="buttons">
      <Act
        operation="tokens.make"
        tone="first"
        label="Make a token"
        reason="none"
        command={() => `POST /api/v1/tokens ${JSON.stringify({ name })}`}
        input={() => ({ name })}
        onDone={(made) => {
          setToken(made.token);
          onChange();
        }}
      >
        <p>It may do what you may, for 90 days, except what is only for a person who is signed in.</p>
        <label className="field">
          What it is for
          <input required value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
        </label>
      </Act>
      {token === null ? null : (
        <p role="status">
          It is not shown again: <code>{token}</code> <CopyButton text={token} label="Copy the token" />
        </p>
      )}
    </div>
  );
}

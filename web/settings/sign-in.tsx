import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useAnswer } from "../app/use-answer.ts";
import { CommandLine } from "../ui/command-line.tsx";
import { Trouble } from "../ui/notice.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";

type Report = OutputOf<"auth.check">;
type Check = Report["checks"][number];

/** What a sign-in at the identity provider needs, tried when the page opens. */
export function SignInCheck() {
  // Each time calls the provider, so only who opens the page or asks again does it.
  const answer = useAnswer("auth.check", {}, null);
  const { data } = answer;
  return (
    <section aria-labelledby="sign-in">
      <h2 id="sign-in">Sign-in</h2>
      <Trouble answer={answer} />
      {data === null ? <p>Asking the identity provider…</p> : <Tried report={data} />}
      <div className="buttons">
        <button type="button" onClick={answer.reload}>
          Check again
        </button>
      </div>
      <CommandLine command="dlo auth check" />
    </section>
  );
}

function Tried({ report: { issuer, addresses, checks } }: { readonly report: Report }) {
  if (issuer === null || addresses === null)
    return (
      <p>
        People sign in with a password here. Name an identity provider under <code>signIn.oidc</code> in the
        configuration to see its checks.
      </p>
    );
  return (
    <>
      <p>
        People sign in at <code>{issuer}</code>.
      </p>
      <RowsTable caption="Checks of the identity provider" columns={columns} rows={checks} keyOf={({ name }) => name} />
      <h3>Addresses to register there</h3>
      <dl>
        <dt>Redirect URI</dt>
        <dd>
          <code>{addresses.redirect}</code>
        </dd>
        <dt>After sign-out</dt>
        <dd>
          <code>{addresses.afterSignOut}</code>
        </dd>
        <dt>Back-channel logout</dt>
        <dd>
          <code>{addresses.backChannelLogout}</code>
        </dd>
      </dl>
    </>
  );
}

const names: Readonly<Record<Check["name"], string>> = {
  discovery: "Discovery",
  keys: "Keys",
  clock: "Clock",
  client: "Client authentication",
  redirect: "Redirect URI",
  claims: "Claims",
  "sign-out": "Sign-out",
};

const states: Readonly<Record<Check["state"], string>> = { ok: "OK", problem: "Problem", unsure: "Unsure" };

const columns: readonly TableColumn<Check>[] = [
  { heading: "Check", kind: "name", cell: ({ name }) => names[name] },
  { heading: "Result", label: "result", cell: ({ state }) => states[state] },
  { heading: "What was seen", cell: ({ sentence }) => sentence },
];

import { useState } from "react";
import { EnvironmentBadge } from "../app/environment-badge.tsx";
import { beginElsewhere, postAuth, type Session } from "../app/office.ts";
import { CredentialsForm } from "./credentials-form.tsx";

type SignInProps = Pick<Session, "environment" | "signIn" | "refused">;

/** Shown in place of whatever page was asked for, which comes after it: a link from a pager leads where it says. */
export function SignInPage(props: SignInProps) {
  if (props.signIn.passwords) return <PasswordPage {...props} />;
  return (
    <main className="door">
      <h1>Dead Letter Office</h1>
      <Greeting {...props} />
      <Elsewhere {...props} />
    </main>
  );
}

function PasswordPage(props: SignInProps) {
  const signIn = async (name: string, password: string) => {
    const refused = await postAuth("sign-in", { name, password });
    if (refused === null) location.reload();
    return refused;
  };
  return (
    <CredentialsForm title="Dead Letter Office" button="Sign in" isNew={false} onSubmit={signIn}>
      <Greeting {...props} />
      <Elsewhere {...props} />
    </CredentialsForm>
  );
}

function Greeting({ environment }: SignInProps) {
  return (
    <p>
      <EnvironmentBadge environment={environment} /> Sign in to see what needs a decision.
    </p>
  );
}

/** The browser goes there and comes back signed in. Who was refused may be known there by another account. */
function Elsewhere({ signIn, refused: before }: SignInProps) {
  const [refused, setRefused] = useState(before ?? "");
  if (signIn.elsewhere === null) return null;
  const go = async (anotherAccount: boolean) => {
    const answer = await beginElsewhere(location.pathname + location.search + location.hash, anotherAccount);
    if ("url" in answer) return location.assign(answer.url);
    setRefused([answer.message, answer.hint, answer.id && `(${answer.id})`].filter(Boolean).join(" "));
  };
  return (
    <>
      <div className="buttons">
        <button type="button" className={signIn.passwords ? undefined : "first"} onClick={() => void go(false)}>
          Sign in with {signIn.elsewhere}
        </button>
        {refused === "" ? null : (
          <button type="button" onClick={() => void go(true)}>
            Use another account
          </button>
        )}
      </div>
      <p role="alert">{refused}</p>
    </>
  );
}

import { EnvironmentBadge } from "../app/environment-badge.tsx";
import { basePath, postAuth, type Session } from "../app/office.ts";
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

/** A plain link: the browser goes there and comes back signed in. */
function Elsewhere({ signIn, refused }: SignInProps) {
  if (signIn.elsewhere === null) return null;
  const to = new URLSearchParams({ to: location.pathname + location.search });
  return (
    <>
      <p>
        <a href={`${basePath}/auth/oidc?${to}`}>Sign in with {signIn.elsewhere}</a>
      </p>
      {refused ? <p role="alert">{refused}</p> : null}
    </>
  );
}

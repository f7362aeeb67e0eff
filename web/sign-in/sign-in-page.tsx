import { postAuth } from "../app/office.ts";
import { CredentialsForm } from "./credentials-form.tsx";

/** Shown in place of whatever page was asked for, which comes after it: a link from a pager leads where it says. */
export function SignInPage() {
  const signIn = async (name: string, password: string) => {
    const refused = await postAuth("sign-in", { name, password });
    if (refused === null) location.reload();
    return refused;
  };
  return (
    <CredentialsForm title="Dead Letter Office" button="Sign in" isNew={false} onSubmit={signIn}>
      <p>Sign in to see what needs a decision.</p>
    </CredentialsForm>
  );
}

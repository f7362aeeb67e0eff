import { basePath, postAuth } from "../app/office.ts";
import { CredentialsForm } from "./credentials-form.tsx";

/** The code is in the fragment, which browsers send to nobody. */
export function SetupPage({ code }: { readonly code: string }) {
  const enrol = async (name: string, password: string) => {
    const refused = await postAuth("setup", { code, name, password });
    if (refused === null) location.assign(`${basePath}/`);
    return refused;
  };
  return (
    <CredentialsForm title="Welcome" button="Choose this password" isNew onSubmit={enrol}>
      <p>
        This link lets you into the office: choose a password of at least 12 characters. If an admin invited you, type
        the name they gave you. If you have just started this office, choose any name: you become its first admin.
      </p>
    </CredentialsForm>
  );
}

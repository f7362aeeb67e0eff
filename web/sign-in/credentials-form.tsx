import { type ReactNode, type SubmitEventHandler, useState } from "react";
import type { Refused } from "../app/office.ts";

export interface CredentialsFormProps {
  readonly title: string;
  readonly button: string;
  readonly children: ReactNode;
  readonly isNew: boolean;
  /** Null when it went well. */
  readonly onSubmit: (name: string, password: string) => Promise<Refused | null>;
}

/** A name and a password. What was typed stays when it is refused. */
export function CredentialsForm({ title, button, children, isNew, onSubmit }: CredentialsFormProps) {
  const [refused, setRefused] = useState<Refused | null>(null);
  const submit: SubmitEventHandler<HTMLFormElement> = (event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    void onSubmit(textIn(given, "name"), textIn(given, "password")).then(setRefused);
  };
  return (
    <main className="door">
      <h1>{title}</h1>
      {children}
      <form onSubmit={submit}>
        <label htmlFor="name">Name</label>
        <input id="name" name="name" required autoComplete="username" autoCapitalize="none" />
        <label htmlFor="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          required
          minLength={isNew ? 12 : 1}
          autoComplete={isNew ? "new-password" : "current-password"}
          aria-describedby="refused"
        />
        <button type="submit" className="first">
          {button}
        </button>
      </form>
      <p id="refused" role="alert">
        {refused === null ? "" : `${refused.message} ${refused.hint ?? ""}`}
      </p>
    </main>
  );
}

function textIn(given: FormData, name: string): string {
  const value = given.get(name);
  return typeof value === "string" ? value : "";
}

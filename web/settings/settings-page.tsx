import { pages } from "../app/routes.ts";
import { ThemeButton } from "../app/theme-button.tsx";
import { Link } from "../ui/link.tsx";
import { OwnKeys } from "./own-keys.tsx";
import { OwnTimes } from "./own-times.tsx";
import { People } from "./people.tsx";
import { SignInCheck } from "./sign-in.tsx";
import { Sources } from "./sources.tsx";
import { Tokens } from "./tokens.tsx";

const parts = {
  people: "People",
  "sign-in": "Sign-in",
  tokens: "Tokens",
  sources: "Sources",
  appearance: "Appearance",
} as const;

/** Who may come in, by which tokens, and what the office looks after. */
export function SettingsPage({ part: asked }: { readonly part: string }) {
  const part = Object.hasOwn(parts, asked) ? (asked as keyof typeof parts) : "people";
  return (
    <>
      <h1>Settings</h1>
      <nav aria-label="Which settings" className="tabs">
        {Object.entries(parts).map(([key, name]) => (
          <Link key={key} to={pages.settings(key)} current={key === part}>
            {name}
          </Link>
        ))}
      </nav>
      {part === "people" ? <People /> : null}
      {part === "sign-in" ? <SignInCheck /> : null}
      {part === "tokens" ? <Tokens /> : null}
      {part === "sources" ? <Sources /> : null}
      {part === "appearance" ? <Appearance /> : null}
    </>
  );
}

function Appearance() {
  return (
    <>
      <section aria-labelledby="appearance">
        <h2 id="appearance">Appearance</h2>
        <p>As the system has it, unless you choose. This browser remembers it.</p>
        <div className="buttons">
          <ThemeButton />
        </div>
      </section>
      <OwnTimes />
      <OwnKeys />
    </>
  );
}

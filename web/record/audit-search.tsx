import type { SubmitEventHandler } from "react";
import { type AuditSearch, goTo, pages } from "../app/routes.ts";
import { Link } from "../ui/link.tsx";

const fields = [
  { name: "by", label: "Who", example: "ops-1" },
  { name: "action", label: "What", example: "replay.approved" },
  { name: "about", label: "About", example: "rpl_…, a queue" },
] as const;

/** Which of the entries are wanted; the answer is in the address. */
export function AuditSearchForm({ search }: { readonly search: AuditSearch }) {
  const submit: SubmitEventHandler<HTMLFormElement> = (event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const typed = [...given].map(([name, value]) => [name, typeof value === "string" ? value.trim() : ""] as const);
    goTo(pages.audit({ ...search, ...Object.fromEntries(typed) }));
  };
  const isAsked = fields.some(({ name }) => search[name] !== "");
  return (
    <form onSubmit={submit} className="scenario" aria-label="Search the audit log" key={JSON.stringify(search)}>
      {fields.map(({ name, label, example }) => (
        <div key={name} className="field">
          <label htmlFor={`audit-${name}`}>{label}</label>
          <input
            {...{ id: `audit-${name}`, name, maxLength: 200, autoComplete: "off" }}
            {...{ defaultValue: search[name], placeholder: example }}
          />
        </div>
      ))}
      <p className="field">
        <button type="submit">Search</button>
        {isAsked ? <Link to={pages.audit({ own: search.own })}>Clear</Link> : null}
      </p>
    </form>
  );
}

import type { SubmitEventHandler } from "react";
import type { InputOf, OutputOf } from "../../src/office/operations/operations.ts";

type Guide = OutputOf<"sources.guides">["items"][number];

export type Address = InputOf<"sources.look"> & { readonly url: string };

interface AddressFormProps {
  readonly guides: readonly Guide[];
  readonly broker: string;
  readonly onBroker: (broker: string) => void;
  readonly isBusy: boolean;
  readonly onLook: (address: Address) => void;
}

/** Where the broker is. What was typed stays when it is refused. */
export function AddressForm({ guides, broker, onBroker, isBusy, onLook }: AddressFormProps) {
  const guide = guides.find((each) => each.broker === broker);
  const submit: SubmitEventHandler<HTMLFormElement> = (event) => {
    event.preventDefault();
    if (!isBusy && guide !== undefined) onLook(addressIn(event.currentTarget, guide));
  };
  return (
    <form onSubmit={submit} className="sheet">
      <label className="field">
        What it is
        <select value={broker} onChange={(event) => onBroker(event.target.value)}>
          <Choices label="Brokers" guides={guides.filter((each) => !each.isReadInPlace)} />
          <Choices label="Job frameworks" guides={guides.filter((each) => each.isReadInPlace)} />
        </select>
      </label>
      {guide === undefined ? null : <AboutGuide guide={guide} />}
      <label className="field">
        Its address, with user and password; kept sealed, and never shown again
        <input name="url" required placeholder={guide?.address} autoComplete="off" spellCheck={false} />
      </label>
      {guide?.settings.map(({ name, label }) => (
        <label key={`${broker}-${name}`} className="field">
          {label}
          <input name={name} autoComplete="off" spellCheck={false} />
        </label>
      ))}
      <div className="buttons">
        <button type="submit" className="first" aria-disabled={isBusy}>
          {isBusy ? "Looking…" : "Look, and change nothing"}
        </button>
      </div>
    </form>
  );
}

function Choices({ label, guides }: { readonly label: string; readonly guides: readonly Guide[] }) {
  return (
    <optgroup label={label}>
      {guides.map(({ broker, product }) => (
        <option key={broker} value={broker}>
          {product}
        </option>
      ))}
    </optgroup>
  );
}

/** What to know before an address is typed. */
function AboutGuide({ guide: { isReadInPlace, draining, alsoFor } }: { readonly guide: Guide }) {
  if (isReadInPlace) return <p>{draining}</p>;
  return alsoFor === null ? null : <p>Also for {alsoFor}.</p>;
}

function addressIn(form: HTMLFormElement, { broker, settings }: Guide): Address {
  const given = new FormData(form);
  const textOf = (name: string) => {
    const value = given.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const said = settings.flatMap(({ name }) => {
    const text = textOf(name);
    return text === "" ? [] : [[name, name === "transports" ? transportsIn(text) : text] as const];
  });
  return { broker, url: textOf("url"), ...Object.fromEntries(said) };
}

/** `async=default, slow=later`. */
function transportsIn(text: string): Record<string, string> {
  const pairs = text.split(",").map((pair) => {
    const [name = "", ...queue] = pair.split("=");
    return [name.trim(), queue.join("=").trim()] as const;
  });
  return Object.fromEntries(pairs);
}

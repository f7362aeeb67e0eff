import type { SubmitEventHandler } from "react";
import type { InputOf, OutputOf } from "../../src/office/operations/operations.ts";

type Guide = OutputOf<"sources.guides">["items"][number];

interface AddressFormProps {
  readonly guides: readonly Guide[];
  readonly broker: string;
  readonly onBroker: (broker: string) => void;
  readonly isBusy: boolean;
  readonly onLook: (address: InputOf<"sources.look"> & { readonly url: string }) => void;
}

/** Brokers whose address does not say everything. */
const more: Readonly<Record<string, { readonly name: "management" | "schema"; readonly label: string }>> = {
  rabbitmq: { name: "management", label: "Its management API, if it is not at port 15672 of the same host" },
  postgres: { name: "schema", label: "The schema our tables are in, if it is not dlo" },
};

/** Where the broker is. What was typed stays when it is refused. */
export function AddressForm({ guides, broker, onBroker, isBusy, onLook }: AddressFormProps) {
  const guide = guides.find((each) => each.broker === broker);
  const extra = more[broker];
  const submit: SubmitEventHandler<HTMLFormElement> = (event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const textOf = (name: string) => {
      const value = given.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    const also = extra === undefined ? "" : textOf(extra.name);
    if (!isBusy) onLook({ url: textOf("url"), ...(extra === undefined || also === "" ? {} : { [extra.name]: also }) });
  };
  return (
    <form onSubmit={submit} className="sheet">
      <label className="field">
        Broker
        <select value={broker} onChange={(event) => onBroker(event.target.value)}>
          {guides.map((each) => (
            <option key={each.broker} value={each.broker}>
              {each.product}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        Its address, with user and password; kept sealed, and never shown again
        <input name="url" required placeholder={guide?.address} autoComplete="off" spellCheck={false} />
      </label>
      {extra === undefined ? null : (
        <label className="field">
          {extra.label}
          <input name={extra.name} autoComplete="off" spellCheck={false} />
        </label>
      )}
      <div className="buttons">
        <button type="submit" className="first" aria-disabled={isBusy}>
          {isBusy ? "Looking…" : "Look, and change nothing"}
        </button>
      </div>
    </form>
  );
}

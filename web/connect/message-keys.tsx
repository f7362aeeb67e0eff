import type { InputOf } from "../../src/office/operations/operations.ts";

type Added = InputOf<"sources.add">;

/** As typed; empty is not said. */
export interface TypedKeys {
  readonly key: string;
  readonly keys: string;
  readonly keysSchema: string;
}

export const noKeys: TypedKeys = { key: "", keys: "", keysSchema: "" };

interface MessageKeysProps {
  readonly typed: TypedKeys;
  readonly onChange: (typed: TypedKeys) => void;
}

/** What its consumers know messages by. Most sources need none of it. */
export function MessageKeys({ typed, onChange }: MessageKeysProps) {
  const { key, keys, keysSchema } = typed;
  return (
    <details className="card">
      <summary>Keys of its messages</summary>
      <label className="field">
        Where consumers find the idempotency key, if not where senders usually put it: a header, or a JSON pointer such
        as /order/id
        <input
          value={key}
          onChange={(event) => onChange({ ...typed, key: event.target.value })}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <label className="field">
        Where ordered consumers keep their blocked keys: a connected PostgreSQL source, or the address of a database,
        which is kept sealed
        <input
          value={keys}
          onChange={(event) => onChange({ ...typed, keys: event.target.value })}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      {isAddress(keys) ? (
        <label className="field">
          The schema of these keys, if it is not dlo
          <input
            value={keysSchema}
            onChange={(event) => onChange({ ...typed, keysSchema: event.target.value })}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
      ) : null}
    </details>
  );
}

export function keysIn({ key, keys, keysSchema }: TypedKeys): Pick<Added, "key" | "keys"> {
  const [place, store, schema] = [key.trim(), keys.trim(), keysSchema.trim()];
  return {
    ...(place === "" ? {} : { key: place.startsWith("/") ? { pointer: place } : { header: place } }),
    ...(store === "" ? {} : { keys: storeAt(store, schema) }),
  };
}

function storeAt(store: string, schema: string): Added["keys"] {
  if (!isAddress(store)) return { source: store };
  return { url: store, ...(schema === "" ? {} : { schema }) };
}

/** Names of sources have no such characters. */
function isAddress(text: string): boolean {
  return text.includes("://");
}

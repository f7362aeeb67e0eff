import type { InputOf } from "../../src/office/operations/operations.ts";
import { quoted } from "../ui/quoted.ts";

/** The same in the configuration, where addresses are variables: a password has no place on a command line. */
export function sourceCommand(added: InputOf<"sources.add">): string {
  const { name, broker, management, schema, prefix, transports, key, keys, owner, queues } = added;
  const words = [
    ...flag("url", `\${BROKER_URL}`),
    ...flag("broker", broker),
    ...flag("management", management == null ? null : `\${BROKER_API}`),
    ...flag("schema", schema),
    ...flag("prefix", prefix),
    ...Object.entries(transports ?? {}).flatMap(([transport, queue]) => flag("transports", `${transport}=${queue}`)),
    ...flag("key", key == null ? null : "header" in key ? key.header : key.pointer),
    ...flag("keys", keys == null ? null : "source" in keys ? keys.source : `\${KEYS_URL}`),
    ...flag("keys-schema", keys != null && "url" in keys ? keys.schema : null),
    ...flag("owner", owner),
    ...queues.flatMap(({ match, mode }) => flag("queue", `${match}=${mode}`)),
  ];
  return ["dlo sources add", quoted(name), ...words].join(" ");
}

/** A value that begins with a dash would be read as the next flag: it is joined to its own. */
function flag(name: string, value: string | null | undefined): readonly string[] {
  if (value == null) return [];
  return [value.startsWith("-") ? `--${name}=${quoted(value)}` : `--${name} ${quoted(value)}`];
}

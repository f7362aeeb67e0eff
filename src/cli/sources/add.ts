import type { NewSource } from "../../config/add-source.ts";
import { brokerAt } from "../../config/broker-at.ts";
import { brokers } from "../../config/broker-names.ts";
import { addressReference, referenceOrigin } from "../../config/reference.ts";
import { OfficeError } from "../../domain/errors.ts";
import { requireOption } from "../../domain/options.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { choiceFlag, optional, textFlag, textsFlag } from "../flags.ts";
import { addressFlags, configFlag, configPath } from "./source-flags.ts";

const modes = ["observe", "drain"] as const;

export const sourcesAddCommand = command({
  name: "sources add",
  summary: "writes a broker into the configuration, which keeps its comments and its layout",
  examples: [
    {
      line: "dlo sources add rabbit-eu --url '${RABBIT_URL}'",
      about: "the address is a variable, so no password stands in the file",
    },
    {
      line: "dlo sources add rabbit-eu --url '${RABBIT_URL}' --queue '*.dlq' --mode drain",
      about: "and what is done with its dead-letter queues",
    },
    {
      line: "dlo sources add rabbit-eu --url '${RABBIT_URL}' --queue orders.dlq=drain --queue '*=observe'",
      about: "rules in the order in which they hold",
    },
    {
      line: "dlo sources add rabbit-eu --url '${RABBIT_URL}' --key x-order-id --keys '${ORDERS_DB}'",
      about: "where idempotency keys are, and where ordered consumers keep their blocked keys",
    },
  ],
  details: [
    "Quote ${NAME}, or your shell puts the value, with its password, in its place. file:/path works as well.",
    "Without a configuration, dlo.config.yaml is made in this folder. Nothing is connected to: `dlo sources test` does that.",
  ],
  operand: { placeholder: "NAME", about: "how the source is called in ids and commands", required: true },
  flags: {
    ...configFlag,
    ...addressFlags,
    url: textFlag({ placeholder: "URL", about: "where the broker is; best as '${NAME}', a variable" }),
    broker: optional(
      choiceFlag({ about: "what it is", of: brokers, default: "rabbitmq" }),
      "by how the address begins",
    ),
    owner: textFlag({ placeholder: "WHO", about: "whom to ask about it" }),
    transports: textsFlag({
      placeholder: "NAME=QUEUE",
      about:
        "Symfony Messenger: the queue_name of a transport that failed messages go back to; may be given several times",
    }),
    key: textFlag({
      placeholder: "HEADER|/POINTER",
      about:
        "where consumers that are not ours find the idempotency key: a header, or a JSON pointer such as /order/id, if not where senders usually put it",
    }),
    keys: textFlag({
      placeholder: "SOURCE|URL",
      about:
        "where its ordered consumers keep their blocked keys: a source of broker postgres, or the address of a database; best as '${NAME}'",
    }),
    "keys-schema": textFlag({ placeholder: "NAME", about: "the schema of the database of --keys, if it is not dlo" }),
    queue: textsFlag({
      placeholder: "PATTERN[=MODE]",
      about:
        "which dead-letter queues; * stands for any characters; may be given several times, and the first match holds",
    }),
    mode: choiceFlag({ about: "what is done with those whose rule says nothing else", of: modes, default: "observe" }),
  },

  async run(values, context) {
    const { print, note } = context;
    const path = (await configPath(values.config, context)) ?? "dlo.config.yaml";
    const source = await sourceOf({ ...values, name: values.operand ?? "" }, context);
    const { writeSource } = await import("../../config/write-config.ts");
    await writeSource(path, source);
    if (values.json) print(JSON.stringify({ added: source.name, file: path }));
    note(`Added ${source.name} to ${path}. Try it: dlo sources test ${source.name}`);
    if ([source.url, source.keys !== undefined && "url" in source.keys ? source.keys.url : ""].some(holdsPassword))
      note("Its password stands in the file now; better write ${NAME} or file:/path in its place.");
    return exit.done;
  },
});

interface Given {
  readonly name: string;
  readonly url: string;
  readonly management: string;
  readonly schema: string;
  readonly prefix: string;
  readonly broker: NewSource["broker"] | null;
  readonly owner: string;
  readonly transports: readonly string[];
  readonly key: string;
  readonly keys: string;
  readonly "keys-schema": string;
  readonly queue: readonly string[];
  readonly mode: (typeof modes)[number];
}

async function sourceOf(
  { name, url, management, schema, prefix, transports, key, keys, owner, queue, mode, ...given }: Given,
  context: Context,
): Promise<NewSource> {
  if (url === "")
    throw new OfficeError("INVALID_OPTION", "`--url` is missing: where the broker is, such as --url '${RABBIT_URL}'.");
  return {
    name,
    broker:
      given.broker ??
      brokerAt(
        await addressReference(url).resolve(referenceOrigin(context.env)),
        "… Or name the broker with --broker.",
      ),
    url,
    ...(management === "" ? {} : { management }),
    ...(schema === "" ? {} : { schema }),
    ...(prefix === "" ? {} : { prefix }),
    ...(transports.length === 0 ? {} : { transports: Object.fromEntries(transports.map(transportIn)) }),
    ...(key === "" ? {} : { key: key.startsWith("/") ? { pointer: key } : { header: key } }),
    ...keysIn(keys, given["keys-schema"]),
    ...(owner === "" ? {} : { owner }),
    ...(queue.length === 0 ? {} : { queues: queue.map((rule) => ruleIn(rule, mode)) }),
  };
}

/** An address begins with its scheme, or says where it stands; names of sources have no such characters. */
function keysIn(keys: string, schema: string): Pick<NewSource, "keys"> {
  const isAddress = /^file:|:\/\/|\$\{/.test(keys);
  requireOption(
    schema === "" || isAddress,
    "--keys-schema",
    "given with the address of a database as --keys: a source has a schema of its own",
    schema,
  );
  if (keys === "") return {};
  return { keys: isAddress ? { url: keys, ...(schema === "" ? {} : { schema }) } : { source: keys } };
}

/** `orders.dlq=drain`. Only the last word counts, and only if it is a mode: a queue may be called anything. */
function ruleIn(rule: string, mode: Given["mode"]): { readonly match: string; readonly mode: Given["mode"] } {
  const said = modes.find((each) => rule.endsWith(`=${each}`));
  return said === undefined ? { match: rule, mode } : { match: rule.slice(0, -(said.length + 1)), mode: said };
}

function transportIn(pair: string): readonly [string, string] {
  const [, name = "", queue = ""] = /^([^=]*)=(.*)$/s.exec(pair)?.map((word) => word.trim()) ?? [];
  requireOption(
    name !== "" && queue !== "",
    "--transports",
    "a transport and its queue_name, as in async=default",
    pair,
  );
  return [name, queue];
}

function holdsPassword(url: string): boolean {
  return /:\/\/[^@]*:(?!\$\{)[^@]+@/.test(url);
}

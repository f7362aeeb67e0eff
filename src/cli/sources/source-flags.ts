import { brokerAt } from "../../config/broker-at.ts";
import type { SourceConfig } from "../../config/config.ts";
import type { ConfigFile } from "../../config/config-file.ts";
import { addressReference, referenceOrigin } from "../../config/reference.ts";
import type { InspectOptions, NamedSource } from "../../doctor/inspect-source.ts";
import { OfficeError } from "../../domain/errors.ts";
import { nearestName } from "../../domain/options.ts";
import type { Context } from "../command.ts";
import { durationFlag, textFlag, type ValuesOf } from "../flags.ts";

/** Which configuration. */
export const configFlag = {
  config: textFlag({
    placeholder: "FILE",
    about: "the configuration; else DLO_CONFIG, else dlo.config.yaml here or further up",
  }),
};

/** Which broker, where no configuration names it. */
export const addressFlags = {
  url: textFlag({ placeholder: "URL", about: "a broker that no configuration names; best as '${NAME}', a variable" }),
  management: textFlag({ placeholder: "URL", about: "RabbitMQ's management API, if it is not where it usually is" }),
  schema: textFlag({
    placeholder: "NAME",
    about: "PostgreSQL: the schema the tables are in, if it is not dlo or the framework's",
  }),
  prefix: textFlag({
    placeholder: "TEXT",
    about: "BullMQ, Sidekiq, dramatiq: what its keys begin with, if it is not what they do by themselves",
  }),
};

export const lookFlags = {
  ...configFlag,
  ...addressFlags,
  timeout: durationFlag({ about: "how long a source may take", default: "20s", min: "100ms", max: "10m" }),
};

export interface Look extends NamedSource {
  readonly name: string;
}

/** The sources that were asked for: the one at `--url`, the one named, or all. */
export async function sourcesAskedFor(
  { operand, ...values }: ValuesOf<typeof lookFlags> & { readonly operand: string | null },
  context: Pick<Context, "env">,
): Promise<readonly Look[]> {
  if (values.url !== "" && operand !== null) throw bothNamed(operand);
  if (values.url !== "") return [await sourceAt(values, context)];
  const file = await requireConfig(values.config, context);
  const { sources } = file.config;
  if (operand === null) return sources;
  const found = sources.find(({ name }) => name === operand);
  if (found === undefined) throw noSource(operand, file);
  return [found];
}

/** Looking at one and saying nothing of the other would pass for having looked at both. */
function bothNamed(source: string): OfficeError {
  return new OfficeError(
    "INVALID_OPTION",
    `\`--url\` is for a broker that no configuration names, and \`${source}\` is a source of the configuration. Give one of them.`,
  );
}

/** A source of which nothing is known but its address. */
async function sourceAt(
  { url, management, schema, prefix }: Readonly<Record<keyof typeof addressFlags, string>>,
  { env }: Pick<Context, "env">,
): Promise<Look> {
  const reference = addressReference(url);
  return {
    name: reference.shown,
    broker: brokerAt(await reference.resolve(referenceOrigin(env))),
    url: reference,
    ...(management === "" ? {} : { management: addressReference(management) }),
    ...(schema === "" ? {} : { schema }),
    ...(prefix === "" ? {} : { prefix }),
  };
}

export async function requireConfig(path: string, { env }: Pick<Context, "env">): Promise<ConfigFile> {
  const found = await configPath(path, { env });
  if (found !== undefined) return (await configFiles()).readConfig(found);
  throw new OfficeError(
    "INVALID_CONFIG",
    "There is no dlo.config.yaml here, nor further up. Make one: dlo sources add my-rabbitmq --url '${RABBIT_URL}'. Or look at a " +
      "broker without one: dlo doctor --url '${RABBIT_URL}'",
  );
}

export async function configPath(path: string, { env }: Pick<Context, "env">): Promise<string | undefined> {
  if (path !== "") return path;
  return env.DLO_CONFIG || (await configFiles()).findConfig(".");
}

/** Loaded when it is needed: other commands must not wait for a YAML parser and a schema. */
function configFiles() {
  return import("../../config/config-file.ts");
}

export function inspectOptions(
  { timeout }: { readonly timeout: number },
  { env, clock, signal }: Context,
): InspectOptions {
  return { origin: referenceOrigin(env), clock, signal, limitMs: timeout };
}

function noSource(name: string, { path, config }: ConfigFile): OfficeError {
  const names = config.sources.map((source: SourceConfig) => source.name);
  const nearest = nearestName(name, names);
  const known = names.length === 0 ? "It has none." : `It has ${names.join(", ")}.`;
  const hint = nearest === undefined ? known : `Did you mean \`${nearest}\`?`;
  return new OfficeError("SOURCE_NOT_FOUND", `${path} has no source \`${name}\`. ${hint}`, {
    details: { source: name },
  });
}

import { headerText, type Message } from "./message.ts";
import { parseSchemaName } from "./schema-name.ts";

/**
 * Name and version of a message's schema, as its sender says: its type (a CloudEvent's, Spring's, AMQP's), else its media type, with
 * a version that is said beside it. Null: it says nothing.
 */
export function schemaOfMessage({ headers, properties }: Message): string | null {
  const first = (from: Message["headers"], names: readonly string[]) => {
    for (const name of names) {
      const text = headerText(from, name);
      if (text) return text;
    }
    return null;
  };
  const media = mediaSchema(headerText(properties, "content-type") ?? first(headers, mediaHeaders) ?? "");
  const name = first(headers, typeHeaders) ?? headerText(properties, "type") ?? media.name;
  if (!name) return null;
  const version = first(headers, versionHeaders) ?? media.version ?? versionOf(first(headers, schemaAddresses));
  const isVersioned = version === null || parseSchemaName(name).version !== null;
  return isVersioned ? name : `${name}@${version.replace(/^v(?=\d)/i, "")}`;
}

const eventPrefixes = ["ce_", "ce-", "cloudEvents_", "cloudEvents:"];
const typeHeaders = [...eventPrefixes.map((prefix) => `${prefix}type`), "__TypeId__"];
const schemaAddresses = eventPrefixes.map((prefix) => `${prefix}dataschema`);
const versionHeaders = ["schema-version", "x-schema-version", "schemaVersion", "Schema-Version"];
const mediaHeaders = ["content-type", "Content-Type"];

/** `…/order/3` */
function versionOf(address: string | null): string | null {
  return parseSchemaName(address).version;
}

/** `application/vnd.shop.order.v3+json`, `application/json; schema=order; version=3`. */
function mediaSchema(type: string): { readonly name: string | null; readonly version: string | null } {
  if (type.length > 500) return { name: null, version: null };
  const [, vendor] = /^application\/vnd\.([\w.-]+)\+\w+/i.exec(type) ?? [];
  const parameter = (name: string) => new RegExp(`;\\s*${name}="?([\\w.:/-]+)`, "i").exec(type)?.[1] ?? null;
  return { name: parameter("schema") ?? vendor ?? null, version: parameter("version") };
}

/** A message schema with its version, as far as a message says. */
export interface SchemaName {
  readonly name: string | null;
  /** Without a leading `v`; null where the name says none. */
  readonly version: string | null;
}

/** Takes `order@3`, `order:3`, `order/v3`, `shop.Order.v3` and the like apart. A bare number at the end may be part of a name. */
export function parseSchemaName(text: string | null): SchemaName {
  if (text === null || text.trim() === "") return { name: null, version: null };
  const [, name, version] = /^(.+?)(?:[@:/#]v?|[._-]v)(\d+(?:\.\d+)*)$/i.exec(text.trim()) ?? [];
  return name === undefined || version === undefined ? { name: text.trim(), version: null } : { name, version };
}

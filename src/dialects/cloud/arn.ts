/**
 * The resource in `arn:partition:service:region:account:resource`, by the name people know it by: of
 * `function:charge:$LATEST` it is `charge`, of `rule/bus/order-created` it is `order-created`.
 */
export function arnName(arn: string | undefined): string | undefined {
  const parts = (arn ?? "").split(":");
  if (parts[0] !== "arn" || parts.length < 6) return undefined;
  const [resource = "", qualifier] = parts.slice(5);
  if (qualifier !== undefined) return qualifier;
  const path = resource.split("/");
  return path.length === 1 ? resource : resourceName(path);
}

/** Buses and subscribers of EventBridge have an id after their name. */
function resourceName(path: readonly string[]): string | undefined {
  const isNumbered = path[0] === "event-busv2" || path[0] === "subscriber";
  return isNumbered ? path[1] : path.at(-1);
}

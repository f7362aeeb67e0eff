import { type Actor, type Grant, type Role, roles } from "../../domain/actor.ts";
import type { NamedRole } from "../../ledger/people/roles.ts";

export interface KnownAs {
  readonly kind: "human" | "agent" | "demo";
  /** Names of roles. */
  readonly names: readonly string[];
  /** Of the ledger. */
  readonly ownRoles: readonly NamedRole[];
}

/**
 * What somebody is by the names of their roles. A role of the configuration comes before one of the ledger by the same name, and
 * a name that nobody knows gives nothing.
 */
export function standingOf(
  { kind, names, ownRoles }: KnownAs,
  configured: readonly NamedRole[],
): Pick<Actor, "kind" | "roles" | "grants"> {
  const held = names.flatMap((name) => {
    const role = builtIn(name) ?? [...configured, ...ownRoles].find((each) => each.name === name);
    return role === undefined ? [] : [role];
  });
  const grants = held.map(grantOf);
  return {
    kind: held.some(({ is }) => is === "agent") ? "agent" : kind,
    roles: roles.filter((role) => grants.some(({ is }) => is === role)),
    grants,
  };
}

/** Names of roles that make an admin of the whole server. */
export function adminRoles(configured: readonly NamedRole[], ownRoles: readonly NamedRole[]): readonly string[] {
  const shadowed = new Set(configured.map(({ name }) => name));
  const named = [...configured, ...ownRoles.filter(({ name }) => !shadowed.has(name))];
  return ["admin", ...named.filter(({ is, queues }) => is === "admin" && queues.includes("*")).map(({ name }) => name)];
}

export function builtIn(name: string): NamedRole | undefined {
  const role = roles.find((each) => each === name);
  return role === undefined ? undefined : { name, is: role, queues: ["*"], reveals: role === "admin" };
}

/** An agent plans as an operator does; what else it must not do is said by its kind. */
function grantOf({ is, queues, reveals }: NamedRole): Grant {
  const role: Role = is === "agent" ? "operator" : is;
  return { is: role, queues, reveals };
}

import type { ConfiguredPerson } from "../../src/ledger/people/configured-people.ts";
import { nameProblem } from "../../src/office/people/allowed-name.ts";
import { decideJoin } from "../../src/office/people/decide-join.ts";
import { decidePeople, type HeldIdentity } from "../../src/office/people/decide-people.ts";
import { decideSignIn } from "../../src/office/people/decide-sign-in.ts";
import type { ArrivalWorld, SeenWorld } from "./play-arrivals.ts";
import type { StoryPerson } from "./story-of.ts";

const issuer = "https://idp.example";

interface MemoryAccount {
  roles: readonly string[];
  isDisabled: boolean;
  hasPassword: boolean;
}

/** The decisions alone, over maps in place of a database. */
export class MemoryWorld implements ArrivalWorld {
  readonly #accounts = new Map<string, MemoryAccount>();
  readonly #identities = new Map<string, HeldIdentity>();
  readonly #sessions = new Map<string, string>();
  #people: readonly ConfiguredPerson[] = [];
  #begun = 0;

  async configure(given: readonly StoryPerson[]): Promise<void> {
    this.#people = given.map(({ sub, ...one }) => ({ ...one, issuer, subject: sub }));
    for (const { identity, roles, isConfigured } of decidePeople(this.#people, [...this.#identities.values()])) {
      const givesRoles = identity.givesRoles || isConfigured;
      this.#identities.set(identity.subject, { ...identity, isConfigured, givesRoles });
      this.#give(identity.person, roles);
    }
  }

  async arrive({ sub, name, groups }: Parameters<ArrivalWorld["arrive"]>[0]): Promise<string | null> {
    const known = this.#identities.get(sub) ?? null;
    const configured = this.#people.find(({ subject }) => subject === sub) ?? null;
    const id = known?.person ?? configured?.id ?? "";
    const account = this.#accounts.get(id);
    const decision = decideSignIn({
      ...{ identity: { issuer, subject: sub, name, groups, missingClaim: null }, known, configured },
      account: account === undefined ? null : { id, isDisabled: account.isDisabled },
      directoryRoles: groups.filter((group) => group === "ops"),
      taken: [...this.#accounts.keys(), ...this.#people.map((one) => one.id)],
    });
    if (decision.kind === "without_role" && decision.ends !== null) this.#give(decision.ends, []);
    if (decision.kind !== "enter") return null;
    const { person, isNew, roles, isConfigured } = decision;
    if (isNew) this.#accounts.set(person, { roles: roles ?? [], isDisabled: false, hasPassword: false });
    else if (roles !== null) this.#give(person, roles);
    const givesRoles = known?.givesRoles ?? true;
    this.#identities.set(sub, { issuer, subject: sub, person, givesRoles, isConfigured });
    return this.#begin(person);
  }

  async invite(id: string, roles: readonly string[]): Promise<string | null> {
    if (this.#accounts.has(id) || nameProblem({ name: id, ways: [] }, this.#people) !== null) return null;
    this.#accounts.set(id, { roles, isDisabled: false, hasPassword: true });
    return this.#begin(id);
  }

  async change(id: string, roles: readonly string[]): Promise<boolean> {
    const account = this.#accounts.get(id);
    if (account !== undefined) account.roles = roles;
    return account !== undefined;
  }

  async join(id: string, sub: string): Promise<boolean> {
    if (!this.#accounts.has(id)) return false;
    const before = this.#identities.get(sub);
    const identity = { issuer, subject: sub };
    const configured = this.#people.find(({ subject }) => subject === sub) ?? null;
    const decision = decideJoin({ id, identity, configured, ways: this.#waysOf(id) });
    if (decision.kind === "refuse") return false;
    const { givesRoles, roles } = decision;
    if (before?.person === id && (before.givesRoles || !givesRoles)) return true;
    this.#identities.set(sub, { ...identity, person: id, givesRoles, isConfigured: givesRoles });
    if (roles !== null) this.#give(id, roles);
    if (before?.person === id) return true;
    const was = this.#accounts.get(before?.person ?? "");
    if (before === undefined || was === undefined) return true;
    if (before.givesRoles) this.#give(before.person, []);
    was.isDisabled ||= !was.hasPassword && this.#waysOf(before.person).length === 0;
    return true;
  }

  async rename(id: string, to: string): Promise<boolean> {
    const account = this.#accounts.get(id);
    if (account === undefined || this.#accounts.has(to)) return false;
    if (nameProblem({ name: to, ways: this.#waysOf(id) }, this.#people) !== null) return false;
    this.#accounts.delete(id);
    this.#accounts.set(to, account);
    for (const way of this.#waysOf(id)) this.#identities.set(way.subject, { ...way, person: to });
    this.#endSessions(id);
    return true;
  }

  async look(): Promise<SeenWorld> {
    const ways = [...this.#identities.values()].map(({ subject, person }) => [`at issuer ${subject}`, person] as const);
    const named = [...this.#accounts]
      .filter(([, { hasPassword }]) => hasPassword)
      .map(([id]) => [`by password ${id}`, id] as const);
    const sessions = [...this.#sessions].flatMap(([session, person]) => {
      const account = this.#accounts.get(person);
      return account?.isDisabled === false ? [[session, { person, roles: account.roles }] as const] : [];
    });
    return { sessions: new Map(sessions), accounts: new Map([...ways, ...named]) };
  }

  #begin(person: string): string {
    this.#begun += 1;
    this.#sessions.set(`${this.#begun}`, person);
    return `${this.#begun}`;
  }

  #give(person: string, roles: readonly string[]): void {
    const account = this.#accounts.get(person);
    if (account !== undefined) account.roles = roles;
    if (roles.length === 0) this.#endSessions(person);
  }

  #endSessions(person: string): void {
    for (const [session, each] of this.#sessions) if (each === person) this.#sessions.delete(session);
  }

  #waysOf(person: string): readonly HeldIdentity[] {
    return [...this.#identities.values()].filter((each) => each.person === person);
  }
}

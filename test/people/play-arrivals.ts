import type { ArrivalStep, StoryPerson } from "./story-of.ts";

/** What a story happens in. Whoever is refused is null. */
export interface ArrivalWorld {
  configure(people: readonly StoryPerson[]): Promise<void>;
  /** Gives a session for whom the issuer has named. */
  arrive(who: {
    readonly sub: string;
    readonly name: string | null;
    readonly groups: readonly string[];
  }): Promise<string | null>;
  /** An admin adds somebody, who chooses a password and signs in. */
  invite(id: string, roles: readonly string[]): Promise<string | null>;
  /** An admin's doings. False where they are refused. */
  change(id: string, roles: readonly string[]): Promise<boolean>;
  join(id: string, sub: string): Promise<boolean>;
  rename(id: string, to: string): Promise<boolean>;
  look(): Promise<SeenWorld>;
}

export interface SeenWorld {
  /** Those that go on. */
  readonly sessions: ReadonlyMap<string, { readonly person: string; readonly roles: readonly string[] }>;
  /** Whose account an identity's is: `s1`, and `name` of a password. */
  readonly accounts: ReadonlyMap<string, string>;
}

/** What was given to one identity, or to those that an admin said are one person. */
interface Given {
  readonly roles: Set<string>;
}

/** Plays a story, and gives what went wrong in it: an oracle beside the world keeps who was given what. */
export async function playArrivals(world: ArrivalWorld, story: readonly ArrivalStep[]): Promise<readonly string[]> {
  const oracle = new ArrivalOracle();
  for (const [n, step] of story.entries()) {
    const before = await world.look();
    await oracle.take(world, step, before);
    const wrong = oracle.wrongIn(await world.look(), before, step);
    if (wrong.length > 0) return wrong.map((each) => `step ${n + 1} of ${JSON.stringify(story)}: ${each}`);
  }
  return [];
}

class ArrivalOracle {
  readonly #given = new Map<string, Given>();
  readonly #sessions = new Map<string, string>();
  #configured: readonly StoryPerson[] = [];
  #withoutRole: string | null = null;
  /** Those that an admin joined to an account. */
  readonly #joined = new Set<string>();
  readonly #wrong: string[] = [];

  async take(world: ArrivalWorld, step: ArrivalStep, { accounts }: SeenWorld): Promise<void> {
    this.#withoutRole = null;
    switch (step.does) {
      case "configure":
        this.#configured = step.people;
        for (const { sub, roles } of step.people) this.#give(`at issuer ${sub}`, roles);
        return world.configure(step.people);
      case "arrive":
        return this.#arrive(world, step);
      case "invite": {
        const key = `by password ${step.id}`;
        const session = await world.invite(step.id, step.roles);
        if (session === null) return;
        // A name that was freed is somebody else's now.
        this.#given.set(key, { roles: new Set(step.roles) });
        this.#sessions.set(session, key);
        return;
      }
      case "change":
        if (await world.change(step.id, step.roles))
          for (const [key, id] of accounts) if (id === step.id) this.#give(key, step.roles);
        return;
      case "join":
        return this.#join(world, step, accounts);
      case "rename":
        if (await world.rename(step.id, step.to)) this.#rename(step.id, step.to);
    }
  }

  async #arrive(world: ArrivalWorld, step: Extract<ArrivalStep, { does: "arrive" }>): Promise<void> {
    const key = `at issuer ${step.sub}`;
    this.#give(
      key,
      step.groups.filter((group) => group === "ops"),
    );
    const session = await world.arrive(step);
    if (session !== null) this.#sessions.set(session, key);
    else if (!step.groups.includes("ops")) this.#withoutRole = key;
  }

  /** What the configuration gives to one is not given to another who has the account of its name by their own right. */
  async #join(
    world: ArrivalWorld,
    { id, sub }: Extract<ArrivalStep, { does: "join" }>,
    accounts: SeenWorld["accounts"],
  ) {
    const key = `at issuer ${sub}`;
    const owner = keysOf(accounts, id).find((each) => each.startsWith("at issuer") && !this.#joined.has(each));
    if (!(await world.join(id, sub))) return;
    const isNamed = this.#configured.some((one) => one.id === id && one.sub === sub);
    if (isNamed && owner !== undefined && owner !== key) this.#wrong.push(`${key} was joined to ${owner} as ${id}`);
    if (accounts.get(key) !== id) this.#joined.add(key);
    this.#unite(key, keysOf(accounts, id));
  }

  wrongIn({ sessions, accounts }: SeenWorld, before: SeenWorld, step: ArrivalStep): string[] {
    const wrong = this.#wrong.splice(0);
    for (const [session, { person, roles }] of sessions) {
      const key = this.#sessions.get(session) ?? "nobody";
      const more = roles.filter((role) => !this.#given.get(key)?.roles.has(role));
      if (more.length > 0) wrong.push(`${key} is ${more.join()} as ${person}, which nobody gave to them`);
      if (key === this.#withoutRole && roles.length > 0 && this.#hasOneWayIn(key, accounts))
        wrong.push(`${key} was refused and goes on as ${roles.join()}`);
    }
    for (const id of new Set(accounts.values())) {
      const people = new Set(keysOf(accounts, id).map((key) => this.#given.get(key)));
      if (people.size > 1) wrong.push(`${keysOf(accounts, id).join(" and ")} are both ${id}`);
    }
    return step.does === "arrive" ? [...wrong, ...this.#wrongNames(accounts, before)] : wrong;
  }

  #hasOneWayIn(key: string, accounts: SeenWorld["accounts"]): boolean {
    return keysOf(accounts, accounts.get(key) ?? "").length === 1;
  }

  /** A name of the configuration is never given to somebody else. */
  #wrongNames(accounts: SeenWorld["accounts"], before: SeenWorld): string[] {
    return [...accounts]
      .filter(([key]) => !before.accounts.has(key))
      .filter(([key, id]) => this.#configured.some((one) => one.id === id && key !== `at issuer ${one.sub}`))
      .map(([key, id]) => `${key} was given the name ${id} of the configuration`);
  }

  #give(key: string, roles: readonly string[]): void {
    const given = this.#given.get(key) ?? { roles: new Set() };
    for (const role of roles) given.roles.add(role);
    this.#given.set(key, given);
  }

  #unite(key: string, others: readonly string[]): void {
    const all = [key, ...others].map((each) => this.#given.get(each)).filter((each) => each !== undefined);
    const united = { roles: new Set(all.flatMap(({ roles }) => [...roles])) };
    for (const [each, given] of this.#given) if (all.includes(given)) this.#given.set(each, united);
    this.#given.set(key, united);
  }

  #rename(id: string, to: string): void {
    const [from, key] = [`by password ${id}`, `by password ${to}`];
    const given = this.#given.get(from);
    if (given === undefined) return;
    this.#given.delete(from);
    this.#given.set(key, given);
    for (const [session, each] of this.#sessions) if (each === from) this.#sessions.set(session, key);
  }
}

function keysOf(accounts: SeenWorld["accounts"], id: string): string[] {
  return [...accounts].filter(([, each]) => each === id).map(([key]) => key);
}

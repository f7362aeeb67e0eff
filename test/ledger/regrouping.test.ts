import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { readId } from "../../src/domain/ids.ts";
import { readGroupChanges } from "../../src/ledger/group-changes.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { moveLetters } from "../../src/ledger/move-letters.ts";
import { type Grouping, groupingOf } from "../../src/office/grouping/grouping.ts";
import { type RegroupRequest, regroup } from "../../src/office/grouping/regroup.ts";
import { standingRegrouping } from "../../src/office/grouping/standing-regrouping.ts";
import type { Call } from "../../src/office/operations/operations.ts";
import { systemHost } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { noFacts } from "../../src/triage/conditions/letter-facts.ts";
import { callsOn } from "../policy/office.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { arrive, dyingAfter, type Failure } from "./grouped-letters.ts";
import { tester } from "./letters.ts";

const { clock } = systemHost;
const flux = (n: number): Failure => ({
  message: `flux of coil ${n} inverted`,
  body: { tenant: n % 2 ? "acme" : "umbra" },
});
const heat = (n: number): Failure => ({ message: `coil ${n} melted`, body: { tenant: "acme" } });

onEachDatabase("merging and splitting groups", (tested) => {
  let ledger: Ledger;
  let call: Call;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database, schema: `groups_${tested.name.toLowerCase()}` });
    call = callsOn(ledger);
  });

  const move = (more: Partial<RegroupRequest> = {}, of: Ledger = ledger) =>
    regroup(
      { ledger: of, bodies: null, clock },
      { actor: tester, signal: new AbortController().signal, batch: 2, ...more },
    );
  const groupOf = async (id: string) => (await call("letters.get", tester, { id })).group;
  const found = async (group: string) => (await call("letters.list", tester, { q: `group:${group}` })).items.length;

  /** Two groups of a queue of their own: three letters of flux, two of heat. */
  async function twoGroups(): Promise<{ queue: string; fluxes: string; heats: string; letters: readonly string[] }> {
    const queue = `coils-${crypto.randomUUID()}`;
    const failures = [flux(1), flux(2), flux(3), heat(1), heat(2)].map((failure) => ({ ...failure, queue }));
    const letters = await arrive(ledger, failures);
    return { queue, fluxes: await groupOf(letters[0] ?? ""), heats: await groupOf(letters[3] ?? ""), letters };
  }

  it("says first how many letters would move, and changes nothing by that", async () => {
    const { fluxes, heats } = await twoGroups();
    expect(await call("groups.preview", tester, { id: heats, into: fluxes })).toMatchObject({ moving: 2, letters: 2 });
    const split = await call("groups.preview", tester, { id: fluxes, when: 'body.tenant == "acme"' });
    expect(split).toMatchObject({
      looked: 3,
      letters: 3,
      moving: 2,
      examples: [expect.any(String), expect.any(String)],
    });
    expect(await call("groups.get", tester, { id: fluxes })).toMatchObject({ open: 3, mergedFrom: [] });
    await expect(call("groups.preview", tester, { id: fluxes })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });

  it("merges at once for whoever looks, moves letters then, and places what comes later", async () => {
    const { queue, fluxes, heats, letters } = await twoGroups();
    const merged = await call("groups.merge", tester, { id: heats, into: fluxes, reason: "both are the pump" });
    expect(merged).toMatchObject({ kind: "merge", group: heats, into: fluxes, by: "tester" });

    const whole = { id: fluxes, open: 5, total: 5, mergedFrom: [heats] };
    expect(await call("groups.get", tester, { id: heats })).toMatchObject(whole);
    const { items } = await call("groups.list", tester, { q: `queue:${queue}` });
    expect(items).toMatchObject([whole]);
    expect(items[0]?.hours.at(-1)).toBe(5);
    expect([await found(fluxes), await found(heats)]).toEqual([5, 5]);
    expect(await groupOf(letters[3] ?? "")).toBe(heats);

    expect(await move()).toEqual({ moved: 2, isComplete: true });
    expect(await groupOf(letters[3] ?? "")).toBe(fluxes);
    expect(await call("groups.get", tester, { id: heats })).toMatchObject(whole);
    expect([await found(fluxes), await found(heats)]).toEqual([5, 5]);

    const [later = ""] = await arrive(ledger, [{ ...heat(3), queue }]);
    expect(await groupOf(later)).toBe(fluxes);
    expect(await move()).toEqual({ moved: 0, isComplete: true });
    expect((await call("audit.verify", tester, {})).problem).toBeNull();
  });

  it("splits by a condition, and places what comes later by it", async () => {
    const { queue, fluxes, letters } = await twoGroups();
    const { into } = await call("groups.split", tester, { id: fluxes, when: 'body.tenant == "acme"' });
    await move();
    expect(await Promise.all(letters.slice(0, 3).map(groupOf))).toEqual([into, fluxes, into]);
    expect(await call("groups.get", tester, { id: into })).toMatchObject({ open: 2, total: 2, queue });
    expect(await call("groups.get", tester, { id: fluxes })).toMatchObject({ open: 1, total: 1 });
    const later = await arrive(
      ledger,
      [flux(5), flux(6)].map((failure) => ({ ...failure, queue })),
    );
    expect(await Promise.all(later.map(groupOf))).toEqual([into, fluxes]);
  });

  it("takes either back by a later version, and tells all of it", async () => {
    const { fluxes, heats, letters } = await twoGroups();
    const { version } = await call("groups.merge", tester, { id: heats, into: fluxes });
    const { into } = await call("groups.split", tester, { id: fluxes, when: 'body.tenant == "acme"', title: "Acme" });
    await move();
    expect(await groupOf(letters[3] ?? "")).toBe(into);
    const undone = await call("groups.undo", tester, { version, reason: "it was not the pump" });
    expect(undone).toMatchObject({ kind: "undo", undoes: version });
    await move();
    expect(await Promise.all(letters.map(groupOf))).toEqual([into, fluxes, into, heats, heats]);
    expect(await call("groups.get", tester, { id: heats })).toMatchObject({ open: 2, mergedFrom: [] });

    const { items, isMoving } = await call("groups.history", tester, { group: fluxes });
    expect(isMoving).toBe(false);
    expect(items).toMatchObject([
      { kind: "undo", undoes: version, reason: "it was not the pump" },
      { kind: "split", when: 'body.tenant == "acme"', inForce: true },
      { kind: "merge", version, inForce: false },
    ]);
    await expect(call("groups.undo", tester, { version })).rejects.toMatchObject({ code: "GROUPS_CHANGED" });
    await expect(call("groups.undo", tester, { version: 999 })).rejects.toMatchObject({
      code: "GROUP_CHANGE_NOT_FOUND",
    });
  });

  it("splits by nothing that is masked: who is in which group would tell it", async () => {
    const queue = `coils-${crypto.randomUUID()}`;
    const card = "4111 1111 1111 1111";
    const failure = { ...flux(1), queue, body: { tenant: "acme", card } };
    const [first = ""] = await arrive(ledger, [failure]);
    const group = await groupOf(first);
    const { into: guessed } = await call("groups.split", tester, { id: group, when: `body.card == "${card}"` });
    await move();
    const [second = ""] = await arrive(ledger, [failure]);
    expect([await groupOf(first), await groupOf(second)]).toEqual([group, group]);
    expect(await found(guessed)).toBe(0);
    const { into } = await call("groups.split", tester, {
      id: group,
      when: `body.tenant == "acme" && body.card != ""`,
    });
    await move();
    const [third = ""] = await arrive(ledger, [failure]);
    expect([await groupOf(first), await groupOf(third)]).toEqual([into, into]);
  });

  it("refuses what cannot be: one group with itself, groups of two queues, a condition that does not hold together", async () => {
    const [one, other] = [await twoGroups(), await twoGroups()];
    await call("groups.merge", tester, { id: one.heats, into: one.fluxes });
    const refusals = [
      [{ id: one.fluxes, into: one.heats }, "one group already"],
      [{ id: one.fluxes, into: other.fluxes }, "a group is of one queue"],
    ] as const;
    for (const [input, message] of refusals) await expect(call("groups.merge", tester, input)).rejects.toThrow(message);
    const misspelt = call("groups.split", tester, { id: one.fluxes, when: "letter.queu == 'a'" });
    await expect(misspelt).rejects.toThrow("did you mean `queue`?");
    const viewer = { ...tester, roles: ["viewer"] as const };
    await expect(call("groups.merge", viewer, { id: other.heats, into: other.fluxes })).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
    await move();
  });

  it("moves what a writer placed that had not heard of the change, also after all seemed done", async () => {
    const { queue, fluxes, heats } = await twoGroups();
    const unaware = groupingOf(await readGroupChanges(ledger, ledger.database));
    await call("groups.merge", tester, { id: heats, into: fluxes });
    await move();
    const [late = ""] = await arrive(ledger, [{ ...heat(9), queue }], async () => unaware);
    expect(await groupOf(late)).toBe(heats);
    expect(await found(fluxes)).toBe(6);
    expect(await move()).toEqual({ moved: 1, isComplete: true });
    expect(await groupOf(late)).toBe(fluxes);
  });

  it.runIf(tested.name === "PostgreSQL")(
    "waits for writers that began before the change, but not for ever",
    async () => {
      const { fluxes, heats } = await twoGroups();
      let end = () => {};
      const writer = new Promise<void>((begun, failed) => {
        const work = tested.database.transaction(async (transaction) => {
          await transaction.query("select pg_current_xact_id()");
          begun();
          await new Promise<void>((resolve) => {
            end = resolve;
          });
        });
        work.catch(failed);
      });
      await writer;
      await call("groups.merge", tester, { id: heats, into: fluxes });
      expect(await move({ patienceMs: 100 })).toEqual({ moved: 2, isComplete: false });
      expect((await call("groups.history", tester, {})).isMoving).toBe(true);
      end();
      expect(await move()).toEqual({ moved: 0, isComplete: true });
    },
  );

  it("is followed by itself in an office that runs", async () => {
    const { fluxes, heats, letters } = await twoGroups();
    const standing = standingRegrouping({ ledger, bodies: null, clock }, tester);
    await call("groups.merge", tester, { id: heats, into: fluxes });
    await eventually(async () => expect(await groupOf(letters[4] ?? "")).toBe(fluxes), { withinMs: 120_000 });
    await standing.close();
  });

  describe("whatever is merged, split, taken back, arrives and dies in between", () => {
    it("leaves every letter where the changes want it, and every counter as a recount has it", {
      timeout: 240_000,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 12 }), (steps) => livesThrough(steps)),
        { numRuns: tested.name === "PGlite" ? 6 : 12 },
      );
    });

    const anyStep = fc.oneof(
      fc.record({ do: fc.constant("arrive" as const), n: fc.nat(5), isStale: fc.boolean() }),
      fc.record({ do: fc.constant("merge" as const), a: fc.nat(9), b: fc.nat(9) }),
      fc.record({ do: fc.constant("split" as const), a: fc.nat(9), tenant: fc.constantFrom("acme", "umbra") }),
      fc.record({ do: fc.constant("undo" as const), a: fc.nat(9) }),
      fc.record({ do: fc.constant("drop" as const), a: fc.nat(20) }),
      fc.record({ do: fc.constant("move" as const), dies: fc.nat(12) }),
    );
    type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

    async function livesThrough(steps: readonly Step[]): Promise<void> {
      const { queue, letters: first } = await twoGroups();
      const letters = [...first];
      const versions: number[] = [];
      const groups = async () => (await call("groups.list", tester, { q: `queue:${queue}` })).items.map(({ id }) => id);
      let stale: Grouping = groupingOf(await readGroupChanges(ledger, ledger.database));
      const tryTo = async (ask: () => Promise<{ readonly version: number }>) => {
        stale = groupingOf(await readGroupChanges(ledger, ledger.database));
        const done = await ask().catch(() => null);
        if (done !== null) versions.push(done.version);
      };
      for (const step of steps) {
        const known = await groups();
        const pick = (n: number) => known[n % known.length] ?? "";
        if (step.do === "arrive") {
          const failures = [flux(step.n), heat(step.n)].map((failure) => ({ ...failure, queue }));
          letters.push(...(await arrive(ledger, failures, step.isStale ? async () => stale : undefined)));
        }
        if (step.do === "merge")
          await tryTo(() => call("groups.merge", tester, { id: pick(step.a), into: pick(step.b) }));
        if (step.do === "split") {
          await tryTo(() =>
            call("groups.split", tester, { id: pick(step.a), when: `body.tenant == "${step.tenant}"` }),
          );
        }
        if (step.do === "undo" && versions.length > 0) {
          const version = versions[step.a % versions.length] ?? 0;
          await tryTo(() => call("groups.undo", tester, { version }));
        }
        if (step.do === "drop") {
          const ids = [readId("letter", letters[step.a % letters.length] ?? "")];
          await moveLetters(ledger, ledger.database, { ids, from: ["open"], to: "dropped" });
        }
        if (step.do === "move")
          await move({}, { ...ledger, database: dyingAfter(ledger.database, step.dies) }).catch(() => {});
      }
      expect(await move()).toMatchObject({ isComplete: true });
      await expectEverythingRight(queue);
    }

    async function expectEverythingRight(queue: string): Promise<void> {
      const { database, at } = ledger;
      await call("groups.list", tester, {});
      const { rows: letters } = await database.query<{
        group_id: string;
        natural: string;
        body: Uint8Array;
        state: string;
      }>(
        `select l.group_id, n.id as natural, b.body, l.state from ${at}.letters l join ${at}.bodies b on b.letter_id = l.id
         join ${at}.groups n on n.source = l.source and n.queue = l.queue and n.fingerprint = l.fingerprint
           and not exists (select from ${at}.group_changes c where c.kind = 'split' and c.into_group_id = n.id)
         where l.queue = $1`,
        [queue],
      );
      const grouping = groupingOf(await readGroupChanges(ledger, database));
      for (const { group_id: group, natural, body } of letters) {
        const facts = { ...noFacts, body: Buffer.from(body).toString() };
        expect(group).toBe(grouping.place(natural, () => facts));
      }
      const { rows: wrong } = await database.query(
        `select g.id, g.open, g.total, r.open as counted_open, r.total as counted_total, h.n as hours from ${at}.groups g
         left join lateral (select count(*) as total, count(*) filter (where ${at}.is_open(l.state)) as open
           from ${at}.letters l where l.group_id = g.id) r on true
         left join lateral (select coalesce(sum(n), 0) as n from ${at}.group_hours h where h.group_id = g.id) h on true
         where g.queue = $1 and (g.open <> r.open or g.total <> r.total or h.n <> r.total)`,
        [queue],
      );
      expect(wrong).toEqual([]);
      const { counts } = await call("queues.list", tester, {});
      for (const state of ["open", "dropped"]) {
        const counted = counts.filter((each) => each.queue === queue && each.state === state);
        const there = letters.filter((letter) => letter.state === state).length;
        expect(counted.reduce((sum, { n }) => sum + n, 0)).toBe(there);
      }
    }
  });
});

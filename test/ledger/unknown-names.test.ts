import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import type { Actor } from "../../src/domain/actor.ts";
import { isOfficeError } from "../../src/domain/errors.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import type { Operation } from "../../src/office/operations/operation.ts";
import { type Call, operations } from "../../src/office/operations/operations.ts";
import { callsOn } from "../policy/office.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { arrive } from "./grouped-letters.ts";
import { tester } from "./letters.ts";

const reason = "only a test";
const agent: Actor = { id: "bot-1", roles: ["operator"], kind: "agent" };
const scoped: Actor = {
  ...{ id: "olga", roles: ["operator"], kind: "human" },
  grants: [{ is: "operator", queues: ["rabbit/orders*"], reveals: false }],
};

/** Operations that select letters by a search, with what else each needs. */
const selecting = {
  "letters.drop": { reason },
  "letters.reopen": { reason },
  "letters.classify": { reason, category: "transient" },
  "letters.compensate": { reason },
  "letters.giveBack": { reason },
  "letters.escalate": { reason },
  "letters.tag": { tags: ["later"] },
  "letters.untag": { tags: ["later"] },
  "replays.plan": { name: "by hand" },
} as const;

/** What takes a search and selects nothing: it lists, counts, exports or keeps it. */
const looking = [
  ...["letters.list", "letters.count", "letters.facets", "letters.searchMasked", "letters.export", "groups.list"],
  ...["views.save", "views.share"],
];

/** What is searched for, and the names that nothing has, each with what may have been meant. */
const searches: readonly (readonly [q: string, names: readonly string[]])[] = [
  ["-tag:hlod", ["tag:hlod (tag:hold)"]],
  ["queue:orders NOT (tag:hlod OR queue:order)", ["tag:hlod (tag:hold)", "queue:order (queue:orders)"]],
  ["-queue:order*,typo", ["queue:typo"]],
  ["-owner:treasuri -assignee:treasuri", ["owner:treasuri (owner:treasury)", "assignee:treasuri (assignee:treasury)"]],
  ["-owner:paymants", ["owner:paymants (owner:payments)"]],
  ["-class:CoilEror -consumer:nobody", ["class:CoilEror (class:CoilError)", "consumer:nobody"]],
  ['-"no such words" -nonesuch', ['"no such words"', "nonesuch"]],
  ["-error:melded", ["error:melded"]],
  ["queue:orders -header.x-hold:1 -body.hold:yes", ["header.x-hold:1", "body.hold:yes"]],
  ["-group:grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", ["group:grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H"]],
  ["-tag:h*d -queue:ORDERS -key:none-7", ["key:none-7"]],
  ["--tag:hlod tag:hlod", ["tag:hlod (tag:hold)"]],
  ["-has:edit -category:poison -attempts:>900 -is:mine -assignee:me -age:>900d", []],
  ["-tag:hold -queue:wages -owner:treasury -melted", []],
];

function takes(input: Operation["input"], field: string): boolean {
  return input instanceof z.ZodObject && field in input.shape;
}

onEachDatabase("a name that nothing has", (tested) => {
  let ledger: Ledger;
  let call: Call;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database, schema: `names_${tested.name.toLowerCase()}` });
    call = callsOn(ledger);
    const letters = await arrive(ledger, [
      { message: "flux of coil 1 inverted", queue: "orders" },
      { message: "coil 2 melted", queue: "orders" },
      { message: "wages went missing", queue: "wages" },
    ]);
    await call("letters.tag", tester, { letters: letters.slice(0, 1), tags: ["hold"] });
    const { group } = await call("letters.get", tester, { id: letters[2] ?? "" });
    await call("groups.assign", tester, { id: group, to: "treasury" });
    await call("groups.tag", tester, { id: group, tags: ["secret"] });
  });

  const warned = async (q: string, actor = tester) => {
    const { warnings } = await call("letters.list", actor, { q });
    expect((await call("letters.count", actor, { q })).warnings).toEqual(warnings);
    expect((await call("groups.list", actor, { q })).warnings).toEqual(warnings);
    return warnings.map(({ name, nearest }) => (nearest === null ? name : `${name} (${nearest})`));
  };

  it.each(searches)("is a warning of a search that leaves it out: %s", async (q, names) => {
    expect(await warned(q)).toEqual(names);
  });

  it.each([
    ["queue:ordrs", "queue:ordrs", "queue:orders"],
    ["tag:hlod", "tag:hlod", "tag:hold"],
    ["queue:wages tag:hlod", "tag:hlod", "tag:hold"],
  ])("is guessed at where a search asks for it and finds nothing: %s", async (q, name, nearest) => {
    const { items, warnings } = await call("letters.list", tester, { q });
    expect([items, warnings]).toEqual([
      [],
      [
        {
          ...{ code: "query.unknown_name", name, nearest },
          sentence: `Nothing was found with ${name}. Did you mean ${nearest}?`,
        },
      ],
    ]);
    expect((await call("letters.list", tester, { q: nearest })).warnings).toEqual([]);
  });

  it("says so in words", async () => {
    const { warnings } = await call("letters.list", tester, { q: "-tag:hlod" });
    expect(warnings[0]?.sentence).toBe(
      "No letter has tag:hlod, so leaving it out changes nothing. Did you mean tag:hold?",
    );
  });

  it.each(Object.keys(selecting) as (keyof typeof selecting)[])(
    "is confirmed by name before %s selects anything",
    async (name) => {
      const ask = (confirmUnknown: string[], actor = tester) =>
        // Each of them takes this; the compiler sees their union.
        call(name as "letters.drop", actor, {
          ...selecting[name],
          q: "queue:nothing-here -tag:hlod -Nonesuch",
          confirmUnknown,
        } as never);
      await expect(ask([])).rejects.toThrow("No letter has tag:hlod or Nonesuch");
      const hint =
        "Did you mean tag:hold? If it is meant, confirm it: --confirm-unknown tag:hlod --confirm-unknown Nonesuch (confirmUnknown over HTTP).";
      await expect(ask([])).rejects.toMatchObject({ code: "UNKNOWN_NAME", details: { hint } });
      await expect(ask(["tag:hlod"])).rejects.toMatchObject({ code: "UNKNOWN_NAME", details: { names: ["Nonesuch"] } });
      await expect(ask(["tag:hold", "*"])).rejects.toMatchObject({ code: "UNKNOWN_NAME" });
      // Confirmed, it goes on: and finds that nothing matches, or plans nothing.
      const outcome = await ask(['TAG:"hlod"', "nonesuch"]).catch((error: unknown) => error);
      expect(isOfficeError(outcome, "LETTER_NOT_FOUND") || !(outcome instanceof Error)).toBe(true);
    },
  );

  it("is confirmed by agents too", async () => {
    const q = "queue:orders -tag:hlod";
    await expect(call("replays.plan", agent, { q })).rejects.toMatchObject({ code: "UNKNOWN_NAME" });
    expect((await call("replays.plan", agent, { q, confirmUnknown: ["tag:hlod"] })).counts.selected).toBe(2);
  });

  it("changes nothing where it is not confirmed", async () => {
    const q = "queue:orders -tag:hlod";
    await expect(call("letters.drop", tester, { q, reason, expectCount: 2 })).rejects.toMatchObject({
      code: "UNKNOWN_NAME",
    });
    expect((await call("letters.count", tester, { q: "queue:orders is:open" })).n).toBe(2);
  });

  it("is what lies outside somebody's queues, too, and nothing there is suggested", async () => {
    for (const q of [
      "-queue:wages",
      "-tag:secret",
      "-owner:treasury",
      "-wages",
      "-queue:wage",
      "-tag:secre",
      "-owner:treasur",
    ])
      expect(await warned(q, scoped)).toEqual([q.slice(1)]);
    expect(await warned("-queue:wages -tag:secret")).toEqual([]);
    expect(await warned("-tag:hlod", scoped)).toEqual(["tag:hlod (tag:hold)"]);
    await expect(call("letters.drop", scoped, { q: "-queue:wages", reason })).rejects.toMatchObject({
      code: "UNKNOWN_NAME",
    });
  });

  it("is asked about by every operation that takes a search", () => {
    const taking = Object.entries<Operation>(operations).filter(([, { input }]) => takes(input, "q"));
    expect(taking.map(([name]) => name).sort()).toEqual([...Object.keys(selecting), ...looking].sort());
    const asking = taking.filter(([, { input }]) => takes(input, "confirmUnknown"));
    expect(asking.map(([name]) => name).sort()).toEqual(Object.keys(selecting).sort());
  });
});

import { beforeAll, expect, it } from "vitest";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import type { Call } from "../../src/office/operations/operations.ts";
import { arrive } from "../ledger/grouped-letters.ts";
import { tester } from "../ledger/letters.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { callsOn } from "./office.ts";

const flux = `version: 1
rules:
  - { id: flux, pattern: { message: "flux .* inverted" }, category: business_rule, why: Coils are looked at by hand. }`;

onEachDatabase("applying a policy", (tested) => {
  let ledger: Ledger;
  let call: Call;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
    call = callsOn(ledger);
  });

  const letterOf = (id: string) => call("letters.get", tester, { id });
  const countOf = async (category: string) => {
    await ledger.database.query(`select ${ledger.at}.fold_counters(10000)`);
    const { counts } = await call("queues.list", tester, {});
    return counts
      .filter((each) => each.category === category && each.queue === "coils")
      .reduce((sum, { n }) => sum + n, 0);
  };

  it("is tried first: which letters would move, by group, and which would go back otherwise", async () => {
    const [first] = await arrive(ledger, [
      { message: "flux of coil 1 inverted" },
      { message: "flux of coil 2 inverted" },
      { message: "gone with the wind" },
    ]);
    const effect = await call("policy.preview", tester, { text: flux });
    expect(effect).toMatchObject({
      letters: 3,
      moves: [
        { from: "unknown", to: "business_rule", n: 2, groups: [{ n: 2 }], examples: [first, expect.any(String)] },
      ],
      replay: [{ from: "never", to: "single", n: 2 }],
      rules: [{ id: "flux", n: 2 }],
    });
    expect(effect.moves[0]?.groups[0]?.title).toContain("flux");
    expect((await letterOf(first ?? "")).category).toBe("unknown");
  });

  it("moves letters that are there, appends to their history, and leaves what they were on arrival", async () => {
    const [id = ""] = await arrive(ledger, [{ message: "flux of coil 3 inverted" }]);
    expect(await countOf("business_rule")).toBe(0);
    const applied = await call("policy.apply", tester, { text: flux, reason: "coils" });
    expect(applied).toMatchObject({ version: 1, isNew: true, moved: 3 });
    expect(await letterOf(id)).toMatchObject({
      ...{ category: "business_rule", was: "unknown", rule: "rule/flux", why: "Coils are looked at by hand." },
      classifications: [
        { n: 1, category: "unknown" },
        { n: 2, category: "business_rule", runnerUp: "unknown" },
      ],
    });
    expect(await countOf("business_rule")).toBe(3);
    const { group } = await letterOf(id);
    expect(await call("groups.get", tester, { id: group })).toMatchObject({ category: "business_rule" });
    expect((await call("audit.verify", tester, {})).problem).toBeNull();
  });

  it("makes no new version of what is in force, and moves nothing twice", async () => {
    const again = await call("policy.apply", tester, { text: `# a comment\n${flux}` });
    expect(again).toMatchObject({ version: 1, isNew: false, moved: 0 });
    expect((await call("policy.history", tester, {})).items).toMatchObject([{ version: 1, appliedBy: "tester" }]);
  });

  it("judges what comes in from then on, and says by which version", async () => {
    const [id = ""] = await arrive(ledger, [{ message: "flux of coil 4 inverted" }]);
    expect(await letterOf(id)).toMatchObject({ category: "business_rule", was: "business_rule", rule: "rule/flux" });
    const { rows } = await ledger.database.query<{ policy_version: number | null }>(
      `select policy_version from ${ledger.at}.classifications order by letter_id desc, n limit 1`,
    );
    expect(rows).toEqual([{ policy_version: 1 }]);
  });

  it("gives letters back to what is built in when their rule is gone", async () => {
    const { items } = await call("letters.list", tester, { q: "category:business_rule" });
    const applied = await call("policy.apply", tester, { text: "version: 1" });
    expect(applied).toMatchObject({ version: 2, moved: 4 });
    expect((await letterOf(items[0]?.id ?? "")).category).toBe("unknown");
  });

  it("leaves letters alone that somebody acted on", async () => {
    const [id = ""] = await arrive(ledger, [{ message: "flux of coil 5 inverted" }]);
    await ledger.database.query(
      `update ${ledger.at}.letters set state = 'dropped' where error_message like '%coil 5%'`,
    );
    await call("policy.apply", tester, { text: flux });
    expect((await letterOf(id)).category).toBe("unknown");
  });

  it("suggests rules for what is unknown, which catch it when they are applied", async () => {
    await arrive(
      ledger,
      [1, 2, 3, 4].map((n) => ({ message: `valve ${n} hums at ${n * 50} Hz` })),
    );
    const { suggestions } = await call("triage.suggest", tester, {});
    const [first] = suggestions.filter(({ pattern }) => pattern.message?.includes("hums"));
    expect(first).toMatchObject({ takes: 4 });
    const { id, pattern } = first ?? { id: "", pattern: {} };
    const text = JSON.stringify({ version: 1, rules: [{ id, pattern, category: "poison" }] });
    const { rules } = await call("policy.preview", tester, { text });
    expect(rules).toEqual([{ id, n: 4 }]);
  });

  it("suggests no rule with a secret in it, and one that catches its letters all the same", async () => {
    await arrive(
      ledger,
      [1, 2, 3].map((n) => ({ message: `gauge ${n} moaned Basic dXNlcjpwYXNzd29yZA== and hissed` })),
    );
    const { suggestions } = await call("triage.suggest", tester, {});
    const [first] = suggestions.filter(({ pattern }) => pattern.message?.includes("hissed"));
    expect(first).toMatchObject({ takes: 3 });
    expect(JSON.stringify(first)).not.toMatch(/dxnlcjpwyxnzd29yza/i);
    const text = JSON.stringify({ version: 1, rules: [{ id: "gauge", pattern: first?.pattern, category: "poison" }] });
    expect((await call("policy.preview", tester, { text })).rules).toEqual([{ id: "gauge", n: 3 }]);
  });

  it("says what it would change, in rules, protocols and overrides", async () => {
    const text = `${flux}\nprotocols: { transient: { rate: 5 } }`;
    expect(await call("policy.diff", tester, { text })).toMatchObject({
      ...{ against: 3, isSame: false },
      changes: { rules: { added: [] }, protocols: [{ category: "transient", key: "rate", from: "20", to: "5" }] },
    });
    expect(await call("policy.diff", tester, { text, version: 2 })).toMatchObject({
      changes: { rules: { added: ["flux"] } },
    });
    await expect(call("policy.diff", tester, { text, version: 9 })).rejects.toMatchObject({ code: "POLICY_NOT_FOUND" });
  });

  it("is for admins, and refuses what is not a policy with its line", async () => {
    const operator = { ...tester, roles: ["operator"] as const };
    await expect(call("policy.apply", operator, { text: flux })).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await expect(call("policy.apply", tester, { text: "version: 2", file: "p.yaml" })).rejects.toThrow("p.yaml:1:");
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { insertPolicyVersion, latestPolicyVersion } from "../../src/ledger/policy-versions.ts";
import { readReplay } from "../../src/ledger/read-replay.ts";
import { policyKeeper, policyReader } from "../../src/office/policy/policy-in-force.ts";
import { defaultPolicy } from "../../src/policy-file/default-policy.ts";
import { parsePolicy } from "../../src/policy-file/policy-file.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { holdLetters, itemsOf, planned, replayWorld, run, started } from "../replay/world.ts";
import { onEachDatabase } from "../servers/each-database.ts";

onEachDatabase("the policy in force", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  const quick = "protocols: { transient: { rate: 10000, settle: { min: 0s } } }";

  async function putInForce(text: string): Promise<number> {
    const version = (await latestPolicyVersion(ledger, ledger.database)) + 1;
    const { hash } = parsePolicy(text);
    await insertPolicyVersion(ledger, ledger.database, { version, hash, text, appliedBy: "ann" });
    return version;
  }

  it("is the default while nobody applied one", async () => {
    expect(await policyReader(ledger)()).toMatchObject({ version: null, hash: defaultPolicy().hash, rules: [] });
  });

  it("is known to whoever keeps it within a second", async () => {
    const clock = fakeClock();
    const keep = policyKeeper(ledger, clock);
    const before = await keep();
    const version = await putInForce("version: 1\n# one\nprotocols: { transient: { rate: 7 } }");
    expect(await keep()).toBe(before);
    await clock.advance(1_000);
    expect(await keep()).toMatchObject({ version });
  });

  it("cannot have a version that somebody else was quicker to take", async () => {
    const version = await latestPolicyVersion(ledger, ledger.database);
    const late = insertPolicyVersion(ledger, ledger.database, { version, hash: "ab", text: "", appliedBy: "bob" });
    await expect(late).rejects.toMatchObject({ code: "POLICY_CHANGED" });
  });

  describe("when letters are replayed", () => {
    const world = () => {
      const { parts, sent } = replayWorld(ledger);
      return { sent, parts: { ...parts, policy: policyReader(ledger) } };
    };

    it("is what the plan stores the hash of", async () => {
      const text = `version: 1\n${quick}`;
      await putInForce(text);
      const { parts } = world();
      const replay = await planned(parts, await holdLetters(ledger, ["a"]));
      const { policyHash } = await readReplay(ledger, ledger.database, { id: replay });
      expect(policyHash).toBe(parsePolicy(text).hash);
    });

    it("decides letter by letter, by its overrides", async () => {
      await putInForce(`version: 1\n${quick}
overrides:
  - { id: vip, when: 'body.customer == "vip"', deny: true }
  - { when: plan.n > 1, set: { rate: 3 } }`);
      const { parts } = world();
      const letters = await holdLetters(ledger, ['{"customer":"vip"}', '{"customer":"x"}']);
      const replay = await planned(parts, letters);
      const items = await itemsOf(parts, replay);
      expect(items.map(({ reason }) => reason)).toEqual(["policy.denied", "ready"]);
      expect((await readReplay(ledger, ledger.database, { id: replay })).limits.rate).toBe(3);
    });

    it("denies by a letter's own time to live, where an override says so", async () => {
      await putInForce(`version: 1\n${quick}
overrides:
  - { id: stale, when: letter.past_ttl, deny: true }
  - { id: soon, when: "letter.expires_at > 0 && letter.expires_at < 32503680000 && !letter.past_ttl", deny: true }`);
      const { parts } = world();
      const expiring = (at: number) => ({ "expires-at": new Date(at).toISOString() });
      const letters = [
        ...(await holdLetters(ledger, ["a"], expiring(Date.now() - 1_000))),
        ...(await holdLetters(ledger, ["b"], expiring(Date.now() + 3_600_000))),
        ...(await holdLetters(ledger, ["c"])),
      ];
      const items = await itemsOf(parts, await planned(parts, letters));
      expect(items.map(({ reason }) => reason)).toEqual(["policy.denied", "policy.denied", "ready"]);
    });

    it("is asked again when a letter is sent: what was allowed when it was planned may be denied by then", async () => {
      await putInForce(`version: 1\n${quick}`);
      const { parts, sent } = world();
      const replay = await planned(parts, await holdLetters(ledger, ["a", "b"]));
      await started(parts, replay);
      await putInForce(`version: 1\n${quick}\noverrides: [{ id: freeze, when: 'true', deny: true }]`);
      await run(parts, replay);
      expect(sent).toEqual([]);
      expect((await itemsOf(parts, replay)).map(({ markReason }) => markReason)).toEqual([
        "policy.denied",
        "policy.denied",
      ]);
    });
  });
});

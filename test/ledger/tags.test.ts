import { beforeAll, describe, expect, it } from "vitest";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { readAudit } from "../../src/ledger/read-audit.ts";
import { regroup } from "../../src/office/grouping/regroup.ts";
import type { Call } from "../../src/office/operations/operations.ts";
import { systemHost } from "../../src/system/host.ts";
import { callsOn } from "../policy/office.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { arrive } from "./grouped-letters.ts";
import { tester } from "./letters.ts";

const { clock } = systemHost;
const reason = "the customer disputes it";

onEachDatabase("tags", (tested) => {
  let ledger: Ledger;
  let call: Call;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database, schema: `tags_${tested.name.toLowerCase()}` });
    call = callsOn(ledger);
  });

  /** Letters of a queue of their own: two of one group, one of another. */
  async function held() {
    const queue = `coils-${crypto.randomUUID()}`;
    const messages = ["flux of coil 1 inverted", "flux of coil 2 inverted", "coil 3 melted"];
    const letters = await arrive(
      ledger,
      messages.map((message) => ({ message, queue })),
    );
    const groups = await Promise.all(letters.map(async (id) => (await call("letters.get", tester, { id })).group));
    const [flux = "", , heat = ""] = groups;
    return { queue, letters, flux, heat };
  }
  const found = async (q: string) =>
    (await call("letters.list", tester, { q, sort: "arrived" })).items.map(({ id }) => id);
  const audited = async () =>
    JSON.parse((await readAudit(ledger, { before: null, limit: 1 }))[0]?.text ?? "") as unknown;
  const moveAll = () =>
    regroup({ ledger, bodies: null, clock }, { actor: tester, signal: new AbortController().signal });

  it("keep letters out of a plan that leaves them out, and are in the log with who put them there", async () => {
    const { queue, letters } = await held();
    const [first = "", ...others] = letters;
    expect(await call("letters.tag", tester, { letters: [first], tags: ["Hold"], reason })).toEqual({
      ...{ letters: 1, changed: 1, tags: ["hold"] },
    });
    expect(await audited()).toMatchObject({ action: "letters.tagged", letters: [first], tags: ["hold"], reason });
    expect(await found(`queue:${queue} tag:HOLD`)).toEqual([first]);
    expect(await found(`queue:${queue} -tag:hold`)).toEqual(others);
    const { id } = await call("replays.plan", tester, { q: `queue:${queue} -tag:hold` });
    expect((await call("replays.items", tester, { id })).items.map(({ letter }) => letter)).toEqual(others);
    expect((await call("letters.get", tester, { id: first })).tags).toMatchObject([
      { tag: "hold", by: "tester", of: "letter" },
    ]);

    await call("letters.untag", tester, { letters: [first], tags: ["hold"] });
    expect(await audited()).toMatchObject({ action: "letters.untagged", letters: [first], tags: ["hold"] });
    expect(await found(`queue:${queue} -has:trace NOT tag:hold,legal`)).toEqual(letters);
  });

  it("are in the history of the letter that had them, its group's too, with who put them on and took them off", async () => {
    const { letters, flux } = await held();
    const [first = "", second = ""] = letters;
    await call("letters.tag", tester, { letters: [first], tags: ["legal", "Hold"], reason });
    await call("letters.tag", tester, { letters: letters.slice(0, 2), tags: ["hold"], expectCount: 2 });
    await call("groups.tag", tester, { id: flux, tags: ["coil"], reason: "all of them" });
    await call("letters.untag", tester, { letters: [first], tags: ["hold", "absent"], reason: "settled" });
    await call("groups.untag", tester, { id: flux, tags: ["coil"] });
    const changes = async (id: string) =>
      (await call("letters.get", tester, { id })).tagHistory.map(({ at, ...change }) => ({
        ...change,
        isRecent: Math.abs(Date.parse(at) - Date.now()) < 60_000,
      }));
    const ofAll = { by: "tester", isRecent: true };
    const ofGroup = [
      { ...ofAll, change: "tagged", tags: ["coil"], reason: "all of them", of: "group" },
      { ...ofAll, change: "untagged", tags: ["coil"], reason: null, of: "group" },
    ];
    expect(await changes(first)).toEqual([
      { ...ofAll, change: "tagged", tags: ["hold", "legal"], reason, of: "letter" },
      ofGroup[0],
      { ...ofAll, change: "untagged", tags: ["hold"], reason: "settled", of: "letter" },
      ofGroup[1],
    ]);
    expect(await changes(second)).toEqual([
      { ...ofAll, change: "tagged", tags: ["hold"], reason: null, of: "letter" },
      ...ofGroup,
    ]);
    expect(await changes(letters[2] ?? "")).toEqual([]);
  });

  it("are put on all that a search finds, as many as are expected, and on those only once", async () => {
    const { queue, letters } = await held();
    const q = `queue:${queue}`;
    await expect(call("letters.tag", tester, { q, tags: ["hold"] })).rejects.toMatchObject({ code: "PLAN_CHANGED" });
    await call("letters.tag", tester, { letters: letters.slice(0, 1), tags: ["hold"] });
    expect(await call("letters.tag", tester, { q, tags: ["hold"], expectCount: 3 })).toMatchObject({
      letters: 3,
      changed: 2,
    });
    const before = await audited();
    expect(await call("letters.tag", tester, { q, tags: ["hold"], expectCount: 3 })).toMatchObject({ changed: 0 });
    expect(await audited()).toEqual(before);
  });

  it.each([
    ["a b", "cannot be a tag"],
    ["-hold", "begins with a letter or a digit"],
    ["hold,legal", "cannot be a tag"],
    ["tag:*", "cannot be a tag"],
    ["", "cannot be a tag"],
    ["x".repeat(51), "50 characters at most"],
  ])("are refused with what they can be: %s", async (tag, why) => {
    const { letters, flux } = await held();
    await expect(call("letters.tag", tester, { letters: letters.slice(0, 1), tags: [tag] })).rejects.toThrow(why);
    await expect(call("groups.tag", tester, { id: flux, tags: [tag] })).rejects.toThrow(why);
  });

  it("are so many on a letter or a group and no more", async () => {
    const { letters, flux } = await held();
    const tags = Array.from({ length: 20 }, (_, n) => `t${n}`);
    await call("letters.tag", tester, { letters: [...letters], tags, expectCount: 3 });
    await call("groups.tag", tester, { id: flux, tags });
    const more = { tags: ["t20"], expectCount: 3 };
    await expect(call("letters.tag", tester, { letters: [...letters], ...more })).rejects.toThrow(
      "would have 21 tags, and 20 is the most",
    );
    await expect(call("groups.tag", tester, { id: flux, ...more })).rejects.toThrow("would have 21 tags");
    expect(await found("tag:t20")).toEqual([]);
  });

  describe("of a group", () => {
    it("are those of its letters, of what comes later too, and are in its history", async () => {
      const { queue, letters, flux } = await held();
      const tagged = await call("groups.tag", tester, { id: flux, tags: ["legal"], reason });
      expect(tagged).toMatchObject({ group: flux, changed: ["legal"], tags: [{ tag: "legal", by: "tester" }] });
      expect(await audited()).toMatchObject({ action: "groups.tagged", group: flux, tags: ["legal"], reason });
      const [later = ""] = await arrive(ledger, [{ message: "flux of coil 9 inverted", queue }]);
      expect(await found(`queue:${queue} tag:legal`)).toEqual([...letters.slice(0, 2), later]);
      expect(await found(`queue:${queue} -tag:legal`)).toEqual(letters.slice(2));
      expect((await call("letters.get", tester, { id: later })).tags).toMatchObject([{ tag: "legal", of: "group" }]);
      expect((await call("groups.get", tester, { id: flux })).tags).toMatchObject([{ tag: "legal" }]);
      const { items } = await call("groups.timeline", tester, { id: flux });
      expect(items[0]).toMatchObject({ by: "tester", sentence: "tagged it legal", text: reason });
      await call("groups.untag", tester, { id: flux, tags: ["legal"] });
      expect(await found(`queue:${queue} -tag:legal`)).toHaveLength(4);
    });

    it("stay with its letters when groups are merged, split and taken apart again", async () => {
      const { queue, letters, flux, heat } = await held();
      await call("groups.tag", tester, { id: flux, tags: ["hold"] });
      await call("groups.assign", tester, { id: flux, to: "payments-team" });
      const merged = await call("groups.merge", tester, { id: flux, into: heat });
      for (const move of [async () => {}, moveAll]) {
        await move();
        expect(await found(`queue:${queue} -tag:hold`)).toEqual([]);
        expect(await found(`queue:${queue} -owner:payments-team`)).toEqual([]);
        expect(await found(`queue:${queue} assignee:payments-team`)).toEqual(letters);
      }
      await call("groups.tag", tester, { id: heat, tags: ["legal"] });
      await call("groups.undo", tester, { version: merged.version });
      await moveAll();
      expect(await found(`queue:${queue} -tag:hold`)).toEqual(letters.slice(2));
      expect(await found(`queue:${queue} -tag:legal`)).toEqual([]);
      const split = await call("groups.split", tester, { id: flux, when: 'error.message.contains("coil 2")' });
      await moveAll();
      expect((await call("groups.get", tester, { id: split.into })).tags).toMatchObject([
        { tag: "hold" },
        { tag: "legal" },
      ]);
      expect(await found(`queue:${queue} -tag:hold`)).toEqual(letters.slice(2));
    });
  });

  it("are put by rules of the policy, on what comes and on what is there, with the rule in the log", async () => {
    const queue = `coils-${crypto.randomUUID()}`;
    const [before = ""] = await arrive(ledger, [{ message: "flux of coil 1 inverted", queue }]);
    const policy = (rules: string) => `version: 1\nrules:\n  - ${rules}`;
    const flux = `{ id: flux, when: 'letter.queue == "${queue}" && error.message.contains("flux")', category: poison, tags: [Hold, legal] }`;
    await call("policy.apply", tester, { text: policy(flux) });
    expect(await audited()).toMatchObject({
      action: "letters.tagged_by_rules",
      n: 1,
      first: before,
      tags: ["hold", "legal"],
    });
    expect((await call("letters.get", tester, { id: before })).tags).toMatchObject([
      { tag: "hold", by: "rule/flux", of: "letter" },
      { tag: "legal", by: "rule/flux", of: "letter" },
    ]);
    const [later = "", other = ""] = await arrive(ledger, [
      { message: "flux of coil 2 inverted", queue },
      { message: "coil 3 melted", queue },
    ]);
    expect(await audited()).toMatchObject({ action: "letters.held", tagged: { hold: 1, legal: 1 } });
    expect(await found(`queue:${queue} tag:hold`)).toEqual([before, later]);
    expect(await found(`queue:${queue} -tag:hold`)).toEqual([other]);

    // What a rule does not say any more stays on: a rule only ever puts tags on.
    await call("letters.untag", tester, { letters: [later], tags: ["hold"] });
    await call("policy.apply", tester, { text: policy(flux.replace("tags: [Hold, legal]", "tags: [audit]")) });
    expect(await found(`queue:${queue} tag:hold`)).toEqual([before]);
    expect(await found(`queue:${queue} tag:audit`)).toEqual([before, later]);
    for (const tags of ["[a b]", "[-x]", `[${"x".repeat(51)}]`]) {
      const text = policy(flux.replace("[Hold, legal]", tags));
      await expect(call("policy.apply", tester, { text })).rejects.toThrow("rules[0].tags[0]");
    }
    await call("policy.apply", tester, { text: "version: 1" });
  });

  it("are one way to find letters, and who owns them and what was edited are others", async () => {
    const { queue, letters } = await held();
    const [first = "", ...others] = letters;
    await call("edits.make", tester, { id: first, from: 0, patch: '[{"op":"add","path":"/n","value":1}]', reason });
    expect(await found(`queue:${queue} has:edit`)).toEqual([first]);
    expect(await found(`queue:${queue} -has:edit`)).toEqual(others);
    expect(await found(`queue:${queue} owner:Payments`)).toEqual(letters);
    expect(await found(`queue:${queue} NOT owner:payments`)).toEqual([]);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { makeId, showId } from "../../src/domain/ids.ts";
import type { HeartbeatReport, QueueHeartbeat } from "../../src/domain/report.ts";
import { noteHeartbeat, workingConsumers } from "../../src/ledger/consumers.ts";
import { revokeAcceptance } from "../../src/ledger/duplicate-acceptances.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import type { Call } from "../../src/office/operations/operations.ts";
import { takeReport } from "../../src/office/replay/record-report.ts";
import { tester } from "../ledger/letters.ts";
import { groupsOf, itemsOf, planned, replayWorld } from "../replay/world.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { arrive } from "./arrive.ts";
import { callsOn } from "./office.ts";

const hourMs = 3_600_000;

const heartbeat = (queue: string, version: string, said: Partial<QueueHeartbeat> = {}): HeartbeatReport => ({
  ...{ v: 1, kind: "heartbeat", service: "shop", version, instance: "shop-1", at: new Date().toISOString() },
  queues: [{ queue, schemas: [], inboxWindowS: null, retryHorizonS: 60, probe: false, ...said }],
});
const order = (...versions: string[]) => ({ schemas: [{ name: "order", versions }] });

onEachDatabase("deploys and fixes", (tested) => {
  let ledger: Ledger;
  let call: Call;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
    call = callsOn(ledger);
  });

  describe("a fix", () => {
    it("lets letters go that failed before it, and shows those after it as proof that it did not help", async () => {
      const [before, after, unknown] = [
        await arrive(ledger, { queue: "fix-a", category: "poison", agoMs: 2 * hourMs }),
        await arrive(ledger, { queue: "fix-a", category: "poison", agoMs: 1_000 }),
        await arrive(ledger, { queue: "fix-a", category: "poison", agoMs: null }),
      ];
      const letters = [before, after, unknown];
      expect(await reasonsFor(ledger, letters)).toEqual(["fix.missing", "fix.missing", "fix.missing"]);
      const [groupId] = await groupsOf(ledger, letters);
      const group = showId("group", groupId ?? new Uint8Array());
      const fixedAt = new Date(Date.now() - hourMs).toISOString();
      const fix = await call("fixes.record", tester, { group, called: "shop@2.1", introducedBy: "91fe02", fixedAt });
      expect(fix).toMatchObject({
        ...{ group, called: "shop@2.1", introducedBy: "91fe02", fixedAt, recordedBy: "tester" },
        letters: { before: 1, after: 1, unknown: 1, proof: [showId("letter", after)] },
      });
      expect(await reasonsFor(ledger, letters)).toEqual(["ready", "fix.arrived_after", "fix.time_unknown"]);

      await call("fixes.retract", tester, { id: fix.id, reason: "rolled back" });
      expect(await reasonsFor(ledger, letters)).toEqual(["fix.missing", "fix.missing", "fix.missing"]);
      await expect(call("fixes.retract", tester, { id: fix.id })).rejects.toMatchObject({ code: "FIX_NOT_FOUND" });
      expect((await call("fixes.list", tester, {})).items).toMatchObject([{ id: fix.id, retractedBy: "tester" }]);
      expect((await call("audit.verify", tester, {})).problem).toBeNull();
    });

    it("is refused for a group nobody knows, and for a time that is not yet", async () => {
      const group = showId("group", makeId(1, crypto.randomUUID()));
      await expect(call("fixes.record", tester, { group, called: "x" })).rejects.toMatchObject({
        code: "GROUP_NOT_FOUND",
      });
      const fixedAt = new Date(Date.now() + hourMs).toISOString();
      await expect(call("fixes.record", tester, { group, called: "x", fixedAt })).rejects.toThrow("lies in the future");
    });
  });

  describe("a deploy", () => {
    it("lets letters go whose schema it handles and that failed before it", async () => {
      const queue = "deploy-a";
      const letters = [
        await arrive(ledger, { queue, category: "schema_mismatch", agoMs: 2 * hourMs }),
        await arrive(ledger, { queue, category: "schema_mismatch", agoMs: 1_000 }),
      ];
      expect(await reasonsFor(ledger, letters, "order@3")).toEqual(["deploy.unknown", "deploy.unknown"]);
      await noteHeartbeat(ledger, "rabbit", heartbeat(queue, "1", order("2")));
      expect(await reasonsFor(ledger, letters, "order@3")).toEqual(["deploy.not_newer", "deploy.not_newer"]);
      await noteHeartbeat(ledger, "rabbit", heartbeat(queue, "2", order("2", "3")));
      await seenSince(ledger, queue, hourMs);
      expect(await reasonsFor(ledger, letters, "order@3")).toEqual(["ready", "deploy.arrived_after"]);
    });

    it("can be recorded for a service that does not report, by its queues", async () => {
      const queue = "deploy-b";
      const letters = [await arrive(ledger, { queue, category: "schema_mismatch", agoMs: 2 * hourMs })];
      const deploy = { service: "mailer", version: "7", deployedAt: new Date(Date.now() - hourMs).toISOString() };
      await expect(call("deploys.record", tester, deploy)).rejects.toThrow("Name its queues");
      expect(await call("deploys.record", tester, { ...deploy, queues: [queue] })).toMatchObject({ queues: [queue] });
      expect(await reasonsFor(ledger, letters)).toEqual(["ready"]);
      expect((await call("deploys.list", tester, {})).items).toMatchObject([{ service: "mailer", version: "7" }]);
    });

    it("is recorded for the queues on which its service was seen", async () => {
      await noteHeartbeat(ledger, "rabbit", { ...heartbeat("deploy-c", "1"), service: "biller" });
      const recorded = await call("deploys.record", tester, { service: "biller", version: "2" });
      expect(recorded.queues).toEqual(["deploy-c"]);
    });
  });

  describe("a heartbeat", () => {
    it("tells of processes at work, and no longer of those that fell silent while others spoke", async () => {
      const queue = "beats";
      await noteHeartbeat(ledger, "rabbit", { ...heartbeat(queue, "1", order("1")), instance: "old" });
      await takeReport(ledger, "rabbit", { ...heartbeat(queue, "2", order("2")), instance: "new" });
      await ledger.database.query(
        `update ${ledger.at}.consumers set last_seen_at = last_seen_at - interval '2 min' where queue = $1 and instance = 'old'`,
        [queue],
      );
      const working = (await workingConsumers(ledger, [queue])).get(`rabbit/${queue}`);
      expect(working).toMatchObject([{ service: "shop", version: "2", instance: "new" }]);
    });

    it("that makes no sense changes nothing", async () => {
      const queue = "nonsense";
      await noteHeartbeat(ledger, "rabbit", { ...heartbeat(queue, "v".repeat(201)) });
      await noteHeartbeat(ledger, "rabbit", { ...heartbeat(queue, "1"), queues: [] });
      expect((await workingConsumers(ledger, [queue])).size).toBe(0);
    });

    it("says whether a duplicate of a letter would be recognized, unless a person accepts that it would not", async () => {
      const queue = "windows";
      const letters = [
        await arrive(ledger, { queue, category: "transient", agoMs: 2 * hourMs, key: "k-1" }),
        await arrive(ledger, { queue, category: "transient", agoMs: 60_000, key: "k-2" }),
        await arrive(ledger, { queue, category: "transient", agoMs: 60_000 }),
      ];
      expect(await reasonsFor(ledger, letters)).toEqual(["ready", "ready", "ready"]);
      await revokeAcceptance(ledger, ledger.database, { source: "rabbit", queue, by: "ops-1" });
      const none = "idempotency.none";
      expect(await reasonsFor(ledger, letters)).toEqual([none, none, "key.missing"]);
      await noteHeartbeat(ledger, "rabbit", heartbeat(queue, "1", { inboxWindowS: 3_600 }));
      expect(await reasonsFor(ledger, letters)).toEqual(["idempotency.expired", "ready", "key.missing"]);
    });
  });

  it("cannot be changed in the database itself", async () => {
    const { rows } = await ledger.database.query<{ id: string }>(`select id from ${ledger.at}.deploys limit 1`);
    const change = ledger.database.query(`update ${ledger.at}.deploys set version = '9' where id = $1`, [rows[0]?.id]);
    await expect(change).rejects.toThrow("never changed");
  });
});

/** As if the version had been seen for that long already. */
const seenSince = (ledger: Ledger, queue: string, agoMs: number) =>
  ledger.database.query(
    `update ${ledger.at}.consumer_versions set first_seen_at = now() - $2::float8 * interval '1 ms' where queue = $1`,
    [queue, agoMs],
  );

/** What a plan of these letters says of each. */
async function reasonsFor(ledger: Ledger, letters: readonly Uint8Array[], schema?: string): Promise<readonly string[]> {
  const { parts } = replayWorld(ledger);
  const read: typeof parts.read = (letter) => ({ ...parts.read(letter), schema: schema ?? null });
  const items = await itemsOf({ ...parts, read }, await planned({ ...parts, read }, letters));
  return items.map(({ reason }) => reason);
}

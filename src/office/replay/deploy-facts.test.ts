import { describe, expect, it } from "vitest";
import type { GateTrust } from "../../domain/protocol.ts";
import type { WorkingConsumer } from "../../ledger/consumers.ts";
import type { Deploy } from "../../ledger/deploys.ts";
import { deployFacts } from "./deploy-facts.ts";

const consumer = (
  version: string,
  versions: readonly string[],
  more: Partial<WorkingConsumer> = {},
): WorkingConsumer => ({
  ...{ service: "shop", version, instance: version, inboxWindowS: null, retryHorizonS: 60, probe: false },
  ...{ schemas: versions.length === 0 ? [] : [{ name: "order", versions }], versionSeenAt: 1_000, lastSeenAt: 9_000 },
  ...more,
});
const deploy = (version: string, versions: readonly string[] = [], deployedAt = 5_000): Deploy => ({
  ...{ id: new Uint8Array(16), service: "shop", version, queues: ["orders"], deployedAt, recordedBy: "ops-1" },
  schemas: versions.length === 0 ? [] : [{ name: "order", versions }],
});
const facts = (
  schema: string | null,
  working: readonly WorkingConsumer[],
  recorded: readonly Deploy[] = [],
  trust: GateTrust = "reported",
) => deployFacts(schema, { working, recorded }, trust);

describe("what is deployed", () => {
  it("is unknown where nobody says anything about that schema", () => {
    expect(facts("order@3", [])).toEqual({ kind: "unknown" });
    expect(facts("order@3", [consumer("2", [])])).toEqual({ kind: "unknown" });
    expect(facts(null, [consumer("2", ["3"])])).toEqual({ kind: "unknown" });
    expect(facts("order@3", [], [{ ...deploy("2"), schemas: [{ name: "refund", versions: ["1"] }] }])).toEqual({
      kind: "unknown",
    });
  });

  it("handles a schema since its consumers' version was first seen", () => {
    const working = [
      consumer("2.15", ["2", "v3"], { versionSeenAt: 7_000 }),
      consumer("2.16", ["3"], { versionSeenAt: 8_000 }),
    ];
    expect(facts("order@3", working)).toEqual({ kind: "handles", service: "shop", deployedAt: 7_000 });
  });

  it("does not handle it while one of them is of an older version: the message might go there", () => {
    const working = [consumer("2.15", ["3"]), consumer("2.14", ["2"])];
    const lacking = { kind: "does_not_handle", service: "shop", version: "2.14", schema: "order@3" };
    expect(facts("order@3", working)).toEqual(lacking);
    expect(facts("order@3", working, [deploy("2.15", ["3"])])).toEqual(lacking);
  });

  it("is what people recorded, where consumers do not speak of it", () => {
    expect(facts("order@3", [], [deploy("2.15", ["3"])])).toEqual({
      ...{ kind: "handles", service: "shop", deployedAt: 5_000 },
    });
    expect(facts("order@3", [], [deploy("2.14", ["2"])])).toMatchObject({ kind: "does_not_handle", version: "2.14" });
    expect(facts("Shop.OrderCreated", [], [deploy("2.15")])).toMatchObject({ kind: "handles", deployedAt: 5_000 });
    expect(facts(null, [], [deploy("2.15")])).toMatchObject({ kind: "handles", deployedAt: 5_000 });
  });

  it("is not what was rolled back since", () => {
    expect(facts(null, [consumer("2.14", [])], [deploy("2.15")])).toMatchObject({
      ...{ kind: "does_not_handle", version: "2.14", schema: "its schema" },
    });
    expect(facts(null, [consumer("2.15", [])], [deploy("2.15")])).toMatchObject({ kind: "handles" });
    expect(facts(null, [consumer("1", [], { service: "mailer" })], [deploy("2.15")])).toMatchObject({
      kind: "handles",
    });
  });

  it("is not what consumers alone report, where only a record is trusted", () => {
    const working = [consumer("2.15", ["3"])];
    const unrecorded = { kind: "unrecorded", service: "shop", schema: "order@3" };
    expect(facts("order@3", working, [], "recorded")).toEqual(unrecorded);
    expect(facts("order@3", working, [deploy("2.15", ["3"])], "recorded")).toMatchObject({ deployedAt: 5_000 });
    expect(facts("order@3", working, [deploy("2.15")], "recorded")).toMatchObject({ kind: "handles" });
    expect(facts("order@3", [], [], "recorded")).toEqual({ kind: "unknown" });
  });

  it("does not handle what its consumers say they do not, whatever was recorded", () => {
    const lacking = { kind: "does_not_handle", version: "2.14" };
    expect(facts("order@3", [consumer("2.14", ["2"])], [deploy("2.15", ["3"])], "recorded")).toMatchObject(lacking);
  });
});

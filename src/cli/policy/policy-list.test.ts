import { describe, expect, it } from "vitest";
import { defaultProtocols } from "../../domain/protocol.ts";
import { protocolInLines } from "./policy-list.ts";

const { transient } = defaultProtocols;

describe("a protocol in lines", () => {
  it("says how long an approval is good for", () => {
    const approvals = { ...transient.approvals, expiresS: 1_800 };
    expect(protocolInLines("transient", { ...transient, approvals })).toContain(
      "  expires    a plan and its approval, after 30 min",
    );
  });

  it("says whose word opens the gate of a deploy", () => {
    expect(protocolInLines("transient", transient)).toContain(
      "  gates      opened by deploys that were recorded or that consumers report",
    );
    expect(protocolInLines("transient", { ...transient, gates: { trust: "recorded" } })).toContain(
      "  gates      opened by deploys that were recorded, by nothing else",
    );
  });
});

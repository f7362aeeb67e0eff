import { beforeAll, expect, it } from "vitest";
import type { DeadLetter, ReplayRoute, ReplayVia } from "../../src/domain/dead-letter.ts";
import type { Message } from "../../src/domain/message.ts";
import { defaultProtocols } from "../../src/domain/protocol.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { readReplay } from "../../src/ledger/read-replay.ts";
import { acknowledge } from "../../src/office/replay/approve-replay.ts";
import { describeReplay } from "../../src/office/replay/describe-replay.ts";
import type { KnownDestination } from "../../src/office/replay/facts.ts";
import type { ReplayParts } from "../../src/office/replay/replay-parts.ts";
import { resume } from "../../src/office/replay/steer-replay.ts";
import { askBroker } from "../../src/sources/ask-broker.ts";
import type { KeptOrder } from "../../src/sources/queue-condition.ts";
import { plainLine } from "../../src/sources/send-line.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { acceptDuplicatesIn, holdLetters, itemsOf, operator, planned, replayWorld, run, started } from "./world.ts";

const via = { exchange: "shop", routingKey: "order.created" };
const reading = (parts: ReplayParts, replay: Partial<ReplayRoute>) => (letter: DeadLetter) => {
  const read = parts.read(letter);
  return { ...read, replay: { ...read.replay, ...replay } };
};

/** An office whose broker takes letters by the way they came, as long as `isBound`, and shows so unless `isUnseen`. */
function routing(ledger: Ledger) {
  const { parts } = replayWorld(ledger);
  const wires = { isBound: true, isUnseen: false, keepsUnseen: null as boolean | null };
  const sent: [queue: string, via: ReplayVia | null | undefined][] = [];
  const world: ReplayParts = {
    ...{ ...parts, read: reading(parts, { via }) },
    async look(source, wanted) {
      const found = await parts.look(source, wanted);
      if (found.kind !== "known") return found;
      if (wires.isUnseen) return { ...found, via: null, isUnseen: true, keepsNextDeath: wires.keepsUnseen };
      return { ...found, via: wires.isBound ? wanted.via : null };
    },
    line: async () => plainLine(async (queue, _message, { via: by }) => void sent.push([queue, by])),
  };
  return { world, wires, sent };
}

onEachDatabase("where a letter goes back to", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  /** An office whose configuration sends the letters of `orders.dlq` to another queue, and letters that do not say where from. */
  beforeAll(() => acceptDuplicatesIn(ledger, "orders-v2"));

  function office() {
    const { parts } = replayWorld(ledger);
    const sent: [queue: string, message: Message][] = [];
    const nowhere = (letter: DeadLetter) => {
      const reading = parts.read(letter);
      return { ...reading, replay: { ...reading.replay, destination: null } };
    };
    const configured: ReplayParts = {
      ...parts,
      replayTo: (source, deadLetters) => (`${source}/${deadLetters}` === "rabbit/orders.dlq" ? "orders-v2" : null),
      line: async () => plainLine(async (queue, message) => void sent.push([queue, message])),
    };
    return { parts, configured, nowhere, sent };
  }

  it("is what the configuration says of its dead-letter queue, and a redirect before that", async () => {
    const { parts, configured, sent } = office();
    const letters = await holdLetters(ledger, ["a"]);
    const destinationIn = async (world: ReplayParts, redirect: string | null = null) =>
      (await itemsOf(world, await planned(world, letters, { redirect })))[0]?.destination;
    expect(await destinationIn(parts)).toBe("orders");
    expect(await destinationIn(configured)).toBe("orders-v2");
    expect(await destinationIn(configured, "elsewhere")).toBe("elsewhere");
    const replay = await planned(configured, letters);
    await started(configured, replay);
    await run(configured, replay);
    expect(sent.map(([queue]) => queue)).toEqual(["orders-v2"]);
  });

  it("is known by the configuration where the letter does not say, and otherwise it stays", async () => {
    const { parts, configured, nowhere } = office();
    const letters = await holdLetters(ledger, ["a"]);
    const reasonIn = async (world: ReplayParts) =>
      (await itemsOf(world, await planned({ ...world, read: nowhere }, letters)))[0]?.reason;
    expect(await reasonIn(parts)).toBe("destination.unknown");
    expect(await reasonIn(configured)).toBe("ready");
  });

  it("is reached by the exchange and key it came by, which the plan says and its hash covers", async () => {
    const { world, wires, sent } = routing(ledger);
    const letters = await holdLetters(ledger, ["a"]);
    const replay = await planned(world, letters);
    expect(await itemsOf(world, replay)).toMatchObject([{ destination: "orders", via }]);
    await started(world, replay);
    await run(world, replay);
    expect(sent).toEqual([["orders", via]]);
    const redirected = await planned(world, await holdLetters(ledger, ["b"]), { redirect: "elsewhere" });
    expect(await itemsOf(world, redirected)).toMatchObject([{ destination: "elsewhere", via: null }]);
    const overtaken = await planned(world, await holdLetters(ledger, ["c"]));
    await started(world, overtaken);
    wires.isBound = false;
    await run(world, overtaken);
    expect(sent).toHaveLength(1);
    expect(await itemsOf(world, overtaken)).toMatchObject([{ mark: "drifted", markReason: "destination.ambiguous" }]);
  });

  it.each([
    ["what keeps its next death", null],
    ["the way it came by", true],
  ])("is waited for while nobody can see %s: that is no reason to leave a letter out", async (_what, keepsUnseen) => {
    const { world, wires, sent } = routing(ledger);
    const replay = await planned(world, await holdLetters(ledger, ["a"]));
    await started(world, replay);
    Object.assign(wires, { isUnseen: true, keepsUnseen });
    const why = "rabbit does not show how things are at orders";
    const record = () => readReplay(ledger, ledger.database, { id: replay });
    await expect(run(world, replay)).rejects.toThrow(why);
    const waiting = await record();
    expect([waiting.state, waiting.waitsFor?.why]).toEqual(["running", why]);
    // Whoever leads it next waits for what is left of the time.
    await expect(run(world, replay)).rejects.toThrow(why);
    expect((await record()).waitsFor).toEqual(waiting.waitsFor);
    const impatient = { leaseMs: 30_000, beatMs: 10, awayMs: 0 };
    expect(await run(world, replay, new AbortController().signal, impatient)).toBe("halted");
    expect([await itemsOf(world, replay), sent]).toMatchObject([[{ mark: null, progress: "not_yet_sent" }], []]);
    const halted = await describeReplay(world, await record());
    expect(halted).toMatchObject({
      haltedBy: { guard: "destination", sentence: `It waited 0 seconds for its broker: ${why}.` },
      nextStep: { command: `dlo replay resume ${halted.id} --reason '…'` },
      waitsFor: null,
    });
    wires.isUnseen = false;
    await resume(world, operator, { replay, reason: "the management API is back" });
    expect([await run(world, replay), sent]).toEqual(["finished", [["orders", via]]]);
  });

  it("is planned unchecked while its broker cannot be asked, and checked before anything is sent there", async () => {
    const { parts } = replayWorld(ledger, {
      protocol: { approvals: { ...defaultProtocols.transient.approvals, n: 0 } },
    });
    const sent: string[] = [];
    const broker = { refuses: true, otherGroups: [] as readonly string[] };
    const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const world: ReplayParts = {
      ...parts,
      look: (source, wanted) =>
        askBroker({
          ...{ source, where: async () => "kafka-1:9092", clock: parts.host.clock, withinMs: null },
          async ask() {
            if (broker.refuses) throw refused;
            return { ...((await parts.look(source, wanted)) as KnownDestination), otherGroups: broker.otherGroups };
          },
        }),
      line: async () => plainLine(async (queue) => void sent.push(queue)),
    };
    const accepted = async (body: string) => {
      const replay = await planned(world, await holdLetters(ledger, [body]));
      expect(await itemsOf(world, replay)).toMatchObject([
        {
          ...{ decision: "ack_required", reason: "destination.not_checked", destination: "orders" },
          details: { sentence: "Where it would go was not checked: kafka-1:9092 refused the connection." },
        },
      ]);
      await acknowledge(world, operator, { replay, reason: "it is restarted", numbers: [1] });
      await started(world, replay);
      return replay;
    };
    const replay = await accepted("a");
    await expect(run(world, replay)).rejects.toThrow(
      "Source `rabbit` was not asked: kafka-1:9092 refused the connection.",
    );
    const shared = await accepted("b");
    expect(sent).toEqual([]);
    broker.refuses = false;
    expect([await run(world, replay), sent]).toEqual(["finished", ["orders"]]);
    broker.otherGroups = ["mailer"];
    await run(world, shared);
    expect(sent).toHaveLength(1);
    expect(await itemsOf(world, shared)).toMatchObject([{ mark: "drifted", markReason: "destination.shared" }]);
  });

  it("is for somebody to name where consumers of several queues refused it", async () => {
    const { parts } = replayWorld(ledger);
    const world = { ...parts, read: reading(parts, { alternatives: ["orders.dead"] }) };
    const letters = await holdLetters(ledger, ["a"]);
    expect(await itemsOf(world, await planned(world, letters))).toMatchObject([
      {
        ...{ decision: "skip", reason: "destination.ambiguous", destination: null },
        details: {
          sentence: "It may have come from any of orders, orders.dead.",
          change: "Name the destination: redirect, or set replayTo for its queue in the configuration.",
        },
      },
    ]);
    expect(await itemsOf(world, await planned(world, letters, { redirect: "orders" }))).toMatchObject([
      { reason: "ready", destination: "orders" },
    ]);
  });

  it("takes somebody's word for a letter whose order is not kept there", async () => {
    const { parts } = replayWorld(ledger);
    const reasonWhere = async (
      keepsOrder: KeptOrder,
      headers: Readonly<Record<string, string>>,
      bodies = ["a", "b"],
    ) => {
      const look: ReplayParts["look"] = async (source, wanted) => {
        const found = await parts.look(source, wanted);
        return found.kind === "known" ? { ...found, keepsOrder } : found;
      };
      const letters = await holdLetters(ledger, bodies, headers);
      return (await itemsOf(parts, await planned({ ...parts, look }, letters)))[0]?.reason;
    };
    const ordered = () => ({ order: crypto.randomUUID() });
    expect(await reasonWhere("never", ordered())).toBe("order.not_kept");
    expect(await reasonWhere("by_key", ordered())).toBe("order.not_kept");
    expect(await reasonWhere("always", ordered())).toBe("ready");
    expect(await reasonWhere(null, ordered())).toBe("ready");
    expect(await reasonWhere("never", {})).toBe("ready");
    expect(await reasonWhere("never", ordered(), ["alone"])).toBe("ready");
  });

  it("is not changed under a plan that was agreed to", async () => {
    const { parts, configured, sent } = office();
    const letters = await holdLetters(ledger, ["a"]);
    const replay = await planned(parts, letters);
    await started(parts, replay);
    await run(configured, replay);
    expect(sent).toEqual([]);
    expect(await itemsOf(parts, replay)).toMatchObject([{ mark: "drifted", markReason: "destination.ambiguous" }]);
  });
});

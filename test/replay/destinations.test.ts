import { beforeAll, expect, it } from "vitest";
import type { DeadLetter } from "../../src/domain/dead-letter.ts";
import type { Message } from "../../src/domain/message.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import type { ReplayParts } from "../../src/office/replay/replay-parts.ts";
import { plainLine } from "../../src/sources/send-line.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { holdLetters, itemsOf, planned, replayWorld, run, started } from "./world.ts";

onEachDatabase("where a letter goes back to", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  /** An office whose configuration sends the letters of `orders.dlq` to another queue, and letters that do not say where from. */
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

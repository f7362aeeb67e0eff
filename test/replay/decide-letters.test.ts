import { beforeAll, describe, expect, it } from "vitest";
import { makeId, showId } from "../../src/domain/ids.ts";
import { intendItems, leadReplay } from "../../src/ledger/lead-replay.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { readAudit } from "../../src/ledger/read-audit.ts";
import { type DecisionName, decideLetters } from "../../src/office/decide/decide-letters.ts";
import { dloHere } from "../cli/terminal.ts";
import { useLedger } from "../http/open-server.ts";
import { describeServer } from "../servers/describe-server.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { bodiesOf, holdLetters, itemsOf, letterStates, operator, planned, replayWorld, run, started } from "./world.ts";

onEachDatabase("a decision about letters that are not sent back", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  const decide = (name: DecisionName, letters: readonly Uint8Array[], reason = "the order was cancelled") =>
    decideLetters(replayWorld(ledger).parts, operator, name, { letters, reason, reference: "OPS-7" });

  it.each([
    ["drop", "dropped"],
    ["compensate", "compensated"],
    ["escalate", "escalated"],
  ] as const)("to %s is audited, keeps letters out of replays, and is taken back by reopening", async (name, state) => {
    const { parts, sent } = replayWorld(ledger);
    const letters = await holdLetters(ledger, ["a", "b"]);
    await decide(name, letters);
    expect(await letterStates(ledger, letters)).toEqual([state, state]);
    const [entry] = await readAudit(ledger, { before: null, limit: 1 });
    expect(JSON.parse(entry?.text ?? "")).toMatchObject({
      ...{ actor: { id: "ops-1" }, action: `letters.${state}`, reason: "the order was cancelled", reference: "OPS-7" },
      letters: letters.map((id) => showId("letter", id)),
    });
    const refused = await itemsOf(parts, await planned(parts, letters));
    expect(refused.map(({ decision, reason }) => [decision, reason])).toEqual([
      ["skip", "already.resolved"],
      ["skip", "already.resolved"],
    ]);

    await decide("reopen", letters, "it was not");
    expect(await letterStates(ledger, letters)).toEqual(["open", "open"]);
    const replay = await planned(parts, letters);
    await started(parts, replay);
    await run(parts, replay);
    expect(bodiesOf(sent).toSorted()).toEqual(["a", "b"]);
  });

  it("is made about all letters or none", async () => {
    const letters = await holdLetters(ledger, ["a", "b"]);
    await decide("drop", letters.slice(1));
    const both = decide("compensate", letters);
    await expect(both).rejects.toMatchObject({ code: "LETTER_DECIDED", details: { asked: 2, found: 1 } });
    await expect(both).rejects.toThrow("Nothing was changed.");
    const stranger = makeId(Date.now(), crypto.randomUUID());
    await expect(decide("drop", [...letters.slice(0, 1), stranger])).rejects.toThrow("Only 1 of 2 letters is");
    await expect(decide("reopen", letters.slice(0, 1))).rejects.toThrow("Only 0 of 1 letter are");
    await expect(decide("drop", letters.slice(0, 1), "  ")).rejects.toThrow("Say why");
    expect(await letterStates(ledger, letters)).toEqual(["open", "dropped"]);
  });

  it("may end what was escalated, but escalates nothing that was decided", async () => {
    const letters = await holdLetters(ledger, ["a"]);
    await decide("escalate", letters);
    await decide("drop", letters);
    await expect(decide("escalate", letters)).rejects.toMatchObject({ code: "LETTER_DECIDED" });
    expect(await letterStates(ledger, letters)).toEqual(["dropped"]);
  });

  it("takes no letter that a replay is sending, and reopens none that was sent and worked", async () => {
    const { parts } = replayWorld(ledger);
    const letters = await holdLetters(ledger, ["a"]);
    const replay = await planned(parts, letters);
    await started(parts, replay);
    const lead = await leadReplay(ledger, replay, 60_000);
    if (lead === null) throw new Error("Nobody else could have led it.");
    await intendItems(ledger, lead, [1]);
    await expect(decide("drop", letters)).rejects.toMatchObject({ code: "LETTER_DECIDED" });
    expect(await letterStates(ledger, letters)).toEqual(["in_replay"]);
    const others = await holdLetters(ledger, ["b"]);
    const clean = await planned(parts, others);
    await started(parts, clean);
    await run(parts, clean);
    await expect(decide("reopen", others)).rejects.toMatchObject({ code: "LETTER_DECIDED" });
    expect(await letterStates(ledger, others)).toEqual(["resolved"]);
  });
});

describe("decisions about letters over HTTP", () => {
  const office = useLedger();

  it("are for operators, who say how many they mean", async () => {
    const server = await office.open();
    await holdLetters(server.ledger, ["a", "b"], { queue: "decided" });
    const viewer = await server.signedIn("vera", ["viewer"]);
    const actor = await server.signedIn("otto", ["operator"]);
    const said = { q: "queue:decided", reason: "the order was cancelled" };
    expect((await server.fromPage(viewer, "/api/v1/letters/drop", said)).statusCode).toBe(403);
    const uncounted = await server.fromPage(actor, "/api/v1/letters/drop", said);
    expect(uncounted.json()).toMatchObject({ error: { code: "plan.changed", details: { found: 2 } } });
    const everything = await server.fromPage(actor, "/api/v1/letters/drop", { reason: "all of it" });
    expect(everything.statusCode).toBe(400);
    const dropped = await server.fromPage(actor, "/api/v1/letters/drop", { ...said, expectCount: 2 });
    expect(dropped.json()).toEqual({ letters: 2, released: 0 });
    const back = await server.fromPage(actor, "/api/v1/letters/give-back", { ...said, expectCount: 2 });
    expect([back.statusCode, back.json()]).toMatchObject([404, { error: { code: "letter.not_found" } }]);
    const none = await server.fromPage(actor, "/api/v1/letters/drop", { ...said, expectCount: 2 });
    expect([none.statusCode, none.json()]).toMatchObject([404, { error: { code: "letter.not_found" } }]);
  });
});

describeServer("decisions about letters on the command line", noPostgres, () => {
  const postgres = usePostgres();
  const type = (...line: string[]) => dloHere(line, { DATABASE_URL: postgres.url, USER: "ops-1" });

  it("go from open to decided and back, one letter or many", async () => {
    const ledger = await openLedger({ database: postgres.database });
    const letters = await holdLetters(ledger, ["a", "b", "c"]);
    const one = showId("letter", letters[0] ?? new Uint8Array(16));
    const reason = ["--reason", "the order was cancelled"];

    expect((await type("drop", one)).code).toBe(2);
    const escalated = await type("escalate", one, ...reason, "--reference", "OPS-7");
    expect([escalated.code, escalated.stdout]).toEqual([0, "1 letter escalated.\n"]);
    const many = await type("compensate", "-q", "queue:orders", ...reason);
    expect([many.code, many.stderr]).toEqual([6, expect.stringContaining("This is about 3 letters.")]);
    const compensated = await type("compensate", "-q", "queue:orders", "--expect-count", "3", ...reason);
    expect([compensated.code, compensated.stdout]).toEqual([0, "3 letters compensated.\n"]);
    const again = await type("drop", one, ...reason);
    expect([again.code, again.stderr]).toEqual([6, expect.stringContaining("Nothing was changed.")]);
    const reopened = await type("reopen", one, "--reason", "it came back to life", "--json");
    expect(JSON.parse(reopened.stdout)).toEqual({ letters: 1, released: 0 });
    const dropped = await type("drop", one, ...reason);
    expect([dropped.code, dropped.stdout]).toEqual([0, "1 letter dropped.\n"]);
    expect(await letterStates(ledger, letters)).toEqual(["dropped", "compensated", "compensated"]);
  });
});

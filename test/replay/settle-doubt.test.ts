import { beforeAll, describe, expect, it } from "vitest";
import { showId, uuidOf } from "../../src/domain/ids.ts";
import { intendItems, leadReplay, noteSent, settleItems } from "../../src/ledger/lead-replay.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { readAudit } from "../../src/ledger/read-audit.ts";
import { doubtAbandoned } from "../../src/ledger/settle-doubt.ts";
import { endedSettler } from "../../src/office/replay/seek-evidence.ts";
import { type DoubtSaid, settleDoubt } from "../../src/office/replay/settle-doubt.ts";
import { cancel } from "../../src/office/replay/steer-replay.ts";
import { dloHere } from "../cli/terminal.ts";
import { useLedger } from "../http/open-server.ts";
import { overheard, readBy } from "../ledger/rows-read.ts";
import { describeServer } from "../servers/describe-server.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import {
  bodiesOf,
  countsOf,
  holdLetters,
  itemsOf,
  lapse,
  letterStates,
  operator,
  planned,
  replayWorld,
  run,
  started,
  stateOf,
} from "./world.ts";

/** A replay of three letters whose first leader died with two of them in its hands; the third was sent by the next one. */
async function interrupted(ledger: Ledger, { ends = true } = {}) {
  const world = replayWorld(ledger, { protocol: { ramp: [] } });
  const letters = await holdLetters(ledger, ["a", "b", "c"]);
  const replay = await planned(world.parts, letters);
  await started(world.parts, replay);
  const dead = await leadReplay(ledger, replay, 60_000);
  if (dead === null) throw new Error("Nobody else could have led it.");
  expect((await intendItems(ledger, dead, [1, 2])).items).toEqual(new Set([1, 2]));
  await lapse(ledger, replay);
  if (ends) expect(await run(world.parts, replay)).toBe("finished");
  const say = (said: Partial<DoubtSaid>) =>
    settleDoubt(world.parts, operator, {
      ...{ replay, reason: "looked into the queue", verdict: "sent", numbers: null, expectCount: null, ...said },
    });
  return { ...world, letters, replay, say, outlive: () => outlive(ledger, replay) };
}

/** As if the time in which a sender may wake up had passed. */
async function outlive({ database, at }: Ledger, replay: Uint8Array): Promise<void> {
  const sql = `update ${at}.replay_items set doubted_at = doubted_at - interval '20 s' where replay_id = $1`;
  await database.query(sql, [uuidOf(replay)]);
}

/** As if it had only just begun: on a busy machine what comes before takes longer than a sender may sleep. */
async function doubtFreshly({ database, at }: Ledger, replay: Uint8Array): Promise<void> {
  const freshly = `update ${at}.replay_items set doubted_at = ${at}.clock() where replay_id = $1 and progress = 'in_doubt'`;
  await database.query(freshly, [uuidOf(replay)]);
}

/** More that were in it and have landed, so that going through all of them shows. */
async function addItems({ database, at }: Ledger, replay: Uint8Array, count: number): Promise<void> {
  await database.query(
    `insert into ${at}.replay_items
     select (json_populate_record(i, json_build_object('n', 100 + s.n, 'progress', 'confirmed'))).*
     from ${at}.replay_items i cross join generate_series(1, $2::integer) as s (n) where i.replay_id = $1 and i.n = 3`,
    [uuidOf(replay), count],
  );
  await database.query(`analyze ${at}.replay_items`, []);
}

onEachDatabase("a send in doubt", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  it("is taken for sent by a person's word, and what became of it may still be told", async () => {
    const { parts, letters, replay, say, outlive: wait } = await interrupted(ledger);
    await wait();
    await say({ verdict: "sent", numbers: [1] });
    expect(await letterStates(ledger, letters)).toEqual(["sent", "in_doubt", "resolved"]);
    expect(await countsOf(parts, replay)).toMatchObject({ inDoubt: 1, unknown: 1, presumed: 1, waiting: 0 });
    await settleItems(ledger, ledger.database, { replay, numbers: [1], outcome: "confirmed" });
    expect(await letterStates(ledger, letters)).toEqual(["resolved", "in_doubt", "resolved"]);
    const [entry] = await readAudit(ledger, { before: null, limit: 1 });
    expect(JSON.parse(entry?.text ?? "")).toMatchObject({
      ...{ actor: { id: "ops-1" }, action: "replay.doubt_settled", replay: showId("replay", replay) },
      ...{ verdict: "sent", items: [1], reason: "looked into the queue" },
    });
  });

  it("waits for its outcome like any other when the replay is still under way", async () => {
    const { parts, sent, replay, say, outlive: wait } = await interrupted(ledger, { ends: false });
    expect(await leadReplay(ledger, replay, 60_000)).toMatchObject({ doubtful: 2 });
    await lapse(ledger, replay);
    await wait();
    await say({ verdict: "sent", numbers: null, expectCount: 2 });
    expect(await countsOf(parts, replay)).toMatchObject({ inDoubt: 0, waiting: 2, notYetSent: 1 });
    expect(await run(parts, replay)).toBe("finished");
    expect(bodiesOf(sent)).toEqual(["c"]);
    expect(await countsOf(parts, replay)).toMatchObject({ presumed: 3 });
  });

  it("is open again when it is to be planned again, and goes only in the new plan", async () => {
    const { parts, sent, letters, replay, say, outlive: wait } = await interrupted(ledger);
    const [before] = await itemsOf(parts, await planned(parts, letters.slice(0, 1)));
    expect(before?.reason).toBe("send.in_doubt");
    expect(before?.details.change).toContain(`dlo replay items ${showId("replay", replay)} --state in_doubt`);
    await wait();
    await say({ verdict: "plan_again", numbers: [1, 2] });
    expect(await letterStates(ledger, letters)).toEqual(["open", "open", "resolved"]);
    expect(await countsOf(parts, replay)).toMatchObject({ inDoubt: 0, released: 2, sent: 1 });
    const next = await planned(parts, letters.slice(0, 2));
    await started(parts, next);
    await run(parts, next);
    expect(bodiesOf(sent).toSorted()).toEqual(["a", "b", "c"]);
  });

  it("is not sent again when proof that it was sent comes after somebody said to plan it again", async () => {
    const { parts, sent, letters, replay, say, outlive: wait } = await interrupted(ledger);
    await wait();
    await say({ verdict: "plan_again", numbers: [1, 2] });
    const next = await planned(parts, letters.slice(0, 2));
    await started(parts, next);
    await settleItems(ledger, ledger.database, { replay, numbers: [1], outcome: "confirmed" });
    expect(await letterStates(ledger, letters)).toEqual(["resolved", "open", "resolved"]);
    await run(parts, next);
    expect(bodiesOf(sent)).toEqual(["c", "b"]);
    expect(await countsOf(parts, next)).toMatchObject({ sent: 1, drifted: 1 });
    // What another replay has sent by now stays with that one.
    await noteSent(ledger, replay, [2]);
    expect(await letterStates(ledger, letters)).toEqual(["resolved", "resolved", "resolved"]);
    expect(await countsOf(parts, next)).toMatchObject({ presumed: 1 });
  });

  it("is not decided about while whoever was sending may still wake up", async () => {
    const { letters, replay, say, outlive: wait } = await interrupted(ledger);
    for (const verdict of ["sent", "plan_again"] as const) {
      await doubtFreshly(ledger, replay);
      const saying = say({ verdict, numbers: [1] });
      await expect(saying).rejects.toMatchObject({ code: "SENDER_MAY_WAKE" });
      await expect(saying).rejects.toThrow(/Wait (1\d|20) s, and say it again/);
    }
    expect(await letterStates(ledger, letters)).toEqual(["in_doubt", "in_doubt", "resolved"]);
    await wait();
    await say({ numbers: [1] });
  });

  it("is the only thing that can be settled: all that were named, or none", async () => {
    const { letters, replay, say, outlive: wait } = await interrupted(ledger);
    await wait();
    for (const [numbers, text] of [
      [[1, 3], "Item 3 is not in doubt, it is presumed."],
      [[1, 9], "Item 9 is not in doubt, it is not in this replay."],
    ] as const) {
      const saying = say({ numbers });
      await expect(saying).rejects.toMatchObject({ code: "SEND_NOT_IN_DOUBT" });
      await expect(saying).rejects.toThrow(`${text} \`dlo replay items ${showId("replay", replay)} --state in_doubt\``);
    }
    await expect(say({ expectCount: 3 })).rejects.toThrow("2 letters are in doubt, not 3.");
    await expect(say({ numbers: [1], reason: " " })).rejects.toThrow("Say why");
    expect(await letterStates(ledger, letters)).toEqual(["in_doubt", "in_doubt", "resolved"]);
    await say({ expectCount: 2 });
    await expect(say({ expectCount: 2 })).rejects.toThrow("is in doubt");
  });

  it("is one also where the replay was cancelled before anybody noticed that its sender was gone", async () => {
    const { parts, letters, replay, say, outlive: wait } = await interrupted(ledger, { ends: false });
    await cancel(parts, operator, { replay, reason: "wrong ones" });
    expect(await stateOf(parts, replay)).toBe("cancelled");
    await doubtAbandoned(ledger, ledger.database, replay);
    expect(await countsOf(parts, replay)).toMatchObject({ inDoubt: 2, notYetSent: 0, released: 1 });
    await wait();
    await say({ verdict: "plan_again", expectCount: 2 });
    expect(await letterStates(ledger, letters)).toEqual(["open", "open", "open"]);
  });

  it("is looked for without going through what is not in doubt, once its sender's items were gone through", async () => {
    const { parts, letters, replay } = await interrupted(ledger, { ends: false });
    await cancel(parts, operator, { replay, reason: "wrong ones" });
    await addItems(ledger, replay, 2_000);
    await endedSettler(parts, operator)();
    expect(await letterStates(ledger, letters)).toEqual(["in_doubt", "in_doubt", "open"]);
    const { database, heard } = overheard(ledger.database);
    await endedSettler({ ...parts, ledger: { ...ledger, database } }, operator)();
    const looks = heard.filter(({ text }) => text.trimStart().startsWith("select"));
    expect(looks.length).toBeGreaterThan(1);
    for (const look of looks) expect((await readBy(ledger.database, look)).rows, look.text).toBeLessThan(500);
  });

  it("is in an index that the windows of a replay do not write", async () => {
    const { rows } = await ledger.database.query<{ definition: string }>(
      "select indexdef as definition from pg_indexes where schemaname = $1 and tablename = 'replay_items'",
      [ledger.at.replaceAll('"', "")],
    );
    const definitions = rows.map(({ definition }) => definition.replace(/^.* USING /, ""));
    expect(definitions).toContainEqual(expect.stringContaining("doubted_at"));
    for (const changed of ["progress", "epoch", "intent", "sent_at"])
      expect(
        definitions.filter((each) => each.includes(changed)),
        changed,
      ).toEqual([]);
  });
});

describe("sends in doubt over HTTP", () => {
  const office = useLedger();

  it("are settled by an operator who says which and why", async () => {
    const server = await office.open();
    const { ledger } = server;
    const { replay, outlive: wait } = await interrupted(ledger);
    const url = `/api/v1/replays/${showId("replay", replay)}/settle`;
    const viewer = await server.signedIn("vera", ["viewer"]);
    const settled = await server.signedIn("otto", ["operator"]);
    const said = { reason: "seen in its log", verdict: "sent", items: [1] };
    expect((await server.fromPage(viewer, url, said)).statusCode).toBe(403);
    await doubtFreshly(ledger, replay);
    const early = await server.fromPage(settled, url, said);
    expect(early.statusCode).toBe(409);
    expect(early.json()).toMatchObject({ error: { code: "send.may_still_happen" } });
    await wait();
    const neither = await server.fromPage(settled, url, { reason: "seen in its log", verdict: "sent" });
    expect(neither.statusCode).toBe(400);
    const answer = await server.fromPage(settled, url, said);
    expect(answer.json()).toMatchObject({ counts: { inDoubt: 1, unknown: 1 }, nextStep: { code: "settle_doubt" } });
    const again = await server.fromPage(settled, url, said);
    expect(again.json()).toMatchObject({ error: { code: "send.not_in_doubt" } });
  });
});

describeServer("sends in doubt on the command line", noPostgres, () => {
  const postgres = usePostgres();
  const type = (...line: string[]) => dloHere(line, { DATABASE_URL: postgres.url, USER: "ops-1" });

  it("are listed with the way out, which the commands then take", async () => {
    const { replay, outlive: wait } = await interrupted(await openLedger({ database: postgres.database }));
    const id = showId("replay", replay);
    const shown = await type("replay", "show", id);
    expect(shown.stdout).toContain("finished inconclusive");
    expect(shown.stdout).toContain(`Next: dlo replay items ${id} --state in_doubt`);
    const listed = await type("replay", "items", id, "--state", "in_doubt");
    expect(listed.stderr).toContain(`dlo replay settle ${id} --items N --treat-as-sent --reason '…'`);
    expect((await type("replay", "settle", id, "--items", "1", "--reason", "seen")).code).toBe(2);
    expect((await type("replay", "settle", id, "--treat-as-sent", "--reason", "seen")).code).toBe(2);

    await wait();
    const first = await type("replay", "settle", id, "--items", "1", "--treat-as-sent", "--reason", "seen");
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining("1 unknown · 1 in doubt")]);
    const rest = await type("replay", "settle", id, "--expect-count", "1", "--plan-again", "--reason", "not there");
    expect([rest.code, rest.stderr]).toEqual([0, expect.stringContaining("Their letters are open again")]);
    const over = await type("replay", "settle", id, "--items", "1", "--plan-again", "--reason", "after all");
    expect([over.code, over.stderr]).toEqual([6, expect.stringContaining("Item 1 is not in doubt, it is unknown.")]);
  });
});

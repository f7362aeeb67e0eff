import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { compileSchema } from "../../src/body-schemas/compile-schema.ts";
import { showId } from "../../src/domain/ids.ts";
import { headerText } from "../../src/domain/message.ts";
import { readEdits } from "../../src/ledger/edits.ts";
import { intendItems, leadReplay } from "../../src/ledger/lead-replay.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { readAudit } from "../../src/ledger/read-audit.ts";
import { makeEdit, openDraft } from "../../src/office/edit/edit-letter.ts";
import { parsePatch } from "../../src/office/edit/patch-json.ts";
import { changesOfItem } from "../../src/office/edit/replay-changes.ts";
import { acknowledge, approve, ask } from "../../src/office/replay/approve-replay.ts";
import { takeReport } from "../../src/office/replay/record-report.ts";
import type { ReplayParts } from "../../src/office/replay/replay-parts.ts";
import { dloHere } from "../cli/terminal.ts";
import { useLedger } from "../http/open-server.ts";
import { describeServer } from "../servers/describe-server.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import {
  approver,
  bodiesOf,
  countsOf,
  holdLetters,
  itemsOf,
  letterStates,
  operator,
  planned,
  replayWorld,
  run,
  started,
  stateOf,
} from "./world.ts";

const order = '{"id":12345678901234567890, "total": 1.10}';
const mended = order.replace("1.10", "129.90");
const mending = '[{"op":"replace","path":"/total","value":129.90}]';
const reason = "total was wrong";

const orderSchema = JSON.stringify({ type: "object", properties: { total: { type: "number" } }, required: ["total"] });
/** Of letters in `orders`, and of no others. */
const schemaFor: ReplayParts["schemaFor"] = async ({ queue }) =>
  queue === "orders" ? compileSchema(orderSchema, "order.schema.json") : null;

onEachDatabase("an edited letter", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  const edit = (letter: Uint8Array, patch = mending, from = 0, actor = operator) => {
    const change = { kind: "patch" as const, steps: parsePatch(patch) };
    return makeEdit(replayWorld(ledger).parts, actor, { letter, from, change, reason });
  };

  it("goes as edited, with every other byte as it came, and never without an approval", async () => {
    const { parts, sent } = replayWorld(ledger);
    const [letter = new Uint8Array()] = await holdLetters(ledger, [order]);
    await edit(letter);
    const replay = await planned(parts, [letter]);
    const [item] = await itemsOf(parts, replay);
    expect([item?.revision, item?.decision]).toEqual([1, "replay"]);
    await started(parts, replay);
    expect(await run(parts, replay)).toBe("finished");
    expect(bodiesOf(sent)).toEqual([mended]);
    expect((await openDraft(parts, letter)).edits[0]).toMatchObject({ revision: 1, by: "ops-1", reason });
    const entries = await readAudit(ledger, { before: null, limit: 20 });
    const told = entries.map(({ text }): unknown => JSON.parse(text));
    expect(told).toContainEqual(expect.objectContaining({ action: "letter.edited", revision: 1, reason }));
  });

  it("goes with the headers of its edit, which are part of what is approved, and keeps them under a patch", async () => {
    const { parts, sent } = replayWorld(ledger);
    const [letter = new Uint8Array()] = await holdLetters(ledger, [order]);
    const edited = (from: number, value: string | null) =>
      makeEdit(parts, operator, { letter, from, change: null, headers: [{ name: "x-tenant", value }], reason });
    expect(await edited(0, "acme")).toMatchObject({
      headers: [{ name: "x-tenant", before: null, after: "acme" }],
      ...{ changes: [], lines: [], findings: [] },
    });
    await expect(edited(1, "acme")).rejects.toMatchObject({ details: { because: "edit.nothing_changed" } });
    const first = await planned(parts, [letter]);
    await started(parts, first);
    await edited(1, "globex");
    // What was approved is another message by now, though its body is the same.
    await run(parts, first);
    expect(sent).toEqual([]);
    expect((await itemsOf(parts, first))[0]).toMatchObject({ mark: "drifted", markReason: "edit.superseded" });
    const replay = await planned(parts, [letter], { patch: mending });
    const [item] = await itemsOf(parts, replay);
    expect(await changesOfItem(parts, mending, item as never)).toMatchObject({
      headers: [{ name: "x-tenant", before: null, after: "globex" }],
    });
    await started(parts, replay);
    expect(await run(parts, replay)).toBe("finished");
    expect(bodiesOf(sent)).toEqual([mended]);
    expect(headerText(sent[0]?.headers ?? [], "x-tenant")).toBe("globex");
    expect((await readEdits(ledger, ledger.database, letter)).map(({ headers }) => headers?.[0]?.value)).toEqual([
      ...["acme", "globex", "globex"],
    ]);
  });

  it("is not approved by whoever edited it", async () => {
    const { parts } = replayWorld(ledger);
    const [letter = new Uint8Array()] = await holdLetters(ledger, [order]);
    await edit(letter, mending, 0, approver);
    const replay = await planned(parts, [letter]);
    await ask(parts, operator, { replay, reason: "mended" });
    const approving = approve(parts, approver, { replay, reason: "fine", hash: "" });
    await expect(approving).rejects.toMatchObject({ code: "APPROVAL_REFUSED" });
    await expect(approving).rejects.toThrow("edits a letter");
    expect(await stateOf(parts, replay)).toBe("awaiting_approval");
  });

  it("is not approved by whoever answered for a risk in its plan", async () => {
    const { parts } = replayWorld(ledger);
    const [letter = new Uint8Array()] = await holdLetters(ledger, [order]);
    await edit(letter);
    const look: ReplayParts["look"] = async (source, queue) => {
      const well = await parts.look(source, queue);
      return well.kind === "known" ? { ...well, keepsNextDeath: false } : well;
    };
    const replay = await planned({ ...parts, look }, [letter]);
    await acknowledge(parts, approver, { replay, reason: "nobody needs it twice", numbers: [1] });
    await ask(parts, operator, { replay, reason: "mended" });
    const approving = approve(parts, approver, { replay, reason: "fine", hash: "" });
    await expect(approving).rejects.toThrow("answers for a risk");
  });

  it("is not sent as planned once it was edited again", async () => {
    const { parts, sent } = replayWorld(ledger);
    const [letter = new Uint8Array()] = await holdLetters(ledger, [order]);
    const replay = await planned(parts, [letter]);
    await started(parts, replay);
    await edit(letter);
    await run(parts, replay);
    expect(sent).toEqual([]);
    expect((await itemsOf(parts, replay))[0]).toMatchObject({ mark: "drifted", markReason: "edit.superseded" });
  });

  it("shows whoever comes second what the first one did, and loses neither", async () => {
    const [letter = new Uint8Array()] = await holdLetters(ledger, [order]);
    const other = '[{"op":"replace","path":"/total","value":5}]';
    const both = await Promise.allSettled([edit(letter), edit(letter, other, 0, approver)]);
    const [lost] = both.filter((each) => each.status === "rejected");
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(lost?.reason).toMatchObject({
      ...{ code: "EDIT_CONFLICT", details: { from: 0, revision: 1, theirs: { revision: 1, reason, changes: [{}] } } },
    });
    expect(await readEdits(ledger, ledger.database, letter)).toHaveLength(1);
    await expect(edit(letter, other, 7)).rejects.toMatchObject({ code: "INVALID_OPTION" });
    const third = '[{"op":"replace","path":"/total","value":7}]';
    expect((await edit(letter, third, 1)).revision).toBe(2);
  });

  it("cannot be edited while it is on its way, nor without a reason", async () => {
    const { parts } = replayWorld(ledger);
    const [letter = new Uint8Array()] = await holdLetters(ledger, [order]);
    const replay = await planned(parts, [letter]);
    await started(parts, replay);
    const lead = await leadReplay(ledger, replay, 60_000);
    if (lead === null) throw new Error("Nobody else could have led it.");
    await intendItems(ledger, lead, [1]);
    await expect(edit(letter)).rejects.toMatchObject({ code: "LETTER_DECIDED" });
    expect(await readEdits(ledger, ledger.database, letter)).toEqual([]);
    const blank = makeEdit(parts, operator, { letter, from: 0, reason: " ", change: { kind: "text", text: "{}" } });
    await expect(blank).rejects.toThrow("Say why");
  });

  it("goes back to its original bytes by another edit", async () => {
    const { parts, sent } = replayWorld(ledger);
    const [letter = new Uint8Array()] = await holdLetters(ledger, [order]);
    await edit(letter);
    await makeEdit(parts, operator, { letter, from: 1, reason, change: { kind: "original" } });
    const replay = await planned(parts, [letter]);
    await started(parts, replay);
    await run(parts, replay);
    expect(bodiesOf(sent)).toEqual([order]);
  });

  it("is refused, place by place, where it would not match the schema of its queue", async () => {
    const parts = { ...replayWorld(ledger).parts, schemaFor };
    const [letter = new Uint8Array()] = await holdLetters(ledger, ['{"total":"1.10"}']);
    const [other = new Uint8Array()] = await holdLetters(ledger, ['{"total":"1.10"}'], { queue: "invoices" });
    const make = (text: string, from = 0, of = letter) =>
      makeEdit(parts, operator, { letter: of, from, reason, change: { kind: "text", text } });
    const unfit = make('{"total":"129.90"}');
    await expect(unfit).rejects.toThrow("It would not match order.schema.json: /total must be number.");
    await expect(unfit).rejects.toMatchObject({
      code: "EDIT_REFUSED",
      details: { because: "edit.schema_mismatch", complaints: [{ path: "/total", message: "must be number" }] },
    });
    const replaced = { kind: "body", body: new TextEncoder().encode("total=1") } as const;
    await expect(makeEdit(parts, operator, { letter, from: 0, reason, change: replaced })).rejects.toThrow(
      "it must be JSON",
    );
    expect(await readEdits(ledger, ledger.database, letter)).toEqual([]);
    expect((await make('{"total":129.90}')).revision).toBe(1);
    expect((await make('{"total":"129.90"}', 0, other)).revision).toBe(1);
    // It came as it is, whatever a schema says of it.
    expect((await makeEdit(parts, operator, { letter, from: 1, reason, change: { kind: "original" } })).revision).toBe(
      2,
    );
  });

  it("that its consumer's inbox took for done is open again, and does not go a second time", async () => {
    const { parts, sent } = replayWorld(ledger, { wasConsumed: false });
    const [letter = new Uint8Array()] = await holdLetters(ledger, [order]);
    await edit(letter);
    const replay = await planned(parts, [letter]);
    await started(parts, replay);
    await run(parts, replay);
    const said = { service: "shop", version: "1", instance: "a", at: new Date().toISOString() };
    const names = { letter: showId("letter", letter), replay: `${showId("replay", replay)}/1`, queue: "orders" };
    await takeReport(ledger, "rabbit", { v: 1, kind: "outcome", result: "suppressed", ...names, ...said });
    expect([sent.length, await letterStates(ledger, [letter])]).toEqual([1, ["open"]]);
    expect(await countsOf(parts, replay)).toMatchObject({ suppressed: 1 });
    const [again] = await itemsOf(parts, await planned(parts, [letter]));
    expect([again?.decision, again?.reason]).toEqual(["skip", "side_effect.done"]);
  });

  it("is not changed or taken away in the database, while its letter is there", async () => {
    const [letter = new Uint8Array()] = await holdLetters(ledger, [order]);
    await edit(letter);
    for (const statement of ["update dlo.edits set reason = 'x'", "delete from dlo.edits", "truncate dlo.edits"]) {
      await expect(ledger.database.query(statement)).rejects.toThrow();
    }
  });

  describe("with others, by one patch", () => {
    it("is part of the plan: previewed, approved, and kept when it is sent", async () => {
      const { parts, sent } = replayWorld(ledger);
      const letters = await holdLetters(ledger, [order, '{"total": 2}', '{"sum": 3}', "no json"]);
      const replay = await planned(parts, letters, { patch: mending });
      const items = await itemsOf(parts, replay);
      expect(items.map(({ revision, decision, reason: code }) => [revision, decision, code])).toEqual([
        [1, "replay", "ready"],
        [1, "replay", "ready"],
        [0, "skip", "edit.refused"],
        [0, "skip", "edit.refused"],
      ]);
      const preview = await changesOfItem(parts, mending, items[0] ?? { letterId: new Uint8Array(), revision: 0 });
      expect(preview.changes).toEqual([{ path: "/total", before: "1.10", after: "129.90" }]);
      expect(await readEdits(ledger, ledger.database, letters[0] ?? new Uint8Array())).toEqual([]);
      await started(parts, replay);
      expect(await run(parts, replay)).toBe("finished");
      expect(new Set(bodiesOf(sent))).toEqual(new Set([mended, '{"total": 129.90}']));
      const [kept] = await readEdits(ledger, ledger.database, letters[0] ?? new Uint8Array());
      expect([kept?.by, kept?.replay]).toEqual(["ops-1", replay]);
    });

    it("leaves out those that would not match their schema, and says where", async () => {
      const parts = { ...replayWorld(ledger).parts, schemaFor };
      const letters = await holdLetters(ledger, ['{"total":1,"currency":"usd"}', '{"sum":1,"currency":"usd"}']);
      const replay = await planned(parts, letters, { patch: '[{"op":"replace","path":"/currency","value":"EUR"}]' });
      const items = await itemsOf(parts, replay);
      expect(items.map(({ decision, reason: code }) => [decision, code])).toEqual([
        ["replay", "ready"],
        ["skip", "edit.refused"],
      ]);
      expect(items[1]?.details.sentence).toContain("order.schema.json: it must have required property 'total'.");
    });

    it("begins from the latest edit, and gives way to one made since", async () => {
      const { parts, sent } = replayWorld(ledger);
      const letters = await holdLetters(ledger, [order, order]);
      const [first = new Uint8Array(), second = new Uint8Array()] = letters;
      await edit(first, '[{"op":"add","path":"/note","value":"x"}]');
      const replay = await planned(parts, letters, { patch: mending });
      expect((await itemsOf(parts, replay)).map(({ revision }) => revision)).toEqual([2, 1]);
      await started(parts, replay);
      await edit(second, '[{"op":"add","path":"/note","value":"y"}]');
      await run(parts, replay);
      expect(bodiesOf(sent)).toEqual([mended.replace("}", ', "note":"x"}')]);
      expect((await itemsOf(parts, replay))[1]).toMatchObject({ mark: "drifted", markReason: "edit.superseded" });
    });

    it("refuses a patch that is none before it looks at letters", async () => {
      const { parts } = replayWorld(ledger);
      const letters = await holdLetters(ledger, [order]);
      const planning = planned(parts, letters, { patch: '{"op":"remove"}' });
      await expect(planning).rejects.toMatchObject({
        code: "EDIT_REFUSED",
        details: { because: "edit.patch_invalid" },
      });
    });
  });
});

describe("edits over HTTP", () => {
  const office = useLedger();

  it("are previewed and made by operators; the second of two is told of the first", async () => {
    const server = await office.open();
    const [letter = new Uint8Array()] = await holdLetters(server.ledger, ['{"total":1,"password":"hunter2"}']);
    const url = `/api/v1/letters/${showId("letter", letter)}/edits`;
    const viewer = await server.signedIn("vera", ["viewer"]);
    const actor = await server.signedIn("otto", ["operator"]);
    const seen = await server.fromPage(viewer, url);
    expect(seen.json()).toMatchObject({
      revision: 0,
      format: "json",
      masked: true,
      text: '{"total":1,"password":"•••"}',
    });
    const said = { from: 0, text: '{"total":2,"password":"•••"}' };
    expect((await server.fromPage(viewer, url, { ...said, reason })).statusCode).toBe(403);
    const previewed = await server.fromPage(actor, `${url}/preview`, said);
    expect(previewed.json()).toMatchObject({ changes: [{ path: "/total", before: "1", after: "2" }] });
    const made = await server.fromPage(actor, url, { ...said, reason });
    expect([made.statusCode, made.json()]).toMatchObject([200, { revision: 1, by: "otto" }]);
    const late = await server.fromPage(actor, url, { ...said, reason });
    expect([late.statusCode, late.json()]).toMatchObject([
      409,
      { error: { code: "edit.conflict", details: { theirs: { by: "otto", revision: 1 } } } },
    ]);
    const masked = await server.fromPage(actor, url, { from: 1, text: '{"total":"•••"}', reason });
    expect([masked.statusCode, masked.json()]).toMatchObject([
      400,
      { error: { code: "edit.refused", details: { because: "edit.mask_sent" } } },
    ]);
    expect(JSON.stringify([seen.json(), previewed.json(), made.json(), late.json()])).not.toContain("hunter2");
  });

  it("are refused with the places where a schema is known, in the preview as when they are made", async () => {
    const { ledger } = await office.open();
    const server = await office.open({ office: { replay: { ...replayWorld(ledger).parts, schemaFor } } });
    const [letter = new Uint8Array()] = await holdLetters(ledger, ['{"total":1}']);
    const url = `/api/v1/letters/${showId("letter", letter)}/edits`;
    const actor = await server.signedIn("otto", ["operator"]);
    const said = { from: 0, text: '{"total":null}' };
    const complaints = [{ path: "/total", message: "must be number" }];
    const answers = [
      await server.fromPage(actor, `${url}/preview`, said),
      await server.fromPage(actor, url, { ...said, reason }),
    ];
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toMatchObject([
        400,
        { error: { code: "edit.refused", details: { because: "edit.schema_mismatch", complaints } } },
      ]);
    }
  });
});

describeServer("edits on the command line", noPostgres, () => {
  const postgres = usePostgres();
  const type = (line: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    dloHere(line, { DATABASE_URL: postgres.url, USER: "ops-1", ...env });

  it("go through an editor, a setting or a file, and tell the next step", async () => {
    const ledger = await openLedger({ database: postgres.database });
    const [letter = new Uint8Array()] = await holdLetters(ledger, ['{"total": 1.10, "password": "hunter2"}']);
    const id = showId("letter", letter);
    const said = ["--reason", reason];

    const editor = { EDITOR: "sed -i s/1.10/2.20/" };
    const edited = await type(["edit", id, ...said], editor);
    expect([edited.code, edited.stdout]).toEqual([0, expect.stringContaining("/total: 1.10 → 2.20")]);
    expect(edited.stderr).toContain(`Kept as revision 1. Nothing was sent.\nNext: dlo replay plan --id ${id}`);
    const set = await type(["edit", id, "--set", "/total=9007199254740993", "--set", "/password=other", ...said]);
    expect([set.code, set.stdout]).toEqual([0, expect.stringContaining("/total: 2.20 → 9007199254740993")]);
    expect(set.stdout).not.toMatch(/hunter2|other/u);

    const spoiled = await type(["edit", id, ...said], { EDITOR: "sed -i s/password/pass/" });
    expect([spoiled.code, spoiled.stderr]).toEqual([2, expect.stringContaining("What you wrote is kept in ")]);
    expect((await type(["edit", id, ...said])).stderr).toContain("No editor is named by VISUAL or EDITOR.");

    const folder = mkdtempSync(join(tmpdir(), "dlo-edit-"));
    writeFileSync(join(folder, "order.schema.json"), orderSchema);
    writeFileSync(
      join(folder, "dlo.config.yaml"),
      "version: 1\nschemas: [{ queue: orders, file: order.schema.json }]\n",
    );
    const config = { DLO_CONFIG: join(folder, "dlo.config.yaml") };
    const unfit = await type(["edit", id, "--set", "/total=much", "--preview"], config);
    expect([unfit.code, unfit.stderr]).toEqual([
      2,
      expect.stringContaining("order.schema.json: /total must be number."),
    ]);
    rmSync(folder, { recursive: true });

    const preview = await type(["edit", id, "--original", "--preview", "--json"]);
    expect(JSON.parse(preview.stdout)).toMatchObject({ changes: [{ path: "/total" }, { path: "/password" }] });
    const plan = await type(["replay", "plan", "--id", id, "--set", "/total=3", "--json"]);
    const { id: replay, isPatched } = JSON.parse(plan.stdout) as { readonly id: string; readonly isPatched: boolean };
    expect(isPatched).toBe(true);
    const changes = await type(["replay", "changes", replay]);
    expect([changes.code, changes.stdout]).toEqual([0, expect.stringContaining("/total: 1.10 → 3")]);
  });
});

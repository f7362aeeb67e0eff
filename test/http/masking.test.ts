import { describe, expect, it } from "vitest";
import type { DeadLetter, LetterReading } from "../../src/domain/dead-letter.ts";
import { headerText } from "../../src/domain/message.ts";
import { classify } from "../../src/triage/classify.ts";
import { fingerprint } from "../../src/triage/fingerprint/fingerprint.ts";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";
import { origin, type TestServer, useLedger } from "./open-server.ts";

const card = "4111 1111 1111 1111";
const reason = "the customer asks which card it was";

async function oneLetter(
  server: TestServer,
  cookie: string,
  { queue, body }: { queue: string; body: string | Uint8Array } = { queue: "orders", body: JSON.stringify({ card }) },
): Promise<string> {
  const letter = deadLetter({
    body,
    headers: { queue, authorization: "Bearer s3cret-1" },
  });
  await hold(server.ledger, [{ letter, found: { kind: "position", position: `${queue}-1` } }]);
  const listed = await server.fromPage(cookie, `/api/v1/letters?q=queue:${queue}`);
  return listed.json<{ items: readonly { id: string }[] }>().items[0]?.id ?? "";
}

function withTenant(letter: DeadLetter): LetterReading {
  const tenant = headerText(letter.message.headers, "tenant") ?? null;
  return { ...testRoom().read(letter), tenant };
}

async function lastAction({ ledger }: TestServer): Promise<unknown> {
  const { rows } = await ledger.database.query<{ entry: Uint8Array }>(
    "select entry from dlo.audit_log order by n desc limit 1",
  );
  return JSON.parse(Buffer.from(rows[0]?.entry ?? []).toString());
}

describe("what is masked", () => {
  const ledger = useLedger();

  it("is shown one letter a time, to a person with the right, with a reason that is remembered", async () => {
    const server = await ledger.open();
    const ana = await server.signedIn("ana");
    const id = await oneLetter(server, ana);
    const plain = await server.fromPage(ana, `/api/v1/letters/${id}`);
    expect(plain.body).not.toMatch(/4111|s3cret/);

    const url = `/api/v1/letters/${id}/reveal`;
    expect((await server.fromPage(ana, url, {})).statusCode).toBe(400);
    const shown = await server.fromPage(ana, url, { reason });
    expect(shown.json()).toMatchObject({ body: { text: JSON.stringify({ card }), masked: false } });
    expect(shown.body).toContain("s3cret-1");
    expect(shown.headers["cache-control"]).toBe("no-store");
    expect(await lastAction(server)).toMatchObject({
      ...{ action: "letters.revealed", actor: { id: "ana" }, letter: id, queue: "orders", reason },
    });
    expect((await server.request({ url, headers: { cookie: ana } })).statusCode).toBe(404);
  });

  it("is searched by who may see it, with a reason that is remembered, and without the value", async () => {
    const server = await ledger.open();
    const ana = await server.signedIn("ana");
    const id = await oneLetter(server, ana);
    const q = `queue:orders body.card:"${card}"`;
    const refused = await server.fromPage(ana, `/api/v1/letters?q=${encodeURIComponent(q)}`);
    expect(refused.json()).toMatchObject({ error: { code: "query.invalid" } });

    const found = await server.fromPage(ana, "/api/v1/letters/search-masked", { q, reason });
    expect(found.json()).toMatchObject({ items: [{ id }], next: null });
    expect(found.headers["cache-control"]).toBe("no-store");
    const entry = await lastAction(server);
    expect(entry).toMatchObject({
      action: "letters.searched_masked",
      actor: { id: "ana" },
      paths: ["body.card"],
      reason,
    });
    expect(JSON.stringify(entry)).not.toContain("4111");

    const other = { q: q.replace("1111", "2222"), reason };
    expect((await server.fromPage(ana, "/api/v1/letters/search-masked", other)).json()).toMatchObject({ items: [] });
    const byHeader = { q: 'queue:orders header.authorization:"Bearer s3cret-1"', reason };
    const also = await server.fromPage(ana, "/api/v1/letters/search-masked", byHeader);
    expect(also.json()).toMatchObject({ items: [{ id }] });
  });

  it("is no answer of a condition that somebody tries, on a group or in a policy", async () => {
    const server = await ledger.open();
    const viewer = await server.signedIn("vic", ["viewer"]);
    const id = await oneLetter(server, await server.signedIn("ana"), {
      queue: "guesses",
      body: JSON.stringify({ card, order: "o-7" }),
    });
    const { group } = (await server.fromPage(viewer, `/api/v1/letters/${id}`)).json<{ group: string }>();
    const guesses = [
      `body.card.startsWith("4")`,
      `body.exists(name, body[name] == "${card}")`,
      `header.authorization.contains("s3cret")`,
      `header.exists(name, header[name].contains("s3cret"))`,
    ];
    const moving = async (when: string) => {
      const url = `/api/v1/groups/${group}/preview?when=${encodeURIComponent(when)}`;
      return (await server.fromPage(viewer, url)).json<{ moving: number }>().moving;
    };
    const ruled = async (when: string) => {
      const rule = { id: "guess", when: `letter.queue == "guesses" && ${when}`, category: "poison" };
      const text = JSON.stringify({ version: 1, rules: [rule] });
      return (await server.fromPage(viewer, "/api/v1/policy/preview", { text })).json<{ rules: { n: number }[] }>()
        .rules[0]?.n;
    };
    for (const guess of guesses) expect([guess, await moving(guess), await ruled(guess)]).toEqual([guess, 0, 0]);
    const shown = `body.order == "o-7" && body.card != ""`;
    expect([await moving(shown), await ruled(shown)]).toEqual([1, 1]);
  });

  it("is shown to no role without the right, no token and no agent", async () => {
    const server = await ledger.open();
    const ana = await server.signedIn("ana");
    const id = await oneLetter(server, ana);
    const asks = [
      [`/api/v1/letters/${id}/reveal`, { reason }],
      ["/api/v1/letters/export", { unmaskedBecause: reason }],
      ["/api/v1/letters/search-masked", { q: `queue:orders body.card:"${card}"`, reason }],
      [`/api/v1/letters/${id}/body`, { unmaskedBecause: reason }],
    ] as const;
    const approver = await server.signedIn("ben", ["approver"]);
    await server.fromPage(ana, "/api/v1/people", { id: "helper", kind: "agent", roles: ["admin"] });
    for (const [url, payload] of asks) {
      expect((await server.fromPage(approver, url, payload)).statusCode).toBe(403);
      for (const wanted of [{}, { for: "helper" }]) {
        const made = await server.fromPage(ana, "/api/v1/tokens", { name: "script", ...wanted });
        const authorization = `Bearer ${made.json<{ token: string }>().token}`;
        const refused = await server.request({ method: "POST", url, payload, headers: { authorization } });
        expect([url, wanted, refused.statusCode]).toEqual([url, wanted, 403]);
      }
    }
  });

  it("comes out of a body that is downloaded, as a file that no browser opens", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    const id = await oneLetter(server, cookie);
    const download = (letter: string, payload: object) =>
      server.request({
        ...{ method: "POST", url: `/api/v1/letters/${letter}/body`, payload },
        headers: { cookie, origin, "x-dlo-csrf": "1", accept: "application/octet-stream" },
      });
    const masked = await download(id, {});
    expect(masked.body).toMatch(/^\{"card":"[^4]+"\}$/u);
    expect(masked.headers).toMatchObject({
      ...{ "content-type": "application/octet-stream", "x-content-type-options": "nosniff" },
      ...{ "content-disposition": `attachment; filename="${id}.json"`, "cache-control": "no-store" },
    });
    expect((await download(id, { unmaskedBecause: reason })).body).toBe(JSON.stringify({ card }));
    expect(await lastAction(server)).toMatchObject({ action: "letters.revealed", letter: id, reason });
  });

  it("is not guessed at in bytes that are no text: they are given whole, to who may see them, or not at all", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    const bytes = Uint8Array.of(0xff, 0x00, 0xfe);
    const id = await oneLetter(server, cookie, { queue: "uploads", body: bytes });
    const url = `/api/v1/letters/${id}/body`;
    const refused = await server.fromPage(cookie, url, {});
    expect(refused.json()).toMatchObject({
      error: { code: "letter.body_not_shown", details: { because: "not_text" } },
    });
    const given = await server.fromPage(cookie, url, { unmaskedBecause: reason });
    expect(given.json()).toEqual({
      name: `${id}.bin`,
      base64: Buffer.from(bytes).toString("base64"),
      bytes: 3,
      masked: false,
    });
  });

  it("is looked for in large bodies, too", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    const body = `${"a".repeat(2_097_153)} password=swordfish`;
    const id = await oneLetter(server, cookie, { queue: "uploads", body });
    const given = await server.fromPage(cookie, `/api/v1/letters/${id}/body`, {});
    const { base64, masked } = given.json<{ base64: string; masked: boolean }>();
    expect([masked, Buffer.from(base64, "base64").toString()]).toEqual([true, body.replace("swordfish", "•••")]);
  });

  it("is neither a key, a tenant nor the name of a group", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    const letter = deadLetter({
      ...{ key: "ann@shop.example", body: "{}" },
      headers: { queue: "keyed", tenant: "bob@shop.example", message: "token: swordfish was refused" },
    });
    const room = { ...testRoom(), read: withTenant, triage: { classify, fingerprint } };
    await hold(server.ledger, [{ letter, found: { kind: "position", position: "keyed-1" } }], { room });
    const exported = await server.fromPage(cookie, "/api/v1/letters/export", { q: "queue:keyed" });
    expect(exported.json<{ lines: readonly string[] }>().lines).toHaveLength(1);
    const seen = [exported.body];
    for (const url of ["/api/v1/letters?q=queue:keyed", "/api/v1/groups?q=queue:keyed"])
      seen.push((await server.fromPage(cookie, url)).body);
    for (const secret of ["ann@", "bob@", "swordfish", Buffer.from("ann@shop.example").toString("base64")])
      expect(seen.filter((text) => text.includes(secret))).toEqual([]);
  });

  it("is kept by no Idempotency-Key", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    const id = await oneLetter(server, cookie);
    const headers = { cookie, origin, "x-dlo-csrf": "1", "idempotency-key": "k-1" };
    const url = `/api/v1/letters/${id}/reveal`;
    expect((await server.request({ method: "POST", url, payload: { reason }, headers })).body).toContain("4111");
    const { rows } = await server.ledger.database.query("select from dlo.answered_requests");
    expect(rows).toEqual([]);
  });

  it("is not kept either when it is a token or an invitation", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    const headers = { cookie, origin, "x-dlo-csrf": "1", "idempotency-key": "k-2" };
    const asks = [
      ["/api/v1/tokens", { name: "script" }],
      ["/api/v1/people", { id: "ivy", roles: ["viewer"] }],
    ] as const;
    for (const [url, payload] of asks) {
      expect((await server.request({ method: "POST", url, payload, headers })).statusCode).toBe(200);
    }
    const { rows } = await server.ledger.database.query("select from dlo.answered_requests");
    expect(rows).toEqual([]);
  });

  it("leaves in an export only with the right and a reason, and the letters' ids are remembered", async () => {
    const server = await ledger.open();
    const ana = await server.signedIn("ana");
    const id = await oneLetter(server, ana);
    const viewer = await server.signedIn("vic", ["viewer"]);
    const masked = await server.fromPage(viewer, "/api/v1/letters/export", {});
    const base64 = Buffer.from(JSON.stringify({ card })).toString("base64");
    expect(masked.statusCode).toBe(200);
    expect(masked.body).not.toMatch(new RegExp(`s3cret|${base64}`));
    const plain = await server.fromPage(ana, "/api/v1/letters/export", { q: "queue:orders", unmaskedBecause: reason });
    expect(plain.body).toContain(base64);
    expect(await lastAction(server)).toMatchObject({ action: "letters.exported_unmasked", reason, letters: [id] });
  });
});

import { expect, it } from "vitest";
import { OfficeError } from "../../src/domain/errors.ts";
import { serve } from "../../src/http/serve.ts";
import { markDemo } from "../../src/ledger/demo-mark.ts";
import { addPerson } from "../../src/ledger/people/people.ts";
import { approve, ask } from "../../src/office/replay/approve-replay.ts";
import { cookieOf, useLedger } from "../http/open-server.ts";
import { holdLetters, operator, planned, replayWorld } from "../replay/world.ts";

const ledgers = useLedger();
const bot = { id: "ops-2", kind: "demo", roles: ["approver"] } as const;
const demo = { visitor: "you", reset() {}, connect: async () => ({ url: "http://127.0.0.1:7718/", setup: null }) };

it("has no door without a password anywhere else", async () => {
  const server = await ledgers.open();
  expect(await server.fromPage("", "/auth/demo", {})).toMatchObject({ statusCode: 404 });
  expect(await server.fromPage("", "/auth/demo/reset", {})).toMatchObject({ statusCode: 404 });
  // Nor would the reception let anybody in, whatever the server offers.
  await expect(server.reception.enterDemo("root")).rejects.toMatchObject({ code: "SIGN_IN_REFUSED" });
});

it("lets its bot approve nothing in a ledger that is not its own", async () => {
  const { ledger } = await ledgers.open();
  const { parts } = replayWorld(ledger);
  // More than may go without a second person.
  const bodies = Array.from({ length: 11 }, (_, n) => String(n));
  const replay = await planned(parts, await holdLetters(ledger, bodies));
  await ask(parts, operator, { replay, reason: "the bank is back" });
  await expect(approve(parts, bot, { replay, reason: "", hash: "" })).rejects.toMatchObject({
    code: "APPROVAL_REFUSED",
  });
});

it("begins only in a ledger in which nothing ever happened, and marks it for good", async () => {
  const { ledger } = await ledgers.open();
  await expect(markDemo(ledger)).rejects.toBeInstanceOf(OfficeError);
  await ledger.database.query(`insert into ${ledger.at}.demo_ledger default values`, []);
  await expect(ledger.database.query(`delete from ${ledger.at}.demo_ledger`, [])).rejects.toThrow();
});

it("signs in whoever opens it, and lets nobody reset it from elsewhere", async () => {
  const server = await ledgers.open({ demo });
  await addPerson(server.ledger, server.ledger.database, { id: "you", kind: "human", roles: ["admin"] });
  expect((await server.request({ url: "/auth/session" })).json()).toMatchObject({ actor: null, isDemo: true });
  const foreign = { method: "POST", url: "/auth/demo", headers: { origin: "http://evil.test" }, payload: {} } as const;
  expect((await server.request(foreign)).statusCode).toBe(403);
  const cookie = cookieOf(await server.fromPage("", "/auth/demo", {}));
  expect((await server.fromPage(cookie, "/auth/session")).json()).toMatchObject({ actor: { id: "you" } });
  expect((await server.fromPage("", "/auth/demo/reset", {})).statusCode).toBe(401);
  expect((await server.fromPage(cookie, "/auth/demo/reset", {})).statusCode).toBe(200);
});

it("is for this machine alone", async () => {
  const options = { demo, listen: { host: "0.0.0.0", port: 0 }, publicUrl: "http://dlo.test", basePath: "/" };
  await expect(serve(options as never)).rejects.toThrow("Listen on 127.0.0.1.");
});

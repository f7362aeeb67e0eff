import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { OfficeError } from "../../src/domain/errors.ts";
import { showId, uuidOf } from "../../src/domain/ids.ts";
import { headerText, makeMessage } from "../../src/domain/message.ts";
import { beginSession } from "../../src/ledger/drain-session.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { readAudit } from "../../src/ledger/read-audit.ts";
import { callWebhook, teller, type WebhookEvent } from "../../src/office/decide/call-webhook.ts";
import { sendCompensation, settleCompensation } from "../../src/office/decide/send-compensation.ts";
import { releaseSending, stopSending } from "../../src/office/replay/stop-sending.ts";
import { guardedClient } from "../../src/outbound/guarded-client.ts";
import { systemHost } from "../../src/system/host.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import {
  bodiesOf,
  holdLetters,
  itemsOf,
  letterStates,
  operator,
  planned,
  replayWorld,
  run,
  started,
  type WorldOptions,
} from "./world.ts";

const body = new TextEncoder().encode('{"refund":1}');
const message = { source: "rabbit", queue: "refunds", body, headers: { "content-type": "application/json" } };
const reason = "charged twice";

onEachDatabase("a corrective message", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  const compensating = (letters: readonly Uint8Array[], options: WorldOptions = {}) => {
    const { parts, sent } = replayWorld(ledger, options);
    return {
      parts,
      sent,
      send: () => sendCompensation(parts, operator, { letters, reason, reference: null, message }),
    };
  };
  const actions = async () =>
    (await readAudit(ledger, { before: null, limit: 2 })).map(({ text }): unknown => JSON.parse(text));

  /** As if whoever was sending it had been silent for a minute. */
  const waitForSender = (letter: Uint8Array) =>
    ledger.database.query(
      `update ${ledger.at}.compensations set attempted_at = attempted_at - interval '1 minute' where letter_id = $1`,
      [uuidOf(letter)],
    );

  it("is refused before anything is begun where its destination is a job framework", async () => {
    const letters = await holdLetters(ledger, ["job"]);
    const { parts } = compensating(letters);
    const request = { letters, reason, reference: null, message };
    await expect(sendCompensation({ ...parts, outlooks: async () => [] }, operator, request)).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining("job framework") as string,
    });
    expect(await letterStates(ledger, letters)).toEqual(["open"]);
  });

  it("is sent for each letter, and only then the letter is compensated", async () => {
    const letters = await holdLetters(ledger, ["a", "b"]);
    const states: (readonly string[])[] = [];
    const onSend = async () => void states.push(await letterStates(ledger, letters));
    const { sent, send } = compensating(letters, { onSend });
    expect((await send()).map(({ outcome }) => outcome)).toEqual(["sent", "sent"]);
    expect(states).toEqual([
      ["in_replay", "in_replay"],
      ["compensated", "in_replay"],
    ]);
    expect(await letterStates(ledger, letters)).toEqual(["compensated", "compensated"]);
    expect(bodiesOf(sent)).toEqual(['{"refund":1}', '{"refund":1}']);
    expect(sent.map(({ headers }) => headerText(headers, "dlo-compensates"))).toEqual(
      letters.map((letter) => showId("letter", letter)),
    );
    expect((await actions())[0]).toMatchObject({ action: "letters.compensated", reason, actor: { id: "ops-1" } });
  });

  it("goes once however many ask for it at once, and for none where one of them is somebody else's", async () => {
    const letters = await holdLetters(ledger, ["a"]);
    const { sent, send } = compensating(letters);
    const both = await Promise.allSettled([send(), send(), send()]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(sent).toHaveLength(1);
    const more = await holdLetters(ledger, ["b"]);
    await expect(compensating([...letters, ...more]).send()).rejects.toMatchObject({ code: "LETTER_DECIDED" });
    expect(await letterStates(ledger, more)).toEqual(["open"]);
  });

  it("is not sent while all sending is stopped", async () => {
    const letters = await holdLetters(ledger, ["a"]);
    const { parts, sent, send } = compensating(letters);
    await stopSending(parts, operator, "the disk is full");
    await expect(send()).rejects.toMatchObject({ code: "SENDING_STOPPED" });
    await releaseSending(parts, operator, "it is not any more");
    expect([sent.length, await letterStates(ledger, letters)]).toEqual([0, ["open"]]);
  });

  it("that the broker refuses leaves its letter as it was", async () => {
    const letters = await holdLetters(ledger, ["a"]);
    const onSend = () => Promise.reject(new OfficeError("QUEUE_NOT_FOUND", "There is no queue refunds."));
    const { send } = compensating(letters, { onSend });
    expect(await send()).toMatchObject([{ outcome: "unsent", why: "There is no queue refunds." }]);
    expect(await letterStates(ledger, letters)).toEqual(["open"]);
    expect((await actions())[0]).toMatchObject({ action: "letters.compensation_failed" });
    expect(await compensating(letters).send()).toMatchObject([{ outcome: "sent" }]);
  });

  it("without an answer is in doubt: not sent again, and no replay takes its letter, until somebody says", async () => {
    const letters = await holdLetters(ledger, ["a"]);
    const [letter = new Uint8Array()] = letters;
    const { parts, send } = compensating(letters, { onSend: () => Promise.reject(new Error("socket hang up")) });
    expect(await send()).toMatchObject([{ outcome: "in_doubt" }]);
    expect(await letterStates(ledger, letters)).toEqual(["in_replay"]);
    await expect(compensating(letters).send()).rejects.toMatchObject({ code: "LETTER_DECIDED" });
    const [item] = await itemsOf(parts, await planned(parts, letters));
    expect(item).toMatchObject({ decision: "skip", reason: "claimed" });
    const word = { letter, outcome: "sent", reason: "seen in the log of refunds" } as const;
    await expect(settleCompensation(parts, operator, word)).rejects.toMatchObject({ code: "SENDER_MAY_WAKE" });
    await waitForSender(letter);
    await settleCompensation(parts, operator, word);
    expect(await letterStates(ledger, letters)).toEqual(["compensated"]);
    await expect(settleCompensation(parts, operator, word)).rejects.toMatchObject({ code: "SEND_NOT_IN_DOUBT" });
  });

  it("whose turn has not come can be taken back at once, and is not sent then", async () => {
    const letters = await holdLetters(ledger, ["a", "b"]);
    const [, letter = new Uint8Array()] = letters;
    const { parts, sent, send } = compensating(letters, {
      async onSend() {
        const word = { letter, reason: "one of them is enough" };
        const settle = (outcome: "sent" | "unsent") => settleCompensation(parts, operator, { ...word, outcome });
        await expect(settle("sent")).rejects.toMatchObject({ code: "SEND_NOT_IN_DOUBT" });
        await settle("unsent");
      },
    });
    expect((await send()).map(({ outcome }) => outcome)).toEqual(["sent", "unsent"]);
    expect([sent.length, await letterStates(ledger, letters)]).toEqual([1, ["compensated", "open"]]);
  });

  it("whose turn comes after all sending was stopped is not sent, and leaves its letter as it was", async () => {
    const letters = await holdLetters(ledger, ["a", "b"]);
    const { parts, sent, send } = compensating(letters, {
      onSend: async () => void (await stopSending(parts, operator, "wrong amount")),
    });
    onTestFinished(() => releaseSending(parts, operator, "it is right now"));
    expect((await send()).map(({ outcome }) => outcome)).toEqual(["sent", "unsent"]);
    expect([sent.length, await letterStates(ledger, letters)]).toEqual([1, ["compensated", "open"]]);
  });

  it("is not sent without a connection, so that nothing is in doubt", async () => {
    const letters = await holdLetters(ledger, ["a"]);
    const { parts } = compensating(letters);
    const cut = { ...parts, line: () => Promise.reject(new Error("connect ECONNREFUSED")) };
    const request = { letters, reason, reference: null, message };
    expect(await sendCompensation(cut, operator, request)).toMatchObject([{ outcome: "unsent" }]);
    expect(await letterStates(ledger, letters)).toEqual(["open"]);
  });

  it("that is under way decides about its letter, though a copy of it comes back meanwhile", async () => {
    const letters = await holdLetters(ledger, ["a"]);
    const world = replayWorld(ledger);
    const replay = await planned(world.parts, letters);
    await started(world.parts, replay);
    await run(world.parts, replay);
    const [copy] = world.sent;
    const session = { id: replay, source: "rabbit", queue: "orders.dlq" };
    await beginSession(ledger, session, { actor: operator, leaseMs: 600_000 });
    const comesBack = (ordinal: number) => {
      const found = { kind: "delivery", session: session.id, ordinal, redelivered: false } as const;
      return hold(ledger, [{ letter: deadLetter({}, { message: copy ?? makeMessage({}) }), found }], { session });
    };
    await comesBack(1);
    expect(await letterStates(ledger, letters)).toEqual(["returned"]);
    const states: (readonly string[])[] = [];
    const onSend = async () => {
      await comesBack(2);
      states.push(await letterStates(ledger, letters));
    };
    expect(await compensating(letters, { onSend }).send()).toMatchObject([{ outcome: "sent" }]);
    expect([...states, await letterStates(ledger, letters)]).toEqual([["in_replay"], ["compensated"]]);
    expect((await actions())[0]).toMatchObject({ action: "letters.compensated" });
  });

  it("that is late says nothing of the one that somebody has sent since", async () => {
    const letters = await holdLetters(ledger, ["a"]);
    const [letter = new Uint8Array()] = letters;
    const next = compensating(letters, { onSend: () => Promise.reject(new Error("socket hang up")) });
    const late = compensating(letters, {
      async onSend() {
        await waitForSender(letter);
        await settleCompensation(next.parts, operator, { letter, outcome: "unsent", reason: "not in its log" });
        expect(await next.send()).toMatchObject([{ outcome: "in_doubt" }]);
      },
    });
    await late.send();
    expect(await letterStates(ledger, letters)).toEqual(["in_replay"]);
  });
});

describe("a webhook", () => {
  const event: WebhookEvent = { type: "letters.escalated", letters: ["ltr_1"], reason, reference: null, by: "ops-1" };

  async function listen(status = 200) {
    const calls: { readonly headers: Readonly<Record<string, unknown>>; readonly body: string }[] = [];
    const server = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk) => {
        text += String(chunk);
      });
      request.on("end", () => {
        calls.push({ headers: request.headers, body: text });
        response.writeHead(status).end();
      });
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const parts = { clock: systemHost.clock, outside: guardedClient({ allow: [host] }) };
    return { calls, parts, hook: { name: "tickets", url: `http://${host}/`, secret: "whsec_c2VjcmV0" } };
  }

  it("is signed over id, time and body, and gets the same id when it is told again", async () => {
    const { calls, parts, hook } = await listen();
    await callWebhook(parts, hook, event);
    await callWebhook(parts, hook, event);
    const [first, second] = calls;
    const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature } = first?.headers ?? {};
    const mac = createHmac("sha256", "secret")
      .update(`${String(id)}.${String(time)}.${first?.body}`)
      .digest("base64");
    expect(signature).toBe(`v1,${mac}`);
    expect(second?.headers["webhook-id"]).toBe(id);
    expect(JSON.parse(first?.body ?? "")).toMatchObject({
      type: "letters.escalated",
      data: { letters: ["ltr_1"], reason },
    });
  });

  it("is called by its name in the configuration, and not at all when it is in a private network", async () => {
    const { calls, parts, hook } = await listen();
    const hooks = [{ name: "tickets", resolve: async () => hook }];
    await teller({ ...parts, hooks })("tickets", event);
    expect(calls).toHaveLength(1);
    await expect(teller({ ...parts, hooks })("pager", event)).rejects.toMatchObject({ code: "NOTIFIER_NOT_FOUND" });
    const shut = teller({ ...parts, outside: guardedClient(), hooks });
    await expect(shut("tickets", event)).rejects.toMatchObject({ code: "WEBHOOK_FAILED" });
    expect(calls).toHaveLength(1);
  });

  it("that does not say yes is a failure, with nothing of its address in it", async () => {
    const { parts, hook } = await listen(500);
    const told = callWebhook(parts, hook, event);
    await expect(told).rejects.toMatchObject({ code: "WEBHOOK_FAILED" });
    await expect(told).rejects.toThrow("The webhook tickets was not told, so nothing was changed: It answered 500.");
  });
});

import { expect, it, onTestFinished } from "vitest";
import type { BodyStore } from "../../../src/domain/body-store.ts";
import { OfficeError } from "../../../src/domain/errors.ts";
import { makeMessage, textHeader } from "../../../src/domain/message.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { fakeHost } from "../../../src/testing/fake-host.ts";
import { encodeMessage } from "../../../src/transports/sqs/message-codec.ts";
import { sqsLink, sqsTransportDefaults } from "../../../src/transports/sqs/transport.ts";
import type { Incident } from "../../../src/transports/transport.ts";
import { sqsCredentials } from "../../servers/elasticmq.ts";
import { md5, scriptedSqs } from "./scripted-sqs.ts";

const sha256 = "a".repeat(64);
const away = () => new OfficeError("STORE_UNAVAILABLE", "S3 is away.", { details: { reason: "TimeoutError" } });
const refused = () => new OfficeError("STORE_UNAVAILABLE", "Not you.", { details: { reason: "AccessDenied" } });
const nothingKept: BodyStore = { name: "s", keep: async () => {}, read: async () => null, forget: async () => {} };

/** A queue that always has a small message and one whose body is elsewhere, received so often. */
async function setup(bodies: Partial<BodyStore>, receives = 1) {
  const body = JSON.stringify({ "dlo-claim": sha256, bytes: 9 });
  const message = makeMessage({ body, properties: [textHeader("dlo-claim", sha256)] });
  const { MessageBody: Body = "", MessageAttributes } = encodeMessage(message, {
    ...{ fifo: false, newId: () => "", waitMs: 0 },
  });
  const Attributes = { ApproximateReceiveCount: String(receives) };
  const large = { MessageId: "large", ReceiptHandle: "large", Body, MD5OfBody: md5(Body), MessageAttributes };
  const small = { MessageId: "small", ReceiptHandle: "small", Body: "x", MD5OfBody: md5("x") };
  const Messages = [large, small].map((one) => ({ ...one, Attributes }));
  const { endpoint, entries, asked } = await scriptedSqs({ ReceiveMessage: () => ({ Messages }) });
  const host = fakeHost();
  const place = { endpoint, credentials: sqsCredentials, host, bodies: { ...nothingKept, ...bodies } };
  const link = sqsLink({ ...sqsTransportDefaults, ...place });
  onTestFinished(() => link.close());
  const incidents: Incident[] = [];
  const report = (incident: Incident) => incidents.push(incident);
  const take = () => link.take({ name: "orders" }, 10, { leaseMs: 60_000, order: "none", report });
  const positions = async () => (await take()).map(({ position }) => position);
  const received = () => asked.filter(({ action }) => action === "ReceiveMessage").length;
  const hidden = () => entries("ChangeMessageVisibilityBatch").map(({ VisibilityTimeout }) => VisibilityTimeout);
  return { link, take, positions, received, hidden, entries, host, incidents };
}

it("receives nothing while the place of bodies is away, since every receive counts, and goes on when it is back", async () => {
  let isAway = true;
  const read = () => (isAway ? Promise.reject(away()) : Promise.resolve(null));
  const { positions, received, hidden, incidents } = await setup({ read });
  expect([await positions(), hidden()]).toEqual([["small"], [30]]);
  expect(incidents).toMatchObject([{ kind: "delivery-lost", error: { code: "STORE_UNAVAILABLE" }, retryInMs: 30_000 }]);
  await expect(positions()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await expect(positions()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  expect(received()).toBe(1);
  isAway = false;
  expect([await positions(), received()]).toEqual([["large", "small"], 2]);
});

it("hides a message for longer each time its body alone is refused, and takes the others all the while", async () => {
  const read = () => Promise.reject(refused());
  const { positions, hidden } = await setup({ read }, 4);
  expect([await positions(), await positions(), hidden()]).toEqual([["small"], ["small"], [240, 240]]);
});

it("renews the leases of all it received where a body was long in coming", async () => {
  const { host, ...link } = await setup({
    read: async () => {
      await host.clock.advance(20_000);
      return null;
    },
  });
  const taken = await link.take();
  expect(taken.map(({ receipt }) => receipt.leaseUntil - host.clock.now())).toEqual([60_000, 60_000]);
  expect(link.hidden()).toEqual([60, 60]);
});

it("waits for a body no longer than half of its lease", async () => {
  const { host, ...link } = await setup({ read: () => new Promise(() => {}) });
  const taking = link.positions();
  await eventually(() => host.clock.timers > 0);
  await host.clock.advance(30_000);
  expect([await taking, link.incidents[0]]).toMatchObject([["small"], { error: { details: { limitMs: 30_000 } } }]);
});

it("asks again for a retry whose body could not be kept, since nothing was sent", async () => {
  let isAway = true;
  const keep = () => (isAway ? Promise.reject(away()) : Promise.resolve());
  const { link, take, entries } = await setup({ keep });
  const [, small] = await take();
  if (small === undefined) throw new Error("There is one.");
  const retry = { ...small.message, body: new Uint8Array(2_000_000) };
  await expect(link.replace(small.receipt, retry, 0)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  isAway = false;
  expect(await link.replace(small.receipt, retry, 0)).toBe(true);
  expect(entries("SendMessageBatch")).toHaveLength(1);
});

it("sends a retry once, though it is asked for again while its body is still on its way", async () => {
  let keepIt = () => {};
  const keep = () =>
    new Promise<void>((resolve) => {
      keepIt = resolve;
    });
  const { link, take, entries } = await setup({ keep });
  const [, small] = await take();
  if (small === undefined) throw new Error("There is one.");
  const retry = { ...small.message, body: new Uint8Array(2_000_000) };
  const asking = [link.replace(small.receipt, retry, 0), link.replace(small.receipt, retry, 0)];
  await eventually(() => {
    keepIt();
    return entries("SendMessageBatch").length > 0;
  });
  expect(await Promise.all(asking)).toEqual([true, true]);
  expect(entries("SendMessageBatch")).toHaveLength(1);
});

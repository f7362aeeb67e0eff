import { tmpdir } from "node:os";
import { expect, it, onTestFinished } from "vitest";
import { parseConfig } from "../config/config-file.ts";
import { makeMessage } from "../domain/message.ts";
import { systemClock } from "../system/host.ts";
import { eventually } from "../testing/eventually.ts";
import type { OpenedSource } from "./opened-source.ts";
import { realSources } from "./real-sources.ts";
import type { KeptSource } from "./source-book.ts";

/** Nobody is there: what is opened connects when it is needed. */
const address = "amqp://127.0.0.1:1";
const { sources: configured } = parseConfig(`version: 1
sources:
  - { name: steady, broker: rabbitmq, url: "${address}" }
`);

it("lets go of a source that is gone or has another address, as soon as that is known, and of no other", async () => {
  let kept: readonly KeptSource[] = [];
  const { pool, desk } = realSources({
    ...{ configured, read: async () => kept, clock: systemClock },
    ...{ env: { DLO_SECRET_KEY: "5e".repeat(32) }, dataFolder: tmpdir(), isEmbedded: true },
  });
  onTestFinished(() => pool.close());
  const connected = async (name: string): Promise<KeptSource> => {
    const sealed = await desk.seal(name, { broker: null, url: address });
    const unsaid = { owner: null, management: null, schema: null, prefix: null, transports: null, key: null };
    return { name, ...unsaid, ...(await desk.sealKeys(name, null)), queues: [], ...sealed };
  };
  const [moved, gone, same] = await Promise.all(["moved", "gone", "same"].map(connected));
  if (moved === undefined || gone === undefined || same === undefined) throw new Error("There are three.");
  kept = [moved, gone, same];
  await desk.book.refresh();
  const before = await Promise.all(["moved", "gone", "same", "steady"].map((name) => pool.get(name)));
  kept = [await connected("moved"), { ...same, queues: [{ match: "*", mode: "drain" }] }];
  await desk.book.refresh();
  const expected = ["TRANSPORT_CLOSED", "TRANSPORT_CLOSED", "TRANSPORT_UNAVAILABLE", "TRANSPORT_UNAVAILABLE"];
  await eventually(async () => expect(await Promise.all(before.map(refusal))).toEqual(expected));
  expect(await refusal(await pool.get("moved"))).toBe("TRANSPORT_UNAVAILABLE");
  await expect(pool.get("gone")).rejects.toMatchObject({ code: "SOURCE_NOT_FOUND" });
});

/** Why it sends nothing. */
async function refusal({ transport }: OpenedSource): Promise<unknown> {
  const sending = transport.send({ name: "orders" }, makeMessage({ body: "a" }));
  return sending.catch((error: unknown) => (error as { code?: unknown }).code);
}

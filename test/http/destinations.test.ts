import { expect, it } from "vitest";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { useLedger } from "./open-server.ts";

const ledgers = useLedger();

it("says where the letters of a plan go, and how long that takes at the most", async () => {
  const server = await ledgers.open();
  const cookie = await server.signedIn("ana");
  const letters = ["orders", "orders", "orders", "mails"].map((queue, n) => ({
    letter: deadLetter({ body: `${n}`, headers: { queue, category: "transient", "dlo-category": "transient" } }),
    found: { kind: "position", position: `${queue} ${n}` } as const,
  }));
  await hold(server.ledger, letters);
  const planned = (await server.fromPage(cookie, "/api/v1/replays", { q: "queue:orders,mails" })).json<
    OutputOf<"replays.plan">
  >();
  expect(planned.destinations).toEqual([
    { source: "rabbit", queue: "orders", n: 3 },
    { source: "rabbit", queue: "mails", n: 1 },
  ]);
  const { rate, settleS } = planned.limits;
  expect(planned.takesS).toBe(4 / rate + planned.steps.length * settleS);
  const path = `/api/v1/replays/${planned.id}/cancel`;
  const cancelled = (await server.fromPage(cookie, path, { reason: "not now" })).json<OutputOf<"replays.get">>();
  expect(cancelled.takesS).toBeNull();
});

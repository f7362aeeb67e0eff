import { expect, it } from "vitest";
import type { Actor } from "../../src/domain/actor.ts";
import { showId } from "../../src/domain/ids.ts";
import { defaultProtocols, type Protocol } from "../../src/domain/protocol.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { makeEdit } from "../../src/office/edit/edit-letter.ts";
import { useLedger } from "../http/open-server.ts";
import { callsOn } from "../policy/office.ts";
import { holdLetters, operator, replayWorld } from "./world.ts";

const ledgers = useLedger();

/** A letter of a queue of its own, under that protocol. */
async function oneLetter(ledger: Ledger, protocol: Partial<Protocol> = {}, actor: Actor = operator) {
  const queue = `orders-${crypto.randomUUID()}`;
  const { parts } = replayWorld(ledger, { protocol });
  const call = callsOn(ledger, parts);
  const hold = async (...bodies: readonly string[]) => holdLetters(ledger, bodies, { queue });
  const [letter = new Uint8Array(16)] = await hold('{"total":1}');
  const id = showId("letter", letter);
  return { ...{ parts, call, hold, letter, id, actor, queue } };
}

type Held = Awaited<ReturnType<typeof oneLetter>>;

/** What the letter's page says, and what its plan asks for. */
async function bothSay({ call, id, actor }: Held) {
  const { outlook, reason } = await call("letters.outlook", actor, { id });
  const plan = await call("replays.plan", actor, { letters: [id] });
  return { outlook, approvals: plan.approvalsNeeded, change: reason.change };
}

it("says of a letter that needs an approval what its plan says", async () => {
  const { ledger } = await ledgers.open();
  const plain = await oneLetter(ledger);
  expect(await bothSay(plain)).toEqual({ outlook: "ready", approvals: 0, change: "" });

  const edited = await oneLetter(ledger);
  await makeEdit(edited.parts, operator, {
    ...{ letter: edited.letter, from: 0, change: null, reason: "wrong tenant" },
    headers: [{ name: "x-tenant", value: "acme" }],
  });
  expect(await bothSay(edited)).toEqual({
    ...{ outlook: "needs-approval", approvals: 1, change: "It was edited, so its plan needs an approval." },
  });

  const careful = await oneLetter(ledger, {
    approvals: { ...defaultProtocols.transient.approvals, exemptUpTo: 0 },
  });
  expect(await bothSay(careful)).toMatchObject({ outlook: "needs-approval", approvals: 1 });
});

it("counts the day of whoever looks, as a plan does", async () => {
  const { ledger } = await ledgers.open();
  const who: Actor = { ...operator, id: "ops-of-a-long-day" };
  const held = await oneLetter(
    ledger,
    { approvals: { ...defaultProtocols.transient.approvals, exemptPerDay: 2 } },
    who,
  );
  const { call, hold, queue } = held;
  const letters = (await hold("a", "b")).map((id) => showId("letter", id));
  const { id } = await call("replays.plan", who, { letters });
  await call("replays.ask", who, { id, reason: "payments is back" });
  await call("replays.start", who, { id, expectCount: 2 });
  expect(await bothSay(held)).toEqual({
    ...{ outlook: "needs-approval", approvals: 1 },
    change: `You replayed 2 letters of ${queue} without approval today. The limit is 2. Its plan needs an approval.`,
  });
  expect(await bothSay({ ...held, actor: operator })).toMatchObject({ outlook: "ready", approvals: 0 });
});

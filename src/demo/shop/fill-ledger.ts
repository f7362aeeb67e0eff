import type { Actor } from "../../domain/actor.ts";
import type { Host } from "../../domain/clock.ts";
import type { DeadLetter } from "../../domain/dead-letter.ts";
import { idsInOrder } from "../../domain/ids.ts";
import { recordAction } from "../../ledger/audit.ts";
import { markDemo } from "../../ledger/demo-mark.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { addPerson } from "../../ledger/people/people.ts";
import { holdBatch } from "../../office/intake/hold-batch.ts";
import { type ReadingRoom, readLetters } from "../../office/intake/read-letters.ts";
import { approver, operator, visitor } from "./cast.ts";
import { type PastDeath, pastDeaths } from "./history.ts";
import { trades } from "./trades.ts";

const itself: Actor = { id: "demo", kind: "system", roles: ["admin"] };
const batch = 500;
/** A drain takes a moment. */
const drainedAfterMs = 2_000;

/** Makes an empty ledger that of a demonstration: marked for good, with its people, and with what died before it began. */
export async function fillLedger(
  ledger: Ledger,
  room: ReadingRoom,
  { host, seed }: { readonly host: Host; readonly seed: number },
): Promise<void> {
  const now = host.clock.now();
  await markDemo(ledger);
  for (const { id, kind, roles } of [visitor, approver, operator]) {
    const person = { id, kind: kind === "demo" ? kind : "human", roles } as const;
    await addPerson(ledger, ledger.database, person);
    const details = { person: id, kind: person.kind, roles };
    await recordAction(ledger, ledger.database, { at: now, actor: itself, action: "people.added", details });
  }
  const newId = idsInOrder(host.newId);
  const deaths = await pastDeaths(seed, now);
  const arrivals = deaths.map(({ at }) => at + drainedAfterMs).values();
  const then: ReadingRoom = {
    ...room,
    newLetterId() {
      const arrivedAt = arrivals.next().value ?? now;
      return { id: newId(arrivedAt), arrivedAt };
    },
  };
  const found = deaths.map((death, ordinal) => ({
    letter: letterOf(death),
    source: trades[death.trade].source,
    found: { kind: "position" as const, position: `${death.queue}/past/${ordinal}` },
  }));
  const letters = await readLetters(then, found, host.clock);
  for (let from = 0; from < letters.length; from += batch) {
    const some = letters.slice(from, from + batch);
    await holdBatch(ledger, { letters: some, actor: itself, now, by: "demo", session: null });
  }
}

function letterOf({ trade, queue, message }: PastDeath): DeadLetter {
  return {
    ...{ broker: trades[trade].source === "shop" ? "memory" : "postgres", queue, message },
    ...{ partition: null, offset: null, timestamp: null, exchange: null, routingKey: null, redelivered: false },
  };
}

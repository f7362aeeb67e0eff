import { type WorkingConsumer, workingConsumers } from "../../ledger/consumers.ts";
import { type DoubtfulSend, findDoubtful } from "../../ledger/settle-doubt.ts";
import type { ExaminedLetter } from "./examine-letters.ts";
import { goesWithKey } from "./letter-key.ts";
import type { ReplayParts } from "./replay-parts.ts";
import { soughtDays } from "./seek-evidence.ts";

/** A consumer that was silent for longer may have been replaced by one without an inbox. */
const heardWithinMs = 120_000;

/**
 * Numbers of the sends in doubt of which a second copy would have no second effect: no broker tells of them, every consumer there
 * reports an inbox that remembers for long enough, and nobody else reads there.
 */
export async function findRepeatable(
  { ledger, host, look }: Pick<ReplayParts, "ledger" | "host" | "look">,
  replay: Uint8Array,
): Promise<readonly number[]> {
  const doubtful = (await findDoubtful(ledger, replay, soughtDays)).filter(({ note }) => note === null);
  const working = await workingConsumers(
    ledger,
    doubtful.map(({ queue }) => queue),
  );
  const since = host.clock.now() - heardWithinMs;
  const wouldCatch = (send: DoubtfulSend) => {
    const consumers = working.get(`${send.source}/${send.queue}`) ?? [];
    return consumers.length > 0 && consumers.every((each) => each.lastSeenAt > since && remembers(each, send));
  };
  const caught = doubtful.filter(wouldCatch);
  const shared = await findShared(look, caught);
  return caught.filter((send) => !shared.has(`${send.source}/${send.queue}`)).map(({ n }) => n);
}

/** Where other groups read as well, or may: on a log each of them would get the second copy, and not all have an inbox. */
async function findShared(look: ReplayParts["look"], sends: readonly DoubtfulSend[]): Promise<ReadonlySet<string>> {
  const places = new Map(sends.map((send) => [`${send.source}/${send.queue}`, send]));
  const shared = new Set<string>();
  for (const [name, { source, queue }] of places) {
    const facts = await look(source, { queue, via: null });
    if (facts.kind !== "known" || facts.otherGroups.length > 0) shared.add(name);
  }
  return shared;
}

/** Half of its time has to be left: a second copy may wait in the queue for long. */
function remembers({ inboxWindowS }: WorkingConsumer, { ageS }: DoubtfulSend): boolean {
  return inboxWindowS !== null && ageS < inboxWindowS / 2;
}

/** An inbox knows a message by its key, for as long as it remembers; one without a key is new to it each time. */
export function hasInboxKey(letter: ExaminedLetter): boolean {
  const { candidate, duplicates } = letter;
  return goesWithKey({ ...letter, queue: duplicates?.queue ?? candidate.queue }) && duplicates?.kind !== "expired";
}

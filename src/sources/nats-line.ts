import { askOnce } from "../domain/ask-once.ts";
import type { Clock } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import type { NatsConnection } from "../transports/nats/connection.ts";
import { type ReplaySends, replaySends, type StreamMemory } from "../transports/nats/replay-sends.ts";
import type { Place } from "../transports/nats/topology.ts";
import type { LostSend, SendFinding, SendLine } from "./send-line.ts";

export interface NatsLineParts {
  readonly replay: Uint8Array;
  readonly clock: Clock;
  /** Where messages for a queue go. */
  readonly placeOf: (queue: string) => Promise<Place>;
}

/** What was so when a send was intended. */
interface Note extends StreamMemory {
  readonly at: number;
}

/** So much of the time that a stream remembers ids is left for what is still on its way. */
const marginMs = 30_000;

/**
 * Each item has one id, whoever sends it and however often: a stream takes it once while it remembers it, and says whether it
 * does. So what it does not know within that time may be sent again, and a sender that wakes up late changes nothing: it is
 * either known as sent already, or too late to send at all. After that, or when nobody can say that the stream and its server are
 * the same, nobody can tell.
 */
export function natsLine(connection: NatsConnection, { replay, clock, placeOf }: NatsLineParts): SendLine {
  const sends = replaySends(connection, replay);
  const places = new Map<string, Promise<Place>>();
  const placeOnce = (queue: string) => askOnce(places, queue, () => placeOf(queue));
  return {
    sideBySide: true,
    async note(queue) {
      const note: Note = { ...(await sends.memory(await placeOnce(queue))), at: clock.now() };
      return JSON.stringify(note);
    },
    async send(queue, message, { n, note = null }) {
      const place = await placeOnce(queue);
      // Last of all: whoever stood still until now may find that somebody else has sent it, so long ago that the stream forgot.
      requireEarly(note, clock);
      await sends.send(place, message, n);
    },
    commit: async () => {},
    async findOut(lost) {
      const found = await Promise.all(
        lost.map(async (each) => [each.n, await findingOf(sends, await placeOnce(each.queue), each, clock)] as const),
      );
      return new Map(found.flatMap(([n, finding]) => (finding === null ? [] : [[n, finding] as const])));
    },
  };
}

async function findingOf(
  sends: ReplaySends,
  place: Place,
  { n, note }: LostSend,
  clock: Clock,
): Promise<SendFinding | null> {
  if (await sends.isKnown(place, n)) return "sent";
  if (note === null) return null;
  const then = JSON.parse(note) as Note;
  const now = await sends.memory(place);
  const isSame = now.stream === then.stream && now.created === then.created && now.server === then.server;
  return isSame && tellsUnsent(then) && clock.now() < lastAt(then) ? "unsent" : null;
}

/** Whether somebody may ever say of such a send that it did not happen. */
function tellsUnsent({ server, windowMs }: Note): boolean {
  return server !== null && windowMs > marginMs;
}

function lastAt({ at, windowMs }: Note): number {
  return at + windowMs - marginMs;
}

/** Nothing is refused of what nobody would send again. */
function requireEarly(note: string | null, clock: Clock): void {
  if (note === null) return;
  const then = JSON.parse(note) as Note;
  if (!tellsUnsent(then) || clock.now() < lastAt(then)) return;
  const sentence =
    "It was meant to be sent so long ago that somebody else may have sent it since, and its stream would no longer know. It was " +
    "not sent; what became of it is found out, or for a person to say.";
  throw new OfficeError("TRANSPORT_UNAVAILABLE", sentence, { details: { meantAt: then.at } });
}

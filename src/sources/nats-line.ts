import type { Clock } from "../domain/clock.ts";
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

/** So much of the time that a stream remembers ids is left for what is sent again under the same. */
const marginMs = 20_000;

/**
 * Each item has one id, whoever sends it and however often: a stream takes it once while it remembers it, and says whether it
 * does without being sent anything. So what it does not know within that time may be sent again, and a sender that wakes up
 * late changes nothing. After that, or when the stream or its server is another, nobody can tell.
 */
export function natsLine(connection: NatsConnection, { replay, clock, placeOf }: NatsLineParts): SendLine {
  const sends = replaySends(connection, replay);
  const places = new Map<string, Promise<Place>>();
  const placeOnce = (queue: string) => {
    const place = places.get(queue) ?? placeOf(queue);
    places.set(queue, place);
    place.catch(() => places.delete(queue));
    return place;
  };
  return {
    sideBySide: true,
    async note(queue) {
      const note: Note = { ...(await sends.memory(await placeOnce(queue))), at: clock.now() };
      return JSON.stringify(note);
    },
    send: async (queue, message, { n }) => sends.send(await placeOnce(queue), message, n),
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
  const isSame = now.stream === then.stream && now.created === then.created && now.leader === then.leader;
  return isSame && clock.now() - then.at < then.windowMs - marginMs ? "unsent" : null;
}

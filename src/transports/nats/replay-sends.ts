import { isOfficeError } from "../../domain/errors.ts";
import { showId } from "../../domain/ids.ts";
import type { Message } from "../../domain/message.ts";
import type { NatsConnection } from "./connection.ts";
import { encodeMessageHeaders } from "./message-codec.ts";
import type { Place } from "./topology.ts";

/** What has to be known of a stream to tell later whether it would still know a send. */
export interface StreamMemory {
  readonly stream: string;
  /** Another stream of that name remembers nothing. */
  readonly created: string;
  /**
   * Whose memory it is: one that was restarted may have forgotten ids of what was consumed meanwhile. Null where nobody can say that
   * it is the same: in a cluster another may lead it at any time, who need not have heard of what the last one took, and a server
   * that has no JetStream of its own passes on to we do not know whom.
   */
  readonly server: string | null;
  /** How long it remembers ids, in milliseconds. */
  readonly windowMs: number;
}

export interface ReplaySends {
  memory(place: Place): Promise<StreamMemory>;
  /** Resolves when the stream has it: by this call or by an earlier one that it remembers. */
  send(place: Place, message: Message, n: number): Promise<void>;
  /** Whether the stream remembers that send. Nothing is sent. */
  isKnown(place: Place, n: number): Promise<boolean>;
}

/** No stream will ever have had so many messages. */
const impossible = "9007199254740991";
const wrongSequence = /wrong last sequence/u;

/** Sends of one replay. A stream takes each of its numbers once, as long as it remembers it. */
export function replaySends(connection: NatsConnection, replay: Uint8Array): ReplaySends {
  const idOf = (n: number) => `${showId("replay", replay)}:${n}`;
  return {
    async memory({ stream }) {
      const { client } = await connection.opened();
      const { config, created, cluster } = await connection.manage((manager) => manager.streams.info(stream));
      const server = cluster === undefined && client.info?.jetstream === true ? client.info.server_id : null;
      return { stream, created: String(created), server, windowMs: (config.duplicate_window ?? 0) / 1e6 };
    },
    async send({ subject }, message, n) {
      const { makeHeaders } = await connection.opened();
      const headers = encodeMessageHeaders(message, { onward: true, id: idOf(n) }, makeHeaders);
      await connection.publish(subject, { payload: new Uint8Array(message.body), headers });
    },
    /** A stream looks for the id before it looks for the number that we say it must have come to, which it never has. */
    async isKnown({ subject }, n) {
      const { makeHeaders } = await connection.opened();
      const nothing: Message = { body: new Uint8Array(), headers: [], key: null, properties: [] };
      const headers = encodeMessageHeaders(nothing, { onward: true, id: idOf(n) }, makeHeaders);
      headers?.append("Nats-Expected-Last-Sequence", impossible);
      try {
        const answer = await connection.publish(subject, { payload: nothing.body, headers });
        return answer.duplicate === true;
      } catch (error) {
        if (isOfficeError(error) && wrongSequence.test(String(error.details.nats))) return false;
        throw error;
      }
    },
  };
}

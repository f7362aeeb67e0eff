import { unknownAnswer } from "../unknown-answer.ts";

/** One message of one consumer, as the subject says on which it is acknowledged. */
export interface StreamPlace {
  readonly stream: string;
  readonly seq: string;
  /** How often the server has given it out to this consumer, this time included. */
  readonly deliveries: number;
  /** When the stream took it, in nanoseconds since 1970: another stream of the same name has another. */
  readonly storedAtNs: string;
}

/** `$JS.ACK.<stream>.<consumer>.<deliveries>.<seq>.<n>.<ns>.<pending>`, with domain and account after `ACK` where they are told. */
export function placeOf(acknowledgeOn: string): StreamPlace {
  const tokens = acknowledgeOn.split(".");
  const at = tokens.length > 9 ? 4 : 2;
  const [stream = "", , deliveries, seq = "", , storedAtNs = ""] = tokens.slice(at);
  const isKnown = acknowledgeOn.startsWith("$JS.ACK.") && Number(deliveries) >= 1 && /^\d+$/u.test(seq);
  if (!isKnown)
    throw unknownAnswer("NATS", `a pull with messages to be acknowledged on "${acknowledgeOn}"`, acknowledgeOn);
  return { stream, deliveries: Number(deliveries), seq, storedAtNs };
}

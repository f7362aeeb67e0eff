import type { NatsConnection } from "./connection.ts";

/** Says that these are done with, on the subjects that stand for them. */
export type Acknowledge = (subjects: readonly string[]) => Promise<void>;

/** `isDouble`: the server is to say that it has heard each. */
export function acknowledging(connection: NatsConnection, isDouble: boolean): Acknowledge {
  if (!isDouble) return (subjects) => connection.tellAll(subjects, "+ACK");
  return async (subjects) => {
    await Promise.all(subjects.map((subject) => connection.request(subject, "+ACK")));
  };
}

/** Says that it is to be given out again, after that time. */
export function notBefore(delayMs: number): string {
  return `-NAK ${JSON.stringify({ delay: Math.max(1, Math.ceil(delayMs)) * 1e6 })}`;
}

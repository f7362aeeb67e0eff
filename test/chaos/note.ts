import type { Message } from "../../src/domain/message.ts";
import type { ConsumerEvent } from "../../src/runtime/events.ts";
import { idOf } from "../simulation/planned-message.ts";

/** What a consumer tells of one event, in a line of JSON: as much as its keeper needs. */
export interface Note {
  readonly type: ConsumerEvent["type"];
  /** The order it is about; null if it is about none. */
  readonly id: string | null;
  /** Counts from 1; 0 where no handler ran. */
  readonly attempt: number;
  readonly suspect: boolean;
  /** A reason, an error's class, an incident's kind. */
  readonly detail: string | null;
}

/** The note of an event; undefined for those nobody asks about. */
export function noteOf(event: ConsumerEvent): Note | undefined {
  const about = "message" in event ? { id: idOf(event.message), attempt: event.attempt } : { id: null, attempt: 0 };
  const note = { type: event.type, ...about, suspect: false, detail: null };
  switch (event.type) {
    case "attempt-started":
      return { ...note, suspect: event.suspect };
    case "attempt-failed":
      return { ...note, detail: event.errorClass };
    case "dead-lettered":
      return { ...note, detail: event.reason };
    case "incident":
      return { ...note, ...aboutIncident(event.incident.message), detail: event.incident.kind };
    case "attempt-succeeded":
    case "duplicate":
    case "handler-late":
    case "lease-lost":
    case "started":
    case "stopped":
      return note;
    default:
      return undefined;
  }
}

function aboutIncident(message: Message | undefined): { readonly id: string | null } {
  return { id: message === undefined ? null : idOf(message) };
}

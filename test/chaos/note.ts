import { inspect } from "node:util";
import type { ConsumerEvent } from "../../src/runtime/events.ts";
import type { Incident } from "../../src/transports/transport.ts";
import { idOf } from "../simulation/planned-message.ts";

/** What a consumer tells of one event, in a line of JSON: as much as its keeper needs. */
export interface Note {
  readonly type: ConsumerEvent["type"];
  /** When it was told, in milliseconds since the process began. */
  readonly atMs: number;
  /** The order it is about; null if it is about none. */
  readonly id: string | null;
  /** Counts from 1; 0 where no handler ran. */
  readonly attempt: number;
  readonly suspect: boolean;
  /** A reason, an error's class, an incident's kind. */
  readonly detail: string | null;
  /** The error behind it, for people who read it. */
  readonly cause?: string;
}

/** The note of an event; undefined for lines of a handler's log, which nobody asks about. */
export function noteOf(event: ConsumerEvent): Omit<Note, "atMs"> | undefined {
  if (event.type === "log") return undefined;
  const about = "message" in event ? { id: idOf(event.message), attempt: event.attempt } : { id: null, attempt: 0 };
  const note = { type: event.type, ...about, suspect: false, detail: null, ...causeIn(event) };
  switch (event.type) {
    case "attempt-started":
      return { ...note, suspect: event.suspect };
    case "attempt-failed":
      return { ...note, detail: event.errorClass };
    case "dead-lettered":
      return { ...note, detail: event.reason };
    case "incident":
      return { ...note, ...aboutIncident(event.incident) };
    default:
      return note;
  }
}

function aboutIncident(incident: Incident): Pick<Note, "id" | "detail" | "cause"> {
  const { kind, message } = incident;
  return { id: message === undefined ? null : idOf(message), detail: kind, ...causeIn(incident) };
}

function causeIn(of: object): Pick<Note, "cause"> {
  return "error" in of && of.error !== undefined ? { cause: inspect(of.error, { depth: 1 }) } : {};
}

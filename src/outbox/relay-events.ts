import type { Cancel } from "../domain/clock.ts";
import type { Address, Message } from "../domain/message.ts";
import { join, tell } from "../domain/observers.ts";
import type { OutboxLag } from "./outbox-table.ts";

/** What every event about a message of the outbox says. */
interface AboutOutgoing {
  /** Its number in the outbox. */
  readonly id: string;
  readonly to: Address;
  readonly message: Message;
}

export type RelayEventBody =
  /** The broker has it. */
  | ({ readonly type: "sent"; readonly durationMs: number } & AboutOutgoing)
  /** The broker has it not, or did not say so; it is sent again, and later ones of its key wait for it. */
  | ({
      readonly type: "send-failed";
      readonly error: unknown;
      /** Sends that failed, this one included. */
      readonly tries: number;
      readonly retryInMs: number;
    } & AboutOutgoing)
  /** The broker refused it too often: somebody must decide, and later ones of its key wait until then. */
  | ({ readonly type: "set-aside"; readonly error: unknown; readonly tries: number } & AboutOutgoing)
  /** It was sent, but its lease was over: another relay may send it a second time, under the same key. */
  | ({ readonly type: "lease-lost" } & AboutOutgoing)
  | ({ readonly type: "lag" } & OutboxLag)
  /** Told once, however often it is tried until "database-restored". */
  | { readonly type: "database-lost"; readonly error: unknown }
  | { readonly type: "database-restored" }
  | { readonly type: "started" }
  | { readonly type: "stopping"; readonly inHand: number }
  | { readonly type: "stopped" };

/** What a relay tells its observers, and the only way it tells anything. */
export type RelayEvent = RelayEventBody & {
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** Listens to a relay. What it throws is swallowed: telemetry never fails a message. */
export interface RelayObserver {
  event(event: RelayEvent): void;
}

export class RelayEvents {
  readonly #observers: RelayObserver[];
  readonly #now: () => number;

  constructor(observers: readonly RelayObserver[], now: () => number) {
    this.#observers = [...observers];
    this.#now = now;
  }

  observe(observer: RelayObserver): Cancel {
    return join(this.#observers, observer);
  }

  emit(body: RelayEventBody): void {
    if (this.#observers.length > 0) tell<RelayEvent>(this.#observers, { at: this.#now(), ...body });
  }
}

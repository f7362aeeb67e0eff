import type { NewId } from "../domain/clock.ts";
import { isOfficeError } from "../domain/errors.ts";
import { type Address, type Delivery, done, headerText, type Message, type Verdict } from "../domain/message.ts";
import { queueNames, wire } from "../domain/wire.ts";
import type { BlockedKeys, Lane, LaneArrival, LaneFate, LanePlace } from "../stores/blocked-keys.ts";
import type { Handle, Transport } from "../transports/transport.ts";
import { type AttemptLog, readAttemptLog, writeAttemptLog } from "./attempt-log.ts";
import type { Events } from "./events.ts";
import { copyOf, isRevived, laneNumber, markOf, withLaneNumber, withoutLaneNumber } from "./lane-number.ts";
import { deliveryLost, OrderedDelivery } from "./ordered-delivery.ts";

export interface KeeperParts {
  readonly transport: Transport;
  readonly source: Address;
  readonly queue: string;
  readonly leaseMs: number;
  readonly returnDelayMs: number;
  readonly newId: NewId;
  readonly store: BlockedKeys;
  readonly events: Events;
  readonly handle: Handle;
  /** There is something to fetch from the parked messages. */
  readonly fetch: () => void;
}

/** Where a message goes that leaves its place. */
interface Onward {
  readonly to: Address;
  readonly message: Message;
  readonly delayMs?: number;
  readonly fate: LaneFate;
}

/**
 * Keeps the order of keys over retries and deaths.
 *
 * A message that leaves its place in the queue takes a number in the lane of its key first; from then on numbers decide who
 * may run, wherever the messages lie. Always in this order: number, send on, confirm, acknowledge. So a crash leaves the
 * message in its place with a number waiting for it, or two copies of one number, of which the second is dropped.
 */
export class OrderKeeper {
  readonly #parts: KeeperParts;
  readonly #parked: Address;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#parked = { name: queueNames.parked(parts.queue) };
  }

  readonly handle = (delivery: Delivery): Promise<Verdict> => {
    const { key } = delivery.message;
    if (key === null) return this.#parts.handle(delivery);
    return this.#inLane(delivery, { queue: this.#parts.queue, key });
  };

  async #inLane(delivery: Delivery, lane: Lane): Promise<Verdict> {
    const { headers } = delivery.message;
    const arrival: LaneArrival = {
      number: laneNumber(headers, lane.queue),
      revived: isRevived(headers, lane.queue),
      mark: markOf(delivery),
      copy: copyOf(delivery),
      turn: this.#parts.newId(),
    };
    let place: LanePlace;
    try {
      place = await this.#parts.store.arrive(lane, arrival);
    } catch (error) {
      return this.#unavailable(delivery, error);
    }
    const ordered = this.#ordered(delivery, lane, arrival, place);
    if (place.kind === "passed") return this.#drop(ordered);
    if (place.kind === "behind") return this.#park(ordered);
    return this.#run(ordered);
  }

  async #run(ordered: OrderedDelivery): Promise<Verdict> {
    let verdict: Verdict;
    try {
      verdict = await this.#parts.handle(ordered);
    } catch (error) {
      // Let go, it would keep its place for a whole lease, only to be dropped then.
      if (ordered.isCopy) return this.#drop(ordered);
      throw error;
    }
    return this.#carryOut(ordered, verdict);
  }

  #ordered(
    delivery: Delivery,
    lane: Lane,
    { number: given, revived, mark, copy = null, turn }: LaneArrival,
    place: LanePlace,
  ): OrderedDelivery {
    const number = "number" in place ? place.number : null;
    const carriesNumber = number !== null && number === given;
    // A number that is not its own any more must not come back with it.
    const message = carriesNumber ? delivery.message : withoutLaneNumber(delivery.message);
    const charged = place.kind === "first" ? withCharge(message, lane.queue, place.charge) : message;
    const { store, leaseMs } = this.#parts;
    // What carries a number, its own or one that it has lost, is told by that, unless its place may be gone.
    const known = {
      lane,
      store,
      mark,
      copy: given === null || revived ? copy : null,
      turn,
      number,
      carriesNumber,
      revived,
      leaseMs,
    };
    return new OrderedDelivery({ delivery, message: charged, ...known });
  }

  /** The handler has decided; now the key is told. */
  #carryOut(ordered: OrderedDelivery, verdict: Verdict): Verdict | Promise<Verdict> {
    if (verdict.kind === "done") return this.#leave(ordered);
    if (verdict.kind === "retry") return this.#retry(ordered, verdict);
    const { to, message } = verdict;
    return this.#sendOn(ordered, { to, message, fate: "dead" });
  }

  /**
   * A message that does not carry its number is acknowledged first: what was charged of it must outlive a crash before that.
   * Its number is void when the next message of its key comes.
   */
  async #leave({ lane, number, turn, carriesNumber }: OrderedDelivery): Promise<Verdict> {
    if (number === null || !carriesNumber) return done;
    const left = await this.#parts.store.leave(lane, number, turn);
    if (left === "lost") throw deliveryLost();
    if (left === "parked") this.#parts.fetch();
    return done;
  }

  async #retry(ordered: OrderedDelivery, verdict: Extract<Verdict, { kind: "retry" }>): Promise<Verdict> {
    const { transport, source, store } = this.#parts;
    const { lane, number, turn, carriesNumber } = ordered;
    const { holdsBack } = transport.capabilities;
    if (!holdsBack && !carriesNumber) {
      const { message, delayMs } = verdict;
      return this.#sendOn(ordered, { to: source, message, delayMs, fate: "waiting" });
    }
    if (number === null) return verdict;
    const answer = await store.keep(lane, number, turn);
    if (answer === "noted") return verdict;
    // A dead letter that was put back while its key was let go on without it: let go, it comes again as a new message.
    if (ordered.revived) throw deliveryLost();
    return this.#unnoted(ordered, answer);
  }

  /** A copy of what was done with meanwhile is of no use; what has no number yet would be lost with it. */
  #unnoted(ordered: OrderedDelivery, answer: "lost" | "passed"): Verdict {
    if (answer === "passed" && ordered.carriesNumber) return this.#drop(ordered);
    throw deliveryLost();
  }

  #drop({ message, lane }: OrderedDelivery): Verdict {
    const { attempt } = readAttemptLog(message.headers, lane.queue);
    this.#parts.events.emit({ type: "copy-dropped", message, attempt });
    return done;
  }

  #park(ordered: OrderedDelivery): Verdict | Promise<Verdict> {
    const { message, carriesNumber, lane } = ordered;
    const { attempt } = readAttemptLog(message.headers, lane.queue);
    const to = this.#parked;
    this.#parts.events.emit({ type: "parked", because: "order", to, message, attempt });
    return carriesNumber ? { kind: "park", to, message } : this.#sendOn(ordered, { to, message, fate: "parked" });
  }

  /** Sends it on under its number, and has it acknowledged. */
  async #sendOn(ordered: OrderedDelivery, onward: Onward): Promise<Verdict> {
    const { store, events, leaseMs } = this.#parts;
    const { lane, mark, turn, message } = ordered;
    const isNew = ordered.number === null;
    // Whoever lost it in the meantime must neither number nor send it, and whoever has it needs the time to do so.
    if (!(await ordered.extend(leaseMs))) throw deliveryLost();
    const number = ordered.number ?? (await store.enter(lane, { mark, turn }));
    ordered.number = number;
    const { fate } = onward;
    const { attempt } = readAttemptLog(onward.message.headers, lane.queue);
    if (isNew && fate !== "parked") events.emit({ type: "key-blocked", fate, number, message, attempt });
    try {
      return await this.#sendNumbered(ordered, number, onward);
    } catch (error) {
      if (isOfficeError(error, "DELIVERY_LOST")) throw error;
      return this.#comeAgain(ordered, number, error);
    }
  }

  async #sendNumbered(
    ordered: OrderedDelivery,
    number: number,
    { to, message, delayMs = 0, fate }: Onward,
  ): Promise<Verdict> {
    const { transport, store } = this.#parts;
    const { lane, turn, copy } = ordered;
    const sendId = fate === "dead" ? (headerText(message.headers, wire.failure) ?? null) : ordered.sendId;
    await transport.send(to, withLaneNumber(message, lane.queue, number), { delayMs, onward: true, sendId });
    const answer = await store.confirm(lane, number, turn, fate, copy);
    return answer === "noted" ? done : this.#unnoted(ordered, answer);
  }

  /** It could not be sent there. It waits, as it came, and is decided on again. */
  async #comeAgain(ordered: OrderedDelivery, number: number, error: unknown): Promise<Verdict> {
    const { events, returnDelayMs, transport, source } = this.#parts;
    const { original: message } = ordered;
    const incident = { kind: "onward-failed", error, message, retryInMs: returnDelayMs } as const;
    events.emit({ type: "incident", incident });
    if (transport.capabilities.holdsBack) return this.#inPlace(ordered, message, error);
    return this.#sendNumbered(ordered, number, { to: source, message, delayMs: returnDelayMs, fate: "waiting" });
  }

  /** Nobody knows whether its key is blocked, so nothing runs. */
  #unavailable(delivery: Delivery, error: unknown): Verdict {
    const { events, queue, returnDelayMs, transport } = this.#parts;
    const { message } = delivery;
    const { attempt } = readAttemptLog(message.headers, queue);
    events.emit({ type: "order-unavailable", error, retryInMs: returnDelayMs, message, attempt });
    if (!transport.capabilities.holdsBack) throw error;
    return this.#inPlace(delivery, message, error);
  }

  /** A suspect that was put back without a word would come again as a stranger: it is let go, and comes as one. */
  #inPlace({ redelivered }: Pick<Delivery, "redelivered">, message: Message, error: unknown): Verdict {
    if (redelivered) throw error;
    return { kind: "retry", delayMs: this.#parts.returnDelayMs, message };
  }
}

/** The later of what a message carries and what was charged in the store since. */
function withCharge(message: Message, queue: string, charge: string | null): Message {
  if (charge === null) return message;
  const charged = JSON.parse(charge) as AttemptLog;
  if (charged.attempt <= readAttemptLog(message.headers, queue).attempt) return message;
  return { ...message, headers: writeAttemptLog(message.headers, queue, charged) };
}

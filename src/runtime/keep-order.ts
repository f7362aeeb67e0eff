import type { Handle } from "../transports/transport.ts";
import type { ConsumerSettings } from "./consumer-settings.ts";
import type { Events } from "./events.ts";
import { OrderKeeper } from "./order-keeper.ts";
import { ParkedPasses } from "./parked-passes.ts";
import { patientKeys } from "./patient-keys.ts";

export interface OrderParts<Payload, Tx> {
  readonly settings: ConsumerSettings<Payload, Tx>;
  readonly queue: string;
  readonly events: Events;
  readonly handle: Handle;
  readonly signal: AbortSignal;
}

/** What an ordered consumer has around its handler, and beside it; undefined where no order was asked for. */
export function keepOrder<Payload, Tx>({ settings, queue, events, handle, signal }: OrderParts<Payload, Tx>) {
  const { transport, source, leaseMs, returnDelayMs, host, blockedKeys } = settings;
  if (blockedKeys === undefined) return undefined;
  const store = patientKeys(blockedKeys, { clock: host.clock, leaseMs });
  const shared = { transport, source, queue, leaseMs, returnDelayMs, store, events };
  const passes = new ParkedPasses({ ...shared, host, signal });
  const keeper = new OrderKeeper({ ...shared, newId: host.newId, handle, fetch: () => passes.wake() });
  return { handle: keeper.handle, passes };
}

import type { BlockedKeys } from "../../src/stores/blocked-keys.ts";
import type { Network } from "./network.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

export interface FaultyKeysOptions {
  readonly inner: BlockedKeys;
  readonly network: Network;
  readonly process: SimulatedProcess;
  /** An attempt at the message of this mark was charged for good. */
  readonly charged: (mark: Uint8Array) => void;
}

/** A store of blocked keys at the other end of a network. */
export function faultyBlockedKeys({ inner, network, process, charged }: FaultyKeysOptions): BlockedKeys {
  const call = <Result>(what: string, act: () => Promise<Result>) => network.call(process, "keys", what, act);
  /** Whose turn it is, by the mark it arrived with. */
  const marks = new Map<string, Uint8Array>();
  return {
    arrive(lane, arrival) {
      marks.set(arrival.turn, arrival.mark);
      return call(`arrive ${arrival.number ?? "new"}`, () => inner.arrive(lane, arrival));
    },
    enter: (lane, entry) =>
      call("enter", async () => {
        const number = await inner.enter(lane, entry);
        if (entry.charge !== undefined) charged(entry.mark);
        return number;
      }),
    charge: (lane, number, turn, charge) =>
      call(`charge ${number}`, async () => {
        const did = await inner.charge(lane, number, turn, charge);
        const mark = marks.get(turn);
        if (did && mark !== undefined) charged(mark);
        return did;
      }),
    keep: (lane, number, turn) => call(`keep ${number}`, () => inner.keep(lane, number, turn)),
    confirm: (lane, number, turn, fate, copy) =>
      call(`confirm ${number} ${fate}`, () => inner.confirm(lane, number, turn, fate, copy)),
    leave: (lane, number, turn) => call(`leave ${number}`, () => inner.leave(lane, number, turn)),
    release: (places) => call(`release ${places.map(({ number }) => number).join(", ")}`, () => inner.release(places)),
    list: (queue, options) => call("list", () => inner.list(queue, options)),
    find: (asked) => call("find", () => inner.find(asked)),
    summarize: () => call("summarize", () => inner.summarize()),
    claimPass: (...of) => call("claim the pass", () => inner.claimPass(...of)),
    endPass: (queue, holder) => call("end the pass", () => inner.endPass(queue, holder)),
    countParked: (queue) => call("count the parked", () => inner.countParked(queue)),
    weigh: (lane, number) => call(`weigh ${number}`, () => inner.weigh(lane, number)),
    released: (lane, number, turn) => call(`released ${number}`, () => inner.released(lane, number, turn)),
  };
}

import { type Clock, pause, within } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import type { BlockedKeys } from "../stores/blocked-keys.ts";

const tries = 3;
const pauseMs = 50;

/**
 * A store of blocked keys that is asked again when it gives no answer, and given up before the delivery's lease is over:
 * each question may be repeated, and comes to the same.
 */
export function patientKeys(store: BlockedKeys, { clock, leaseMs }: { clock: Clock; leaseMs: number }): BlockedKeys {
  const limitMs = Math.min(10_000, leaseMs / 8);
  const ask = async <Answer>(question: () => Promise<Answer>): Promise<Answer> => {
    for (let tried = 1; ; tried++) {
      try {
        return await within(clock, limitMs, question(), () => noAnswer(limitMs));
      } catch (error) {
        if (tried === tries) throw error;
        await pause(clock, Math.min(pauseMs, limitMs));
      }
    }
  };
  return {
    arrive: (...of) => ask(() => store.arrive(...of)),
    enter: (...of) => ask(() => store.enter(...of)),
    charge: (...of) => ask(() => store.charge(...of)),
    keep: (...of) => ask(() => store.keep(...of)),
    confirm: (...of) => ask(() => store.confirm(...of)),
    leave: (...of) => ask(() => store.leave(...of)),
    release: (...of) => ask(() => store.release(...of)),
    list: (...of) => ask(() => store.list(...of)),
    find: (...of) => ask(() => store.find(...of)),
    summarize: () => ask(() => store.summarize()),
    claimPass: (...of) => ask(() => store.claimPass(...of)),
    endPass: (...of) => ask(() => store.endPass(...of)),
    countParked: (...of) => ask(() => store.countParked(...of)),
    weigh: (...of) => ask(() => store.weigh(...of)),
    released: (...of) => ask(() => store.released(...of)),
  };
}

function noAnswer(limitMs: number): never {
  throw new OfficeError("STORE_UNAVAILABLE", `The store of blocked keys gave no answer within ${limitMs} ms.`);
}

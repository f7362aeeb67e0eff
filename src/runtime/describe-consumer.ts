import type { ConsumerSettings } from "./consumer-settings.ts";
import { payloadDecoder } from "./decode.ts";
import type { ConsumerDescription } from "./events.ts";

const justBelowOne = 1 - Number.EPSILON;

export function describeConsumer<Payload, Tx>(settings: ConsumerSettings<Payload, Tx>): ConsumerDescription {
  const { service, version, instance, handles: schemas, inbox } = settings;
  const retryHorizonMs = longestLife(settings);
  return {
    ...{ service, version, instance, schemas, inboxWindowMs: inbox?.windowMs ?? null, retryHorizonMs },
    inboxIsTransactional: inbox?.store.isTransactional ?? false,
    ...{ source: settings.source, probe: probeOf(settings) },
  };
}

/** What cannot be read was never handled as what it is now: nobody can tell. */
function probeOf<Payload, Tx>({ probe, decode, schema }: ConsumerSettings<Payload, Tx>): ConsumerDescription["probe"] {
  if (probe === undefined) return null;
  const read = payloadDecoder(decode, schema);
  return async (message) => probe({ payload: await read(message), message });
}

/** Every attempt takes all the time it may, and every wait is as long as chance can make it. */
function longestLife<Payload, Tx>({ maxAttempts, timeLimitMs, backoff }: ConsumerSettings<Payload, Tx>): number {
  let total = maxAttempts * timeLimitMs;
  let waitMs: number | undefined;
  for (let attempt = 1; attempt < maxAttempts; attempt++) {
    waitMs = backoff(attempt, () => justBelowOne, waitMs);
    total += waitMs;
  }
  return total;
}

import { type Clock, pause } from "../../domain/clock.ts";
import { takeAlertLook } from "../../ledger/alerts.ts";
import { keepTrying } from "../keep-trying.ts";
import { type AlertParts, lookForAlerts } from "./look-for-alerts.ts";

export interface StandingAlerts {
  close(): Promise<void>;
}

/** How often some process looks. */
const everyMs = 10_000;
/** Timers of several processes may come a little early. */
const leastMs = everyMs * 0.9;

/** Looks every few seconds at what the rules ask for, for as long as the office runs: one of its processes each time. */
export function standingAlerts(parts: AlertParts, clock: Clock): StandingAlerts {
  const stop = new AbortController();
  const running = keepTrying({
    ...{ clock, signal: stop.signal },
    async attempt(progressed) {
      while (!stop.signal.aborted) {
        if (await takeAlertLook(parts.ledger, leastMs)) await lookForAlerts(parts, clock.now());
        progressed();
        await pause(clock, everyMs, stop.signal);
      }
    },
  });
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}

import type { Clock } from "../../domain/clock.ts";
import { takeAlertLook } from "../../ledger/alerts.ts";
import { type Chore, chore } from "../chore.ts";
import { type AlertParts, lookForAlerts } from "./look-for-alerts.ts";

/** How often some process looks. */
const everyMs = 10_000;
/** Timers of several processes may come a little early. */
const leastMs = everyMs * 0.9;

/** Looks every few seconds at what the rules ask for, for as long as the office runs: one of its processes each time. */
export function standingAlerts(parts: AlertParts, clock: Clock): Chore {
  const act = async () => {
    if (await takeAlertLook(parts.ledger, leastMs)) await lookForAlerts(parts, clock.now());
  };
  return chore({ name: "alert rules", everyMs, clock, act });
}

import type { ConsumerEvent, Observer } from "../../src/runtime/events.ts";
import type { Incident } from "../../src/transports/transport.ts";
import { idOf } from "./planned-message.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import type { Stage } from "./stage.ts";

/** Listens to one consumer and holds it to what it promised about itself. */
export function watchConsumer(stage: Stage, process: SimulatedProcess): Observer {
  const { world, witness } = stage;
  const watchers = [suspectsRunAlone, budgetWatch(stage)];
  return {
    event(event) {
      world.trace.note(`${process.name} ${describe(event)}`);
      if (event.type === "incident") noteIncident(event.incident);
      if (event.type === "retried" && event.because === "stopping") witness.interrupted(idOf(event.message));
      for (const complain of watchers) {
        const complaint = complain(event);
        if (complaint !== undefined) witness.accuse(`${process.name}: ${complaint}`);
      }
    },
  };

  function noteIncident({ kind, message }: Incident): void {
    if (kind === "onward-failed" && message) witness.onwardFailed(idOf(message));
  }

  function suspectsRunAlone(event: ConsumerEvent): string | undefined {
    if (event.type !== "attempt-started" || !event.suspect) return undefined;
    const others = witness.runningIn(process).filter(({ id }) => id !== idOf(event.message));
    if (others.length === 0) return undefined;
    return `the suspect ${idOf(event.message)} runs beside ${others.map(({ id }) => id).join(" ")}`;
  }
}

type Watcher = (event: ConsumerEvent) => string | undefined;

/** In every window that ends with a retry: retries <= ratio x requests + floor. */
function budgetWatch({ scenario: { settings } }: Stage): Watcher {
  const { budget } = settings;
  const requests: number[] = [];
  const retries: number[] = [];
  return (event) => {
    if (budget === false) return undefined;
    if (event.type === "attempt-started" && event.attempt === 1) requests.push(event.at);
    if (event.type !== "retried" || !["failure", "retry-later"].includes(event.because)) return undefined;
    retries.push(event.at);
    const isRecent = (at: number) => at > event.at - budget.windowMs;
    const allowed = budget.ratio * requests.filter(isRecent).length + (budget.floorPerSecond * budget.windowMs) / 1_000;
    const used = retries.filter(isRecent).length;
    return used > allowed ? `${used} retries in a window whose budget is ${allowed}` : undefined;
  };
}

function describe(event: ConsumerEvent): string {
  const about = "message" in event ? ` ${idOf(event.message)}` : "";
  switch (event.type) {
    case "retried":
      return `retries${about} in ${event.delayMs} ms (${event.because})`;
    case "dead-lettered":
      return `dead-letters${about} (${event.reason})`;
    case "breaker-changed":
      return `breaker is ${event.phase}`;
    case "incident":
      return `incident ${event.incident.kind}`;
    default:
      return `${event.type}${about}`;
  }
}

import type { Cancel } from "./clock.ts";

/** Adds an observer, until cancelled. */
export function join<Observer>(observers: Observer[], observer: Observer): Cancel {
  observers.push(observer);
  return () => {
    const index = observers.indexOf(observer);
    if (index >= 0) observers.splice(index, 1);
  };
}

/** Tells all of them. What they throw is swallowed: an observer's bug is the observer's, and the message goes its way. */
export function tell<Event>(observers: readonly { event?(event: Event): void }[], event: Event): void {
  for (const observer of [...observers]) {
    try {
      // Typed as returning nothing, an observer may be async all the same: its rejection must not end the process.
      const returned: unknown = observer.event?.(event);
      if (returned instanceof Promise) returned.catch(() => {});
    } catch {
      // The others are told all the same.
    }
  }
}

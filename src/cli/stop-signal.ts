import process from "node:process";

/** Aborts with `signal` and when the process is asked to end, so that what is under way can be ended well. */
export function stopSignal(signal: AbortSignal): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGHUP"] as const) process.once(name, () => stop.abort());
  return AbortSignal.any([signal, stop.signal]);
}

import { hostname } from "node:os";

/** The machine, or the pod. */
export const hostName = hostname();
/** Its number there. */
export const processId = String(process.pid);
/** This process as people find it: the machine, or the pod, and its number there. */
export const processName = `${hostName}:${processId}`;

import { hostname } from "node:os";

/** This process as people find it: the machine, or the pod, and its number there. */
export const processName = `${hostname()}:${process.pid}`;

import process from "node:process";
import type { Window } from "./in-pictures.ts";

/** The terminal of this process. */
export const ownWindow: Window = {
  keyboard: process.stdin,
  display: process.stdout,
  onExit(run) {
    process.once("exit", run);
    return () => process.off("exit", run);
  },
};

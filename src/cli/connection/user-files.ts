import { homedir } from "node:os";
import { join } from "node:path";
import type { Context } from "../command.ts";

/** Where the user's own settings are: contexts, and what was signed in with. */
export function settingsFolder(env: Context["env"]): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "dlo");
}

export function contextsFile(env: Context["env"]): string {
  return join(settingsFolder(env), "config.yaml");
}

/** Where an embedded ledger and large bodies are. */
export function dataFolder(env: Context["env"]): string {
  return env.DLO_DATA || join(env.XDG_DATA_HOME || join(env.HOME || homedir(), ".local", "share"), "dlo");
}

/** Where a demonstration has its own. */
export function demoFolder(env: Context["env"]): string {
  return join(dataFolder(env), "demo");
}

/** What may be lost at any time. */
export function cacheFolder(env: Context["env"]): string {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache"), "dlo");
}

import { bashScript } from "./bash.ts";
import type { Place } from "./choices.ts";
import { fishScript } from "./fish.ts";
import { powershellScript } from "./powershell.ts";
import { zshScript } from "./zsh.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript };

export type Shell = keyof typeof scripts;

export const shells = Object.keys(scripts) as Shell[];

/**
 * A script that makes a shell complete `dlo`. Commands and options are written in it, so they are there at once; `dlo` itself is
 * run only for what an office knows.
 */
export function completionScript(shell: Shell, places: readonly Place[]): string {
  return scripts[shell](places);
}

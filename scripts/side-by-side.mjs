/**
 * Runs scripts of package.json at the same time, and fails when one of them does, after all have ended. What each wrote
 * is printed whole once it ends, so that no two are mixed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
const { scripts } = /** @type {{ scripts: Record<string, string> }} */ (JSON.parse(manifest));

// Written to a pipe, most would leave their colours out.
const env = process.stdout.isTTY ? { ...process.env, FORCE_COLOR: "1" } : process.env;

/** @param {string} name */
async function succeeds(name) {
  const command = scripts[name];
  if (command === undefined) throw new Error(`package.json has no script ${name}`);
  const child = spawn(`(${command}) 2>&1`, { shell: true, env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  process.stdout.write(await text(child.stdout));
  const [code] = /** @type {[number | null]} */ (await ended);
  if (code !== 0) console.error(`npm run ${name} failed: ${command}`);
  return code === 0;
}

const outcomes = await Promise.all(process.argv.slice(2).map(succeeds));
process.exitCode = outcomes.every(Boolean) ? 0 : 1;

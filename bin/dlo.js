#!/usr/bin/env node
/** `npx dlo` inside the repository: sets up first, then runs the sources. The published `dlo` is launcher/. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildWeb } from "../scripts/build-web.mjs";
import { setUp } from "../scripts/setup.mjs";

const main = new URL("../src/cli/main.ts", import.meta.url);

/** Commands that serve the web UI. */
const serving = ["up", "demo"];

const node = setUp();
const [name = "", ...rest] = process.argv.slice(2);
if (serving.includes(name) && rest[0] !== "runtime" && !rest.includes("--help")) buildWeb(node);
if (!existsSync(main)) {
  console.error("There is no command line yet: src/cli/main.ts is missing.");
  process.exitCode = 1;
} else if (node === process.execPath) {
  await import(main.href);
} else {
  runOn(node);
}

/**
 * The machine's own Node is too old: run on the one that was installed, and look from outside as if it were this one.
 * @param {string} newerNode
 */
function runOn(newerNode) {
  const child = spawn(newerNode, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: "inherit" });
  // Ctrl-C in a terminal reaches the child by itself; passing it on as well would read as a second, impatient one.
  const atTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  process.on("SIGINT", () => atTerminal || child.kill("SIGINT"));
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  process.on("SIGHUP", () => child.kill("SIGHUP"));
  child.on("error", (error) => {
    console.error(`${newerNode} could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

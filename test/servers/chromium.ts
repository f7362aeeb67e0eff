import { accessSync, constants } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const program = process.env.DLO_TEST_CHROMIUM ?? "/usr/bin/chromium";

/** Why there is no browser to test with; undefined where there is one. */
export const noChromium = isProgram(program) ? undefined : `no Chromium at ${program}`;

/** A real browser without a window, that calls nobody by itself. */
export function startChromium(): Promise<Browser> {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return chromium.launch({ executablePath: program, headless: true, args });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

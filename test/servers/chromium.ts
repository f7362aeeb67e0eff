import { accessSync, constants } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const program = process.env.DLO_TEST_CHROMIUM ?? "/usr/bin/chromium";

/** Why there is no browser to test with; undefined where there is one. */
export const noChromium = isProgram(program) ? undefined : `no Chromium at ${program}`;

/**
 * Chromium takes the last list of these alone, so those that the driver turns off are among them. The first two are drop-downs of an address
 * bar that nobody sees: each is a page of the browser's own, loaded in a process of its own for every window.
 */
const withoutFeatures = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"],
  ...[
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
  ],
  ...[
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
  ],
  ...["OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"],
];

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
    `--disable-features=${withoutFeatures.join()}`,
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

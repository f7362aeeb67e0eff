/**
 * The manifest that is published differs from the one that is developed with: no `dlo` (a service that installs only
 * the library would get a command without its clients; the launcher brings it), no workspaces, no scripts, no tools.
 * Called by `prepack` with `publish` and by `postpack` with `restore`.
 */
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const manifest = fileURLToPath(new URL("../package.json", import.meta.url));
const original = fileURLToPath(new URL("../package.original.json", import.meta.url));

const steps = {
  publish() {
    // One that is there was left by a pack that did not end; package.json is then the stripped one.
    if (!existsSync(original)) copyFileSync(manifest, original);
    const whole = /** @type {Record<string, unknown>} */ (JSON.parse(readFileSync(original, "utf8")));
    const { bin, workspaces, scripts, devDependencies, ...published } = whole;
    writeFileSync(manifest, `${JSON.stringify(published, null, 2)}\n`);
  },
  restore() {
    renameSync(original, manifest);
  },
};

const step = process.argv[2];
if (step !== "publish" && step !== "restore") throw new Error(`Expected publish or restore, got ${step}`);
steps[step]();

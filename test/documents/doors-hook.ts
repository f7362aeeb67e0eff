import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../sources.ts";
import { doors } from "./doors.ts";

/**
 * For `node --import`: code that imports the package as a service does is run against the sources, so that trying it
 * needs no build.
 */
registerHooks({
  resolve(specifier, context, next) {
    const source = doors.get(specifier);
    return source === undefined ? next(specifier, context) : next(pathToFileURL(join(root, source)).href, context);
  },
});

import { registerHooks } from "node:module";
import { breakSource, mutants } from "./mutants.ts";

/**
 * Run in a process of its own: breaks one file of the library while it is loaded, then tries seeds until one shows it.
 * Prints `{ seed, complaints }` as JSON; seed null if none did.
 */
const [name = "", first = "1", last = "1000"] = process.argv.slice(2);
const mutant = mutants.find((candidate) => candidate.name === name);
if (mutant === undefined) throw new Error(`No mutant is called ${name}.`);
const broken = breakSource(mutant);
registerHooks({
  load: (url, context, nextLoad) =>
    url === broken.url
      ? { format: "module-typescript", source: broken.source, shortCircuit: true }
      : nextLoad(url, context),
});
process.stdout.write(`${JSON.stringify(await findSeed(Number(first), Number(last)))}\n`);

async function findSeed(from: number, to: number) {
  // Only now: what is imported before the hook is in place is not broken.
  const { runSeed, isFailure } = await import("./run-seed.ts");
  const { complaints } = await import("./summary.ts");
  for (let seed = from; seed <= to; seed++) {
    const report = await runSeed(seed);
    if (isFailure(report)) return { seed, complaints: complaints(report) };
  }
  return { seed: null, complaints: [] };
}

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { type Mutant, mutants } from "./mutants.ts";

/**
 * Run in a process of its own: breaks one file of the library while it is loaded, then tries seeds until one shows it.
 * Prints `{ seed, complaints }` as JSON; seed null if none did.
 */
const [name = "", first = "1", last = "1000"] = process.argv.slice(2);
const mutant = mutants.find((candidate) => candidate.name === name);
if (mutant === undefined) throw new Error(`No mutant is called ${name}.`);
breakWhileLoading(mutant);
process.stdout.write(`${JSON.stringify(await findSeed(Number(first), Number(last)))}\n`);

function breakWhileLoading({ file, find, replace }: Mutant): void {
  const target = new URL(`../../${file}`, import.meta.url).href;
  registerHooks({
    load(url, context, nextLoad) {
      if (url !== target) return nextLoad(url, context);
      const source = readFileSync(fileURLToPath(url), "utf8");
      return { format: "module-typescript", source: source.replace(find, () => replace), shortCircuit: true };
    },
  });
}

async function findSeed(from: number, to: number) {
  const { runSeed, isFailure } = await import("./run-seed.ts");
  const { complaints } = await import("./summary.ts");
  for (let seed = from; seed <= to; seed++) {
    const report = await runSeed(seed);
    if (isFailure(report)) return { seed, complaints: complaints(report) };
  }
  return { seed: null, complaints: [] };
}

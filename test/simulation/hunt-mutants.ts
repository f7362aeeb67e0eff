import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Mutant, mutants } from "./mutants.ts";

export interface Catch {
  readonly name: string;
  /** The first seed that caught it; null if none did. */
  readonly seed: number | null;
  /** What the oracle said. */
  readonly complaints: readonly string[];
}

const run = promisify(execFile);
const script = fileURLToPath(new URL("./run-mutant.ts", import.meta.url));

/** Runs the broken code, in a process of its own, until a seed catches it. */
export async function huntMutant({ name }: Mutant, from: number, to: number): Promise<Catch> {
  const { stdout } = await run(process.execPath, [script, name, String(from), String(to)], { maxBuffer: 2 ** 26 });
  return { name, ...(JSON.parse(stdout) as Omit<Catch, "name">) };
}

/** All of them, as many at once as there are processors; `found` is told of each as it comes in. */
export async function huntMutants(to: number, found: (caught: Catch) => void): Promise<readonly Catch[]> {
  const catches = new Map<Mutant, Catch>();
  const waiting = [...mutants];
  const hunt = async () => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const caught = await huntMutant(mutant, 1, to);
      catches.set(mutant, caught);
      found(caught);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, hunt));
  return mutants.flatMap((mutant) => catches.get(mutant) ?? []);
}

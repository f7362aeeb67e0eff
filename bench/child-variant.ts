import { fork } from "node:child_process";
import { once } from "node:events";
import type { Sample, Variant } from "./suite.ts";

interface Answer {
  readonly sample?: number | Sample;
  readonly failure?: string;
}

/**
 * A variant in a process of its own, which lives on from sample to sample: what the compiler learnt of one variant would
 * otherwise slow down, or speed up, the next. The file named must call `serveSamples`.
 */
export function childVariant(name: string, file: URL): Variant {
  const child = fork(file, [name], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const gone = once(child, "exit");
  let answered: (answer: Answer) => void = () => {};
  child.on("message", (answer: Answer) => answered(answer));
  child.on("exit", () => answered({ failure: "its process ended" }));
  return {
    name,
    async sample() {
      const { sample, failure } = await new Promise<Answer>((resolve) => {
        answered = resolve;
        child.send("sample");
      });
      if (sample === undefined) throw new Error(`${name}: ${failure}`);
      return sample;
    },
    async close() {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

/** The child's side: takes a sample of the variant it was started for whenever it is asked. */
export function serveSamples(samplers: Readonly<Record<string, () => Promise<number | Sample>>>): void {
  const sampler = samplers[process.argv[2] ?? ""];
  process.on("disconnect", () => process.exit());
  process.on("message", () => {
    const sample = sampler === undefined ? Promise.reject(new Error("no such variant")) : sampler();
    sample.then(
      (value) => process.send?.({ sample: value }),
      (error: unknown) => process.send?.({ failure: String(error) }),
    );
  });
}

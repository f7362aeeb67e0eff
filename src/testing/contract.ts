/** One promise of an interface, as a test for whatever runner there is: `it(title, run)`. */
export interface ContractTest {
  /** The promise in a sentence; of one that is not held to, also why. */
  readonly title: string;
  /** Why this subject is not held to the promise. Its `run` then does nothing; a runner that can skip should. */
  readonly exempt?: string;
  run(): Promise<void>;
}

/** A promise before it is known who is held to it. */
export interface ContractPromise<Bench> {
  readonly title: string;
  /** What a subject must claim or offer to be held to it; a sentence why not, or undefined. */
  readonly waived?: string | undefined;
  readonly run: (bench: Bench) => Promise<void>;
}

/** Promises a subject cannot keep, by title, each with why. */
export type Exemptions = Readonly<Record<string, string>>;

/** Holds a subject to promises. `withBench` gives each test a bench of its own and clears it away. */
export function contractTests<Bench>(
  promises: readonly ContractPromise<Bench>[],
  exempt: Exemptions,
  withBench: (run: (bench: Bench) => Promise<void>) => Promise<void>,
): readonly ContractTest[] {
  const tests = promises.map(({ title, waived, run }): ContractTest => {
    const reason = exempt[title] ?? waived;
    if (reason === undefined) return { title, run: () => withBench(run) };
    return { title: `${title} (exempt: ${reason})`, exempt: reason, run: () => Promise.resolve() };
  });
  return [...tests, exemptionsTest(promises, exempt)];
}

/** Exemptions cannot rot: when a title changes, whoever was exempt has to say so again. */
function exemptionsTest(promises: readonly { readonly title: string }[], exempt: Exemptions): ContractTest {
  return {
    title: "is exempt from no promise that does not exist",
    async run() {
      const titles = new Set(promises.map(({ title }) => title));
      const strays = Object.keys(exempt).filter((title) => !titles.has(title));
      if (strays.length > 0) throw new Error(`No test has the title: ${strays.join("; ")}`);
    },
  };
}

/** One benchmark: variants that do the same thing, measured side by side, and what must hold between them. */
export interface Suite {
  /** What is measured and how, in a line or two, for people. */
  readonly about: string;
  readonly unit: string;
  /** Samples of each variant. Rounds take the variants in turn, every other round in reverse. */
  readonly rounds: number;
  readonly variants: readonly Variant[];
  readonly ratios: readonly Ratio[];
}

export interface Variant {
  readonly name: string;
  /** Takes one sample, in the suite's unit. */
  sample(): Promise<number | Sample>;
  close?(): Promise<void>;
}

/** One of a variant that shares the machine with a server. */
export interface Sample {
  readonly value: number;
  /** Processor time of the variant's own process for each message, in microseconds: others on the machine change it little. */
  readonly cpuMicros: number;
  /** The most memory its process held in the second half, as a share of the most in the first: 1 is flat. */
  readonly memoryGrowth?: number;
}

export interface Ratio {
  readonly name: string;
  /** From the medians of the variants, by name, and of how their memory grew. */
  value(median: (variant: string) => number, memoryGrowth: (variant: string) => number): number;
  readonly goal: number;
  /** Whether the value may be up to the goal or must be at least the goal. */
  readonly is: "at most" | "at least";
}

/** What `--json` prints. */
export interface Report {
  readonly variants: readonly VariantResult[];
  readonly ratios: readonly RatioResult[];
}

interface VariantResult {
  readonly name: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  /** The median, where it was measured. */
  readonly cpuMicros?: number;
  readonly memoryGrowth?: number;
}

interface RatioResult {
  readonly name: string;
  readonly value: number;
  readonly goal: number;
  readonly met: boolean;
}

/** The last variant to close takes the server they share with it. */
export function thenClose(variants: readonly Variant[], server: { close(): Promise<void> }): Variant[] {
  let open = variants.length;
  return variants.map((variant) => ({
    ...variant,
    async close() {
      await variant.close?.();
      open -= 1;
      if (open === 0) await server.close();
    },
  }));
}

/** Runs all variants interleaved, so that whatever else the machine does hits them alike, and closes them. */
export async function runSuite({ unit, rounds, variants, ratios }: Suite): Promise<Report> {
  const samples = new Map<string, (number | Sample)[]>(variants.map(({ name }) => [name, []]));
  try {
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? variants : variants.toReversed();
      for (const variant of order) samples.get(variant.name)?.push(await variant.sample());
    }
  } finally {
    await Promise.all(variants.map(async (variant) => variant.close?.()));
  }
  const results = [...samples].map(([name, values]) => summarize(name, values, unit));
  const of = (name: string) => results.find((result) => result.name === name);
  const found = ratios.map(({ value, ...ratio }) => {
    const median = (name: string) => of(name)?.median ?? Number.NaN;
    const growth = (name: string) => of(name)?.memoryGrowth ?? Number.NaN;
    return judge(ratio, value(median, growth));
  });
  return { variants: results, ratios: found };
}

function summarize(name: string, samples: readonly (number | Sample)[], unit: string): VariantResult {
  const values = samples.map((sample) => (typeof sample === "number" ? sample : sample.value));
  const rich = samples.filter((sample) => typeof sample !== "number");
  const cpuMicros = rich.map((sample) => sample.cpuMicros);
  const growths = rich.flatMap(({ memoryGrowth }) => memoryGrowth ?? []);
  return {
    ...{
      name,
      median: round(medianOf(values)),
      min: round(Math.min(...values)),
      max: round(Math.max(...values)),
      unit,
    },
    ...(cpuMicros.length > 0 && { cpuMicros: round(medianOf(cpuMicros)) }),
    ...(growths.length > 0 && { memoryGrowth: round(medianOf(growths)) }),
  };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

function judge({ name, goal, is }: Omit<Ratio, "value">, found: number): RatioResult {
  return { name, value: round(found), goal, met: is === "at most" ? found <= goal : found >= goal };
}

/** Three digits that mean something. */
function round(value: number): number {
  return Number(value.toPrecision(value >= 1_000 ? 4 : 3));
}

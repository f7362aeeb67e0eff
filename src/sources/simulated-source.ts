import { OfficeError } from "../domain/errors.ts";
import type { OpenedSource } from "./opened-source.ts";
import type { SourcePool } from "./source-pool.ts";

/** A source that is made up: nothing outside this process ever comes from it or goes to it. */
export interface SimulatedSource {
  readonly name: string;
  readonly opened: OpenedSource;
  /** Its dead-letter queues, which are drained. */
  readonly queues: readonly string[];
}

/** The sources of a demonstration, which has no others. */
export function simulatedPool(sources: readonly SimulatedSource[]): SourcePool {
  return {
    where: async (name) => name,
    replayTo: () => null,
    keyAt: () => null,
    isDrained: (name, queue) => sources.some((each) => each.name === name && each.queues.includes(queue)),
    async get(name) {
      const source = sources.find((each) => each.name === name);
      if (source === undefined) throw noRealSource(name);
      return source.opened;
    },
    follow() {},
    async close() {
      await Promise.all(sources.map(({ opened }) => opened.close()));
    },
  };
}

/** A ledger with made-up letters must never meet a broker with real ones. */
export function noRealSource(name: string): OfficeError {
  return new OfficeError(
    "DEMO_NO_REAL_SOURCE",
    `This ledger is a demonstration's, so source \`${name}\` is not opened.`,
    {
      details: {
        source: name,
        hint: "Give the office a ledger of its own: `dlo up` with another DLO_DATA, or with DATABASE_URL.",
      },
    },
  );
}

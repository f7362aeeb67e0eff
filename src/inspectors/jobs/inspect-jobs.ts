import type { JobFramework } from "../../jobs/job-framework.ts";
import { keepsAll, type Wiring } from "../../wiring/wiring.ts";
import type { Inspect } from "../inspector.ts";
import { parseAddress, refusedByPostgres } from "../refusals.ts";
import { openFramework } from "./open-framework.ts";

const schemes = ["redis", "rediss", "postgres", "postgresql"];

/** The queues of a job framework, and how many failed jobs each has. */
export function inspectJobs(name: string): Inspect {
  return async (place, { signal, limitMs }) => {
    const { host } = parseAddress("url", place.url, schemes);
    const { framework, close } = await openFramework(name, place, limitMs);
    // Once time is over, whatever is under way ends with its connection.
    const giveUp = () => void close();
    signal.addEventListener("abort", giveUp, { once: true });
    try {
      return { wiring: await look(framework), remedies: {} };
    } catch (error) {
      throw refusedByPostgres(error, host);
    } finally {
      signal.removeEventListener("abort", giveUp);
      if (!signal.aborted) await close();
    }
  };
}

async function look(framework: JobFramework): Promise<Wiring> {
  const queues = await framework.queues();
  return {
    product: await framework.product(),
    queues: queues.map(({ name, failed }) => ({
      ...{ name, depth: failed, oldestAgeMs: null, isTemporary: false, holdsLetters: true },
      ...{ deadLettering: null, keeping: keepsAll, deliveryLimit: null },
    })),
    sees: ["how many failed jobs each queue has"],
    blindTo: ["jobs that are removed when they fail: their framework keeps nothing of them"],
    gaps: [],
  };
}

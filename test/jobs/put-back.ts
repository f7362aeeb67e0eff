import type { JobFailure, JobFramework, PutBack } from "../../src/jobs/job-framework.ts";

/** Puts it back, with all the time in the world. */
export async function putBack(framework: JobFramework, job: JobFailure): Promise<PutBack> {
  return framework.putBack({ ...job, beforeMs: (await framework.now()) + 3_600_000 });
}

import { type Clock, pause } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import { openFramework } from "../inspectors/jobs/open-framework.ts";
import { failureOf, type JobFailure, type JobFramework, type PutBack, showFailure } from "../jobs/job-framework.ts";
import { failedJobsTransport } from "./failed-jobs-transport.ts";
import type { OpenedSource, OpenParts, PlacedLetter } from "./opened-source.ts";
import { noSuchQueue, type Peeked, type PeekLimits, peeked } from "./peek.ts";
import type { ReturnOutlook } from "./return-outlook.ts";
import type { SendLine } from "./send-line.ts";

const limitMs = 20_000;

/** The failed jobs of a framework: letters that stay where they are, and are put back there. */
export async function openJobs({ source, url, clock }: OpenParts): Promise<OpenedSource> {
  const { broker, schema, prefix, transports } = source;
  const { framework, close } = await openFramework(broker, { url, schema, prefix, transports }, limitMs);
  return jobsSource({ broker, framework, clock, close });
}

interface JobsParts {
  readonly broker: string;
  readonly framework: JobFramework;
  readonly clock: Clock;
  readonly close: () => Promise<void>;
}

export function jobsSource({ broker, framework, clock, close }: JobsParts): OpenedSource {
  const transport = failedJobsTransport({ broker, framework, clock });
  const returned = returnedJobs();
  return {
    transport,
    group: null,
    addressOf: async (queue) => ({ name: queue }),
    line: (replay) => putBackLine(framework, clock, (queue, job) => returned.note(replay, queue, job)),
    peek: (queue, limits) => peekJobs(framework, queue, limits),
    // Nothing was ever taken from there.
    keepsDrained: async () => true,
    outlooks: (letters) => outlooks(framework, letters),
    async look(queue) {
      const found = await framework.look(queue);
      return {
        address: { name: queue },
        ...{ keepsNextDeath: true, keepsOrder: "never", otherGroups: [], lag: found?.pending ?? null },
      };
    },
    async watch(queue, replay) {
      const jobs = returned.of(replay, queue);
      return async () => {
        const isOver = await areOver(framework, queue, jobs);
        if (isOver) returned.forget(replay, queue, jobs);
        return isOver;
      };
    },
    async close() {
      await transport.close();
      await close();
    },
  };
}

/** Those that failed longest ago. What is but a name has nothing to show. */
async function peekJobs(framework: JobFramework, queue: string, limits: PeekLimits): Promise<readonly Peeked[]> {
  if ((await framework.look(queue)) === null) throw noSuchQueue(queue);
  const jobs = await framework.list(queue, null, limits.most);
  return jobs.flatMap((job) => (job.message === null ? [] : [peeked(showFailure(job), job.message, limits)]));
}

/** Replays and queues of which it is known which jobs were put back: of older ones an empty queue tells. */
const mostReturns = 100;

/** Put back since the source was opened, until they are over: by the replay, and the queue they were planned to. */
function returnedJobs() {
  const all = new Map<string, Set<JobFailure>>();
  const keyOf = (replay: Uint8Array, queue: string) => JSON.stringify([Buffer.from(replay).toString("hex"), queue]);
  return {
    note(replay: Uint8Array, queue: string, job: JobFailure): void {
      const key = keyOf(replay, queue);
      all.set(key, (all.get(key) ?? new Set()).add(job));
      const [oldest] = all.keys();
      if (all.size > mostReturns && oldest !== undefined) all.delete(oldest);
    },
    of: (replay: Uint8Array, queue: string): readonly JobFailure[] => [...(all.get(keyOf(replay, queue)) ?? [])],
    forget(replay: Uint8Array, queue: string, jobs: readonly JobFailure[]): void {
      const key = keyOf(replay, queue);
      const kept = all.get(key);
      for (const job of jobs) kept?.delete(job);
      if (kept?.size === 0) all.delete(key);
    },
  };
}

async function areOver(framework: JobFramework, queue: string, jobs: readonly JobFailure[]): Promise<boolean> {
  const standings = jobs.length === 0 ? ["moved"] : await framework.standings(jobs);
  if (standings.includes("pending")) return false;
  return !standings.includes("moved") || isEmpty(framework, queue);
}

/** Where it is not known which jobs were put back, or not what became of each, an empty queue is what tells. */
async function isEmpty(framework: JobFramework, queue: string): Promise<boolean> {
  return (await framework.look(queue))?.pending === 0;
}

/** What a job that is put back comes to: asked of its store, since somebody else may have moved it. */
async function outlooks(framework: JobFramework, letters: readonly PlacedLetter[]): Promise<readonly ReturnOutlook[]> {
  const jobs = letters.map(({ position }) => failureOf(position));
  const standings = await framework.standings(jobs.filter((job) => job !== null));
  const found = new Map(jobs.filter((job) => job !== null).map((job, index) => [job, standings[index]]));
  return letters.map(({ message }, index): ReturnOutlook => {
    const job = jobs[index] ?? null;
    return job === null || found.get(job) !== "failed" ? { kind: "moved" } : framework.outlook(message);
  });
}

/** From the intent to put jobs back they may be for so long, by the clock of their store, in milliseconds. */
const putBackMs = 20_000;

/**
 * Sending is to compare and to move, in one step that has its time: a failure that stands when that is over was not put back, and
 * never will be, not even by a sender that wakes up then. So nothing stays in doubt, without a trace of ours in the store.
 */
function putBackLine(framework: JobFramework, clock: Clock, note: (queue: string, job: JobFailure) => void): SendLine {
  return {
    sideBySide: true,
    note: async () => String((await framework.now()) + putBackMs),
    commit: async () => {},
    async send(queue, _message, { position = null, note: before = null }) {
      const job = failureOf(position);
      if (job === null || before === null) throw moved("It is not known which job it is.");
      requireDone(await framework.putBack({ ...job, beforeMs: Number(before) }), job);
      note(queue, job);
    },
    async findOut(lost) {
      const known = lost.flatMap(({ n, queue, position = null, note: before }) => {
        const job = failureOf(position);
        return job === null || before === null ? [] : [{ n, queue, job, beforeMs: Number(before) }];
      });
      await untilLate(framework, clock, Math.max(0, ...known.map(({ beforeMs }) => beforeMs)));
      const standings = await framework.standings(known.map(({ job }) => job));
      return new Map(
        known.map(({ n, queue, job }, index) => {
          if (standings[index] === "failed") return [n, "unsent"] as const;
          note(queue, job);
          return [n, "sent"] as const;
        }),
      );
    },
  };
}

/** The store's clock is asked again: a host that slept has not let it stand still. */
async function untilLate(framework: JobFramework, clock: Clock, beforeMs: number): Promise<void> {
  for (;;) {
    const leftMs = beforeMs - (await framework.now());
    if (leftMs <= 0) return;
    await pause(clock, Math.min(leftMs, putBackMs));
  }
}

function requireDone(putBack: PutBack, { queue, id }: JobFailure): void {
  if (putBack === "done") return;
  if (putBack === "late")
    throw new OfficeError("TRANSPORT_UNAVAILABLE", "Its store was asked too late. It is asked again.");
  if (putBack === "moved") throw moved(`Job ${id} of ${queue} is not failed any more, or has failed again since.`);
  throw new OfficeError("JOB_REFUSED", `${putBack.why} ${putBack.change}`, { details: { queue, job: id } });
}

function moved(text: string): OfficeError {
  return new OfficeError("JOB_MOVED", `${text} Nothing was changed; drain its queue to see how it is now.`);
}

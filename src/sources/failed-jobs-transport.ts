import { type Clock, pause } from "../domain/clock.ts";
import { isFinal, OfficeError } from "../domain/errors.ts";
import type { Delivery } from "../domain/message.ts";
import { queueNames } from "../domain/wire.ts";
import { type FailedJob, type JobFramework, showFailure } from "../jobs/job-framework.ts";
import type { ConsumeOptions, Handle, Transport } from "../transports/transport.ts";

/** How long it waits before it looks for new ones, and before it asks again whoever gave no answer, in milliseconds. */
const lookAgainMs = 1_000;
/** While nothing new is found the wait doubles up to this: not every store has an index for what is asked, in milliseconds. */
const lookSeldomMs = 15_000;
const atOnce = 500;
/** Clocks of workers differ: what failed so long before the newest may still be new, in seconds. */
const lateS = 300;
/** So often all of them are looked at again: no order is relied on for longer, in milliseconds. */
const wholeEveryMs = 600_000;

interface FailedJobsParts {
  readonly broker: string;
  readonly framework: JobFramework;
  readonly clock: Clock;
}

/** Failed jobs as deliveries. They are read where they are: whatever the verdict, they stay there. */
export function failedJobsTransport({ broker, framework, clock }: FailedJobsParts): Transport {
  const stop = new AbortController();
  const reading = new Set<Promise<void>>();
  return {
    broker,
    positionsAreNames: true,
    capabilities: {
      ...{ atomicOnward: false, order: false, holdsBack: false, deliveryCount: false, lease: false },
      ...{ typedHeaders: true, repeatedHeaders: true, replyAddresses: false },
    },
    async send() {
      throw onlyRead("Nothing can be sent to it: a failed job is put back by a replay of its letter.");
    },
    async consume({ name }, handle, options) {
      if (name === queueNames.reports) throw noQueue(name, broker);
      const signal = AbortSignal.any([options.signal, stop.signal]);
      const run = readUntil({ framework, broker, clock }, name, handle, { ...options, signal });
      reading.add(run);
      await run.finally(() => reading.delete(run));
    },
    async close() {
      stop.abort();
      await Promise.allSettled(reading);
    },
  };
}

/** Passes over the failed of a queue: the first over all of them, the others from where the newest was. */
async function readUntil(
  parts: FailedJobsParts,
  queue: string,
  handle: Handle,
  options: ConsumeOptions,
): Promise<void> {
  const { clock, framework } = parts;
  const { signal, report, listening } = options;
  const seen = new Map<string, number>();
  let from: string | null = null;
  let wholeAt = clock.now();
  let isLost = false;
  let isFirst = true;
  let waitMs = lookAgainMs;
  const noticing: Handle = (delivery) => {
    waitMs = lookAgainMs;
    return handle(delivery);
  };
  while (!signal.aborted) {
    waitMs = Math.min(waitMs * 2, lookSeldomMs);
    try {
      if (isFirst && (await framework.look(queue)) === null) throw noQueue(queue, parts.broker);
      const isWhole = await passOver(parts, { queue, from, seen }, noticing, options);
      if (isLost) report?.({ kind: "connection-restored" });
      isLost = false;
      if (isWhole && isFirst) listening?.();
      if (isWhole) isFirst = false;
      if (isWhole) from = forgetOld(seen, framework.unitsPerSecond * (framework.lateS ?? lateS));
      if (isWhole && clock.now() - wholeAt >= wholeEveryMs) [from, wholeAt] = [null, clock.now()];
    } catch (error) {
      if (isFinal(error)) throw error;
      if (!isLost) report?.({ kind: "connection-lost", error });
      isLost = true;
      waitMs = lookAgainMs;
    }
    await pause(clock, waitMs, signal);
  }
}

interface Pass {
  readonly queue: string;
  readonly from: string | null;
  /** Those that were taken, and by what they were listed. */
  readonly seen: Map<string, number>;
}

/** False: some were not taken, or it was stopped; the next pass begins where this one did. */
async function passOver(
  { framework }: FailedJobsParts,
  { queue, from, seen }: Pass,
  handle: Handle,
  { signal, report, concurrency }: ConsumeOptions,
): Promise<boolean> {
  const size = Math.min(concurrency, atOnce);
  let [at, limit] = [from, size];
  for (;;) {
    const jobs = await framework.list(queue, at, limit);
    const unseen = jobs.filter((job) => !seen.has(showFailure(job)));
    for (const job of unseen.filter(({ message }) => message === null)) {
      report?.({ kind: "passed-over", error: nothingLeft(job) });
      seen.set(showFailure(job), Number(listingOf(job)));
    }
    const fresh = unseen.flatMap(deliveryOf);
    for (let start = 0; start < fresh.length; start += size) {
      if (signal.aborted) return false;
      const refused = await handOver(fresh.slice(start, start + size), seen, handle);
      if (refused === undefined) continue;
      report?.({ kind: "settle-failed", error: refused.reason });
      return false;
    }
    const last = jobs.at(-1);
    if (jobs.length < limit || last === undefined) return true;
    // The next page begins with all that failed at that same moment: one of them that leaves meanwhile must hide no other.
    const next = listingOf(last);
    limit = size + (at === next ? limit : jobs.filter((job) => listingOf(job) === next).length);
    at = next;
  }
}

/** The first that was not taken. */
async function handOver(
  page: readonly JobDelivery[],
  seen: Map<string, number>,
  handle: Handle,
): Promise<PromiseRejectedResult | undefined> {
  const taken = await Promise.allSettled(page.map(handle));
  for (const [index, { position, listedAt }] of page.entries()) {
    if (taken[index]?.status === "fulfilled") seen.set(position, Number(listedAt));
  }
  return taken.find((each) => each.status === "rejected");
}

/** From where the next pass begins; what is older is not listed then, and need not be known. */
function forgetOld(seen: Map<string, number>, late: number): string | null {
  const newest = [...seen.values()].reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(newest)) return null;
  for (const [job, listedAt] of seen) if (listedAt < newest - late) seen.delete(job);
  return String(newest - late);
}

interface JobDelivery extends Delivery {
  readonly position: string;
  readonly listedAt: string;
}

function listingOf({ listedAt, failedAt }: Pick<FailedJob, "listedAt" | "failedAt">): string {
  return listedAt ?? failedAt;
}

/** None of what is but a name. */
function deliveryOf(job: FailedJob): readonly JobDelivery[] {
  const { message, queue } = job;
  if (message === null) return [];
  const charge = async () => {
    throw onlyRead("No attempt can be charged to a failed job.");
  };
  return [
    {
      ...{ message, source: { name: queue }, position: showFailure(job), listedAt: listingOf(job) },
      ...{ redelivered: false, deliveryCount: null, charge, extend: async () => true },
    },
  ];
}

/** Said once of each. */
function nothingLeft({ queue, id }: FailedJob): OfficeError {
  const text =
    `\`${queue}\` lists the failed job ${id}, and nothing else is left of it: it was deleted or has expired. ` +
    "It is passed over; its framework drops such entries in time.";
  return new OfficeError("JOB_MOVED", text, { details: { queue, job: id } });
}

function onlyRead(text: string): OfficeError {
  return new OfficeError("INVALID_OPTION", `The failed jobs of a framework are read where they are. ${text}`);
}

function noQueue(name: string, broker: string): OfficeError {
  return new OfficeError(
    "QUEUE_NOT_FOUND",
    `${broker} has no queue \`${name}\`. \`dlo sources discover\` lists those it has.`,
    {
      details: { queue: name },
    },
  );
}

import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import { refused } from "./job-story.ts";

export function connect(url: string): Redis {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  onTestFinished(() => connection.disconnect());
  return connection;
}

export function openQueue(url: string, name: string): Queue {
  const queue = new Queue(name, { connection: connect(url) });
  onTestFinished(() => queue.close());
  return queue;
}

/** A job that failed at the hand of a worker that is gone again. */
export async function failJob(
  url: string,
  name: string,
  jobId: string,
  options: { readonly priority?: number; readonly lifo?: boolean } = {},
): Promise<Queue> {
  const queue = openQueue(url, name);
  await queue.add("charge", { order: jobId }, { jobId, ...options });
  const worker = new Worker(name, null, { connection: connect(url) });
  const job = await worker.getNextJob("token");
  await job?.moveToFailed(refused(), "token");
  await worker.close();
  return queue;
}

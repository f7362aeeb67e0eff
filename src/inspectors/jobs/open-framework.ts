import { openPg } from "../../databases/open-pg.ts";
import type { Database } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { asynq } from "../../jobs/asynq/asynq.ts";
import { bullmq } from "../../jobs/bullmq/bullmq.ts";
import { dramatiq } from "../../jobs/dramatiq/dramatiq.ts";
import { graphileWorker } from "../../jobs/graphile-worker/graphile-worker.ts";
import type { JobFramework } from "../../jobs/job-framework.ts";
import { laravel } from "../../jobs/laravel/laravel.ts";
import { pgBoss } from "../../jobs/pg-boss/pg-boss.ts";
import type { RedisStore } from "../../jobs/redis-store.ts";
import { river } from "../../jobs/river/river.ts";
import { rq } from "../../jobs/rq/rq.ts";
import { sidekiq } from "../../jobs/sidekiq/sidekiq.ts";
import { symfonyMessenger } from "../../jobs/symfony-messenger/symfony-messenger.ts";
import { systemHost } from "../../system/host.ts";
import { RedisConnection } from "../../transports/redis/connection.ts";

/** Where a framework keeps its jobs. */
export interface JobPlace {
  readonly url: string;
  readonly schema?: string | undefined;
  readonly prefix?: string | undefined;
  readonly transports?: Readonly<Record<string, string>> | undefined;
}

type Options = Omit<JobPlace, "url">;

type Kind =
  | { readonly store: "redis"; readonly make: (store: RedisStore, options: Options) => JobFramework }
  | { readonly store: "postgres"; readonly make: (database: Database, options: Options) => JobFramework };

/** Every framework there is. */
const frameworks: Readonly<Record<string, Kind>> = {
  bullmq: { store: "redis", make: bullmq },
  sidekiq: { store: "redis", make: sidekiq },
  rq: { store: "redis", make: rq },
  asynq: { store: "redis", make: asynq },
  dramatiq: { store: "redis", make: dramatiq },
  "pg-boss": { store: "postgres", make: pgBoss },
  river: { store: "postgres", make: river },
  "graphile-worker": { store: "postgres", make: graphileWorker },
  laravel: { store: "postgres", make: laravel },
  "symfony-messenger": { store: "postgres", make: symfonyMessenger },
};

const connections = 2;

export interface OpenedFramework {
  readonly framework: JobFramework;
  close(): Promise<void>;
}

/** Nothing is asked yet. No answer takes longer than `limitMs`. */
export async function openFramework(
  name: string,
  { url, ...options }: JobPlace,
  limitMs: number,
): Promise<OpenedFramework> {
  const kind = frameworks[name];
  if (kind === undefined) throw new OfficeError("INVALID_OPTION", `There is no job framework \`${name}\`.`);
  if (kind.store === "postgres") {
    const { database, close } = await openPg(url, { connections, limitMs });
    return { framework: kind.make(database, options), close };
  }
  const parts = { url, tls: null, name: "dlo-office", silenceMs: limitMs, random: systemHost.random };
  const connection = new RedisConnection({ ...parts, use: "jobs" });
  return { framework: kind.make(connection, options), close: () => connection.close() };
}

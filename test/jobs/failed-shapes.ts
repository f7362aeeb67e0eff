import { Redis } from "ioredis";
import type { Pool } from "pg";
import { onTestFinished } from "vitest";

/** Failed jobs as frameworks of other languages leave them, written by hand: one in `charges`, which failed just now. */

const refused = "connect ECONNREFUSED 10.0.0.7:443";
const now = () => Date.now();
const iso = (at: number) => new Date(at).toISOString();

type InRedis = (client: Redis) => Promise<unknown>;

const inRedis = {
  sidekiq(client) {
    const at = now() / 1_000;
    const error = { error_class: "Errno::ECONNREFUSED", error_message: refused, failed_at: at, retry: 0 };
    const job = { class: "ChargeJob", args: ["o-1"], queue: "charges", jid: "j-1", created_at: at, ...error };
    return client.zadd("dead", at, JSON.stringify(job));
  },
  async rq(client) {
    const times = { created_at: iso(now()), started_at: iso(now()), ended_at: iso(now()) };
    const error = { exc_info: `Traceback (most recent call last):\nConnectionRefusedError: ${refused}` };
    const job = { status: "failed", origin: "charges", data: "x", description: "shop.charge('o-1')" };
    await client.sadd("rq:queues", "rq:queue:charges");
    await client.hset("rq:job:o-1", { ...job, ...times, ...error });
    await client.zadd("rq:failed:charges", now() / 1_000 + 31_536_000, "o-1");
  },
  async asynq(client) {
    const text = (field: number, value: string) =>
      Buffer.concat([Buffer.from([field * 8 + 2, value.length]), Buffer.from(value)]);
    const fields: readonly (readonly [number, string])[] = [
      [1, "charge"],
      [2, '{"id":1}'],
      [3, "o-1"],
      [4, "charges"],
      [7, refused],
    ];
    const msg = Buffer.concat(fields.map(([field, value]) => text(field, value)));
    await client.sadd("asynq:queues", "charges");
    await client.hset("asynq:{charges}:t:o-1", { msg, state: "archived" });
    await client.zadd("asynq:{charges}:archived", Math.floor(now() / 1_000), "o-1");
  },
  async dramatiq(client) {
    const options = { retries: 1, max_retries: 1, traceback: `Traceback:\nConnectionRefusedError: ${refused}` };
    const message = { queue_name: "charges", actor_name: "charge", args: ["o-1"], kwargs: {}, options };
    const stamped = { ...message, message_id: "m-1", message_timestamp: now() };
    await client.hset("dramatiq:charges.XQ.msgs", "o-1", JSON.stringify(stamped));
    await client.zadd("dramatiq:charges.XQ", now(), "o-1");
  },
} as const satisfies Readonly<Record<string, InRedis>>;

export async function failInRedis(framework: keyof typeof inRedis, url: string): Promise<void> {
  const client = new Redis(url);
  onTestFinished(() => client.disconnect());
  await inRedis[framework](client);
}

/** As the migrations of Laravel make them. */
export const laravelTables = {
  jobs: `create table public.jobs (id bigserial primary key, queue varchar(255) not null, payload text not null,
    attempts smallint not null, reserved_at integer, available_at integer not null, created_at integer not null)`,
  failed: `create table public.failed_jobs (id bigserial primary key, uuid varchar(255) not null unique, connection text not null,
    queue text not null, payload text not null, exception text not null,
    failed_at timestamp(0) not null default current_timestamp)`,
} as const;

export interface FailedLaravelJob {
  readonly connection?: string;
  readonly uuid?: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

export async function failInLaravel(
  pool: Pool,
  { connection = "database", uuid = "u-1", more = {} }: FailedLaravelJob = {},
): Promise<void> {
  const payload = JSON.stringify({ uuid, displayName: "Charge", maxTries: 3, ...more });
  const row = [uuid, connection, "charges", payload, `ConnectionException: ${refused} in /app/Pay.php:1`];
  const columns = "insert into public.failed_jobs (uuid, connection, queue, payload, exception)";
  await pool.query(`${columns} values ($1, $2, $3, $4, $5)`, row);
}

/** As Symfony's own set-up makes it. */
export const symfonyTable = `create table if not exists public.messenger_messages (id bigserial primary key, body text not null, headers text not null,
  queue_name varchar(190) not null, created_at timestamp(0) not null, available_at timestamp(0) not null, delivered_at timestamp(0))`;

const stamp = (name: string) => `X-Message-Stamp-Symfony\\Component\\Messenger\\Stamp\\${name}`;

export const symfonyHeaders = JSON.stringify({
  type: "Charge",
  [stamp("SentToFailureTransportStamp")]: '[{"originalReceiverName":"async"}]',
  [stamp("ErrorDetailsStamp")]: JSON.stringify([
    { exceptionClass: "ConnectException", exceptionCode: 0, exceptionMessage: refused },
  ]),
});

export interface FailedSymfonyMessage {
  readonly body?: string;
  readonly headers?: string;
  readonly queue?: string;
  /** Since when a worker has it, as PostgreSQL says it. */
  readonly deliveredAt?: string;
}

export async function failInSymfony(
  pool: Pool,
  {
    body = '{"orderId":"o-1"}',
    headers = symfonyHeaders,
    queue = "failed",
    deliveredAt = "null",
  }: FailedSymfonyMessage = {},
): Promise<void> {
  const columns = "public.messenger_messages (body, headers, queue_name, created_at, available_at, delivered_at)";
  await pool.query(`insert into ${columns} values ($1, $2, $3, now(), now(), ${deliveredAt})`, [body, headers, queue]);
}

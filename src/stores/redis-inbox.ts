import { createHash } from "node:crypto";
import { OfficeError } from "../domain/errors.ts";
import { redisScript } from "../domain/redis.ts";
import type { Inbox, InboxEntry, InboxOutcome, Turn } from "./inbox.ts";
import { type RedisStore, type RedisStoreOptions, redisStore } from "./redis-store.ts";

/**
 * A key holds "done" for as long as the success is remembered or, while somebody is at work, whose turn it is and until
 * when. That outlives the turn itself: whoever comes late must be able to tell that nobody took over.
 */
const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** ARGV: turn, lease, how long the key may stay. */
const beginScript = redisScript(`${clock}
local known = redis.call('GET', KEYS[1])
if known == 'done' then return 'duplicate' end
if known and tonumber(string.match(known, '^(%d+):')) > now then return 'busy' end
redis.call('SET', KEYS[1], now + ARGV[2] .. ':' .. ARGV[1], 'PX', ARGV[3])
return 'yours'`);

const held = `
local known = redis.call('GET', KEYS[1])
if not known or string.match(known, ':(.*)$') ~= ARGV[1] then return 0 end`;

const extendScript = redisScript(`${clock}${held}
redis.call('SET', KEYS[1], now + ARGV[2] .. ':' .. ARGV[1], 'PX', ARGV[3])
return 1`);

/** ARGV: turn, window. */
const rememberScript = redisScript(`${held}
redis.call('SET', KEYS[1], 'done', 'PX', ARGV[2])
return 1`);

/** ARGV: turn. */
const releaseScript = redisScript(`${held}
redis.call('DEL', KEYS[1])
return 1`);

/** How long the key of a process that died at work stays after its lease, in milliseconds. */
const traceMs = 3_600_000;

/**
 * Remembers successes in Redis, for handlers whose effects are not in a database of their own. There is no transaction:
 * a process that dies after its effect and before that is remembered has it again. Where effects are rows in PostgreSQL,
 * `postgresInbox` is the one that cannot be caught in between.
 */
export function redisInbox(options: RedisStoreOptions): Inbox {
  const store = redisStore(options);
  return {
    async once(entry, work) {
      const at = { store, key: keyOf(store, entry), turn: store.host.newId() };
      const outcome = String(await store.run(beginScript, at.key, [at.turn, ...leaseOf(entry.leaseMs)]));
      return outcome === "yours" ? runOnce(at, entry, work) : (outcome as InboxOutcome);
    },
    without: (work) => work(undefined),
  };
}

interface HeldTurn {
  readonly store: RedisStore;
  readonly key: string;
  readonly turn: string;
}

async function runOnce(
  { store, key, turn }: HeldTurn,
  { windowMs }: InboxEntry,
  work: (turn: Turn<undefined>) => Promise<void>,
): Promise<"ran"> {
  let abandoned = false;
  const release = () => store.run(releaseScript, key, [turn]).catch(() => {});
  try {
    await work({
      tx: undefined,
      extend: async (ms) => !abandoned && (await store.run(extendScript, key, [turn, ...leaseOf(ms)])) === 1,
      abandon() {
        abandoned = true;
        void release();
      },
    });
  } catch (error) {
    // If it cannot be told, the turn is over with its lease.
    await release();
    throw error;
  }
  if (abandoned || (await store.run(rememberScript, key, [turn, Math.max(1, Math.ceil(windowMs))])) !== 1) {
    throw new OfficeError("TRANSACTION_OVER", "The turn at this message was lost or given up: nothing of it is kept.");
  }
  return "ran";
}

function leaseOf(ms: number): [leaseMs: number, stayMs: number] {
  const leaseMs = Math.ceil(ms);
  return [leaseMs, leaseMs + traceMs];
}

/** The length keeps a scope and a key from being taken for another pair; UTF-16 keeps what UTF-8 would replace. */
function keyOf({ prefix }: RedisStore, { scope, key }: InboxEntry): string {
  const name = Buffer.from(`${scope.length}:${scope}${key}`, "utf16le");
  return `${prefix}:inbox:${createHash("sha256").update(name).digest("base64url")}`;
}

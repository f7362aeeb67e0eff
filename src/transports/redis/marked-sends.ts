import { durationMs } from "../../domain/duration.ts";
import { showId } from "../../domain/ids.ts";
import { redisScript } from "../../domain/redis.ts";
import { barred, type MarkedSends, marksKeptDays } from "../marked-sends.ts";
import type { RedisConnection } from "./connection.ts";
import { encodeEntry } from "./entry-codec.ts";

/**
 * KEYS: marks, stream. ARGV: number, intent, how long marks are kept, then the entry. A mark is "sent", or the intent up to
 * which the send is barred.
 */
const sendScript = redisScript(`
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known == 'sent' then return 1 end
if known and tonumber(known) >= tonumber(ARGV[2]) then return 0 end
redis.call('XADD', KEYS[2], '*', unpack(ARGV, 4))
redis.call('HSET', KEYS[1], ARGV[1], 'sent')
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`);

/** KEYS: marks. ARGV: how long marks are kept, then number and intent by turns. Answers with the numbers of those sent. */
const findOrBarScript = redisScript(`
local sent = {}
for index = 2, #ARGV, 2 do
  local known = redis.call('HGET', KEYS[1], ARGV[index])
  if known == 'sent' then
    sent[#sent + 1] = tonumber(ARGV[index])
  else
    redis.call('HSET', KEYS[1], ARGV[index], math.max(tonumber(known or 0), tonumber(ARGV[index + 1])))
  end
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return sent`);

const keptMs = durationMs(`${marksKeptDays}d`);

/** The mark and the entry are one step. */
export function markedSends(connection: RedisConnection, replay: Uint8Array): MarkedSends {
  const marks = `dlo:sends:${showId("replay", replay)}`;
  return {
    async send(stream, message, mark) {
      const args = [mark.n, mark.intent, keptMs, ...encodeEntry(message)];
      if ((await connection.run(sendScript, [marks, stream], args)) !== 1) throw barred(mark);
    },
    async findOrBar(wanted) {
      if (wanted.length === 0) return new Set();
      const args = [keptMs, ...wanted.flatMap(({ n, intent }) => [n, intent])];
      return new Set((await connection.run(findOrBarScript, [marks], args)) as readonly number[]);
    },
  };
}

import { redisScript } from "../domain/redis.ts";
import type { RedisConnection } from "../transports/redis/connection.ts";
import { decodeEntry, type Fields } from "../transports/redis/entry-codec.ts";
import { readGroups, streamsAmong } from "../transports/redis/facts.ts";
import { noSuchQueue, type Peeked, type PeekLimits } from "./peek.ts";

/**
 * One entry after the other, so that a large one never leaves Redis. KEYS: stream. ARGV: from where, how many, bytes of one. Answers
 * with id, size and fields of each; of a large one without the fields.
 */
const peekScript = redisScript(`
local found, from = {}, ARGV[1]
for at = 1, tonumber(ARGV[2]) do
  local entry = redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', 1)[1]
  if not entry then break end
  local size = 0
  for _, field in ipairs(entry[2]) do size = size + #field end
  found[at] = { entry[1], size, size <= tonumber(ARGV[3]) and entry[2] or {} }
  from = '(' .. entry[1]
end
return found`);

type PeekedEntry = readonly [id: Buffer, size: number, fields: Fields];

/** As no group: what the office's own has read already is passed over. */
export async function peekRedis(
  connection: RedisConnection,
  stream: string,
  { most, bytesEach }: PeekLimits,
  group: string,
): Promise<readonly Peeked[]> {
  if (!(await streamsAmong(connection, [stream])).has(stream)) throw noSuchQueue(stream);
  const own = (await readGroups(connection, stream)).find(({ name }) => name === group);
  const from = own === undefined ? "-" : `(${own.lastDeliveredId}`;
  const entries = (await connection.run(peekScript, [stream], [from, most, bytesEach])) as readonly PeekedEntry[];
  return entries.map(([id, size, fields]) => {
    const position = String(id);
    if (size <= bytesEach) return { position, message: decodeEntry(fields) };
    return { position, message: { ...decodeEntry([]), body: new Uint8Array() }, missingBodyBytes: size };
  });
}

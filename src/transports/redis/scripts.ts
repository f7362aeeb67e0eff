import { redisScript } from "../../domain/redis.ts";
import { batches, clock, fields, held, removal } from "./script-parts.ts";

/**
 * Everything that changes a message that was taken, and sends that wait, each in one step.
 *
 * ARGV: group, whether to clean, then for each state it, how many ids there are, and the ids. Answers with how many there were.
 */
export const acknowledgeScript = redisScript(`${removal}${batches}
local group, clean, removed, index = ARGV[1], ARGV[2], 0, 3
while index <= #ARGV do
  local state, count = ARGV[index], tonumber(ARGV[index + 1])
  local asked = { unpack(ARGV, index + 2, index + 1 + count) }
  local states, own, ofBatch = redis.call('HMGET', KEYS[3], unpack(asked)), {}, {}
  for at, id in ipairs(asked) do
    if not states[at] then ofBatch[#ofBatch + 1] = id
    elseif states[at] == state then own[#own + 1] = id end
  end
  local fence = #ofBatch > 0 and string.match(state, '^(%d+):1:0$')
  local batch = fence and batchOf(fence)
  if batch then
    local acknowledged = forget(ofBatch, group, clean)
    leave(fence, batch, acknowledged)
    removed = removed + acknowledged
  end
  if #own > 0 then remove(own, group, clean) end
  removed, index = removed + #own, index + 2 + count
end
return removed`);

/** ARGV: group, then id and state by turns. To the front, as if they had not been handed over. */
export const giveBackScript = redisScript(`${held}
for index = 2, #ARGV, 2 do
  local id, state = ARGV[index], ARGV[index + 1]
  if held(id, state, ARGV[1]) then
    local deliveries, redelivered = string.match(state, '^%d+:(%d+):(%d)$')
    redis.call('HSET', KEYS[3], id, '0:' .. (deliveries - 1) .. ':' .. redelivered)
    redis.call('ZADD', KEYS[2], 0, id)
  end
end
return 1`);

/** What begins each script about one message. ARGV: group, id, state. */
const ifHeld = `${held}
local id, state = ARGV[2], ARGV[3]
if not held(id, state, ARGV[1]) then return 0 end`;

/** ARGV 4: delay, then the entry. What stays is the count of deliveries. */
export const replaceScript = redisScript(`${clock}${ifHeld}
redis.call('HSET', KEYS[4], id, cmsgpack.pack({ unpack(ARGV, 5) }))
redis.call('HSET', KEYS[3], id, '0:' .. string.match(state, ':(%d+):') .. ':0')
redis.call('ZADD', KEYS[2], clock() + ARGV[4], id)
return 1`);

/** KEYS 6: the other stream. ARGV 4: whether to clean, then the entry. If it cannot be added, it stays where it is. */
export const moveScript = redisScript(`${removal}${ifHeld}
redis.call('XADD', KEYS[6], '*', unpack(ARGV, 5))
remove({ id }, ARGV[1], ARGV[4])
return 1`);

/** ARGV 4: the name of the field of headers, headers. */
export const chargeScript = redisScript(`${fields}${ifHeld}
local list, charged = fieldsOf(id), {}
if not list then return 0 end
for index = 1, #list, 2 do
  if list[index] ~= ARGV[4] then
    charged[#charged + 1] = list[index]
    charged[#charged + 1] = list[index + 1]
  end
end
if ARGV[5] ~= '' then
  charged[#charged + 1] = ARGV[4]
  charged[#charged + 1] = ARGV[5]
end
redis.call('HSET', KEYS[4], id, cmsgpack.pack(charged))
return 1`);

/** ARGV 4: milliseconds. */
export const extendScript = redisScript(`${clock}${ifHeld}
redis.call('ZADD', KEYS[2], clock() + ARGV[4], id)
return 1`);

/** ARGV: delay, then the entry. It waits for this group alone. */
export const delayScript = redisScript(`${clock}
local id = 'p' .. redis.call('HINCRBY', KEYS[3], 'last', 1)
redis.call('HSET', KEYS[4], id, cmsgpack.pack({ unpack(ARGV, 2) }))
redis.call('HSET', KEYS[3], id, '0:0:0')
redis.call('ZADD', KEYS[2], clock() + ARGV[1], id)
return 1`);

/** KEYS: delayed, delayed entries. ARGV: delay, then the entry. It waits for all groups of the stream. */
export const delayForAllScript = redisScript(`${clock}
local id = redis.call('HINCRBY', KEYS[2], 'last', 1)
redis.call('HSET', KEYS[2], id, cmsgpack.pack({ unpack(ARGV, 2) }))
redis.call('ZADD', KEYS[1], clock() + ARGV[1], id)
return 1`);

/**
 * ARGV: group, how long ago, after which id to go on. What consumers of other libraries read in this group and never acknowledged
 * becomes a message of ours, as redelivered; so does what we read and have no lease for, as when memory ran out in between.
 * Answers with where to go on: 0-0 for the beginning.
 */
export const adoptScript = redisScript(`${batches}
local function isUpTo(one, other)
  local ms, seq = string.match(one, '^(%d+)-(%d+)$')
  local otherMs, otherSeq = string.match(other, '^(%d+)-(%d+)$')
  if ms ~= otherMs then return tonumber(ms) < tonumber(otherMs) end
  return tonumber(seq) <= tonumber(otherSeq)
end
local known
local function isOfBatch(id)
  known = known or redis.call('HVALS', KEYS[5])
  for _, record in ipairs(known) do
    local after, last = string.match(record, '^(%S+) (%S+) %d+$')
    if last ~= '-' and isUpTo(id, last) and not isUpTo(id, after) then return true end
  end
  return false
end
local page = redis.pcall('XPENDING', KEYS[1], ARGV[1], 'IDLE', ARGV[2], '(' .. ARGV[3], '+', 100)
if page.err then
  if string.find(page.err, 'NOGROUP', 1, true) then return '0-0' end
  return page
end
for _, row in ipairs(page) do
  local id, isOurs = row[1], row[2] == 'dlo'
  if not isOurs then redis.call('XCLAIM', KEYS[1], ARGV[1], 'dlo', ARGV[2], id, 'JUSTID') end
  if redis.call('HEXISTS', KEYS[3], id) == 0 and not (isOurs and isOfBatch(id)) then
    keepState(id, '0:' .. row[4] .. ':1')
    redis.call('ZADD', KEYS[2], 0, id)
  end
end
return #page == 100 and page[100][1] or '0-0'`);

import { redisScript } from "../../domain/redis.ts";

/**
 * Everything that changes a queue, each in one step. The state of a message that is out or waiting is
 * `<fence>:<deliveries>:<redelivered>`, with the fence 0 while nobody has it; a receipt holds the state it was handed
 * over with, so one comparison tells whether it still stands for anything. Ids that begin with "p" are in no stream.
 *
 * KEYS of all: stream, due, state, changed.
 */
const clock = `
local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end`;

/** Takes messages out of the queue for good. A stream that other groups read, too, is left to its owner. */
const removal = `
local function remove(ids, group, clean)
  local entries = {}
  for _, id in ipairs(ids) do
    if string.byte(id) ~= 112 then entries[#entries + 1] = id end
  end
  if #entries > 0 then
    redis.call('XACK', KEYS[1], group, unpack(entries))
    if clean == '1' and #redis.call('XINFO', 'GROUPS', KEYS[1]) == 1 then redis.call('XDEL', KEYS[1], unpack(entries)) end
  end
  redis.call('ZREM', KEYS[2], unpack(ids))
  redis.call('HDEL', KEYS[3], unpack(ids))
  redis.call('HDEL', KEYS[4], unpack(ids))
end`;

/** A message as it is now; nil if somebody took it out of the stream. */
const fields = `
local function fieldsOf(id)
  local packed = redis.call('HGET', KEYS[4], id)
  if packed then return cmsgpack.unpack(packed) end
  if string.byte(id) == 112 then return nil end
  local entry = redis.call('XRANGE', KEYS[1], id, id)[1]
  return entry and entry[2]
end`;

/** Whether a receipt still stands for a message. */
const held = `
if redis.call('HGET', KEYS[3], ARGV[1]) ~= ARGV[2] then return 0 end`;

/**
 * KEYS 5 and 6: delayed, delayed entries. ARGV: group, how many, how many bytes, lease, where a new group begins, whether
 * to clean. First what is due, by lease or delay, then what nobody has read. Answers with what was out or waiting before,
 * the state of what was not, and that; where there is nothing, with the last id read and when the next is due.
 */
export const takeScript = redisScript(`${clock}${removal}${fields}
local group, max, maxBytes, leaseMs = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = clock()
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', now, 'LIMIT', 0, max)) do
  local packed = redis.call('HGET', KEYS[6], member)
  if packed then redis.call('XADD', KEYS[1], '*', unpack(cmsgpack.unpack(packed))) end
  redis.call('ZREM', KEYS[5], member)
  redis.call('HDEL', KEYS[6], member)
end

local again, leases, states, bytes, gone, fence = {}, {}, {}, 0, {}, nil
local function stateOf(rest)
  fence = fence or redis.call('HINCRBY', KEYS[3], 'fence', 1)
  return fence .. rest
end
-- As text, once: a number is made text anew for each message.
local leaseUntil, handed = string.format('%.0f', now + leaseMs), 0
local function handOver(id, state)
  leases[handed + 1], leases[handed + 2] = leaseUntil, id
  states[handed + 1], states[handed + 2] = id, state
  handed = handed + 2
end
local function weigh(list)
  for _, part in ipairs(list) do bytes = bytes + #part end
end

for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, max)) do
  if bytes > maxBytes then break end
  local list = fieldsOf(id)
  if list then
    local was = redis.call('HGET', KEYS[3], id) or '0:0:1'
    local holder, deliveries, redelivered = string.match(was, '^(%d+):(%d+):(%d)$')
    if holder ~= '0' then redelivered = '1' end
    local state = stateOf(':' .. (deliveries + 1) .. ':' .. redelivered)
    handOver(id, state)
    weigh(list)
    again[#again + 1] = { id, state, list }
  else
    gone[#gone + 1] = id
  end
end
if #gone > 0 then remove(gone, group, '0') end

local fresh, count = {}, #again
while count < max and bytes <= maxBytes do
  -- A few first: how much they weigh says how many more fit into an answer.
  local fit = count == 0 and 4 or math.max(1, math.floor((maxBytes - bytes) * count / math.max(1, bytes)))
  local wanted = math.min(max - count, fit)
  local read = redis.pcall('XREADGROUP', 'GROUP', group, 'dlo', 'COUNT', wanted, 'STREAMS', KEYS[1], '>')
  if read and read.err then
    if not string.find(read.err, 'NOGROUP', 1, true) then return read end
    redis.call('XGROUP', 'CREATE', KEYS[1], group, ARGV[5], 'MKSTREAM')
    read = redis.call('XREADGROUP', 'GROUP', group, 'dlo', 'COUNT', wanted, 'STREAMS', KEYS[1], '>')
  end
  local entries = read and read[1][2] or {}
  local state = #entries > 0 and stateOf(':1:0')
  for _, entry in ipairs(entries) do
    handOver(entry[1], state)
    weigh(entry[2])
  end
  count = count + #entries
  fresh[#fresh + 1] = entries
  if #entries < wanted then break end
end

if count > 0 then
  redis.call('ZADD', KEYS[2], unpack(leases))
  -- For one value this long Redis keeps the hash as a table. As the list that a hash of up to 512 is, it is gone through for each id.
  redis.call('HSETNX', KEYS[3], 'table', string.rep('-', 65))
  redis.call('HSET', KEYS[3], unpack(states))
  return { again, stateOf(':1:0'), fresh }
end
local last, nextDue = '0', -1
for _, info in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local found = {}
  for index = 1, #info, 2 do found[info[index]] = info[index + 1] end
  if found.name == group then last = found['last-delivered-id'] end
end
for _, key in ipairs({ KEYS[2], KEYS[5] }) do
  local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
  if first and (nextDue < 0 or first - now < nextDue) then nextDue = math.max(0, math.ceil(first - now)) end
end
return { last, nextDue }`);

/** ARGV: group, whether to clean, then id and state by turns. Answers with how many there were. */
export const acknowledgeScript = redisScript(`${removal}
local asked = {}
for index = 3, #ARGV, 2 do asked[#asked + 1] = ARGV[index] end
local states, ids = redis.call('HMGET', KEYS[3], unpack(asked)), {}
for index, id in ipairs(asked) do
  if states[index] == ARGV[2 * index + 2] then ids[#ids + 1] = id end
end
if #ids > 0 then remove(ids, ARGV[1], ARGV[2]) end
return #ids`);

/** ARGV: id and state by turns. To the front, as if they had not been handed over. */
export const giveBackScript = redisScript(`
for index = 1, #ARGV, 2 do
  local id = ARGV[index]
  if redis.call('HGET', KEYS[3], id) == ARGV[index + 1] then
    local deliveries, redelivered = string.match(ARGV[index + 1], '^%d+:(%d+):(%d)$')
    redis.call('HSET', KEYS[3], id, '0:' .. (deliveries - 1) .. ':' .. redelivered)
    redis.call('ZADD', KEYS[2], 0, id)
  end
end
return 1`);

/** ARGV: id, state, delay, then the entry. What stays is the count of deliveries. */
export const replaceScript = redisScript(`${clock}${held}
redis.call('HSET', KEYS[4], ARGV[1], cmsgpack.pack({ unpack(ARGV, 4) }))
redis.call('HSET', KEYS[3], ARGV[1], '0:' .. string.match(ARGV[2], ':(%d+):') .. ':0')
redis.call('ZADD', KEYS[2], clock() + ARGV[3], ARGV[1])
return 1`);

/** KEYS 5: the other stream. ARGV: id, state, group, whether to clean, then the entry. If it cannot be added, nothing changes. */
export const moveScript = redisScript(`${removal}${held}
redis.call('XADD', KEYS[5], '*', unpack(ARGV, 5))
remove({ ARGV[1] }, ARGV[3], ARGV[4])
return 1`);

/** ARGV: id, state, the name of the field of headers, headers. */
export const chargeScript = redisScript(`${fields}${held}
local list, charged = fieldsOf(ARGV[1]), {}
if not list then return 0 end
for index = 1, #list, 2 do
  if list[index] ~= ARGV[3] then
    charged[#charged + 1] = list[index]
    charged[#charged + 1] = list[index + 1]
  end
end
if ARGV[4] ~= '' then
  charged[#charged + 1] = ARGV[3]
  charged[#charged + 1] = ARGV[4]
end
redis.call('HSET', KEYS[4], ARGV[1], cmsgpack.pack(charged))
return 1`);

/** ARGV: id, state, milliseconds. */
export const extendScript = redisScript(`${clock}${held}
redis.call('ZADD', KEYS[2], clock() + ARGV[3], ARGV[1])
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
 * ARGV: group, how long ago, where to go on. What consumers of other libraries read in this group and never acknowledged
 * becomes a message of ours, as redelivered. Answers with where to go on.
 */
export const adoptScript = redisScript(`
local page = redis.pcall('XAUTOCLAIM', KEYS[1], ARGV[1], 'dlo', ARGV[2], ARGV[3], 'COUNT', 100, 'JUSTID')
if page.err then
  if string.find(page.err, 'NOGROUP', 1, true) then return '0-0' end
  return page
end
for _, id in ipairs(page[2]) do
  if redis.call('HEXISTS', KEYS[3], id) == 0 then
    local pending = redis.call('XPENDING', KEYS[1], ARGV[1], id, id, 1)[1]
    redis.call('HSET', KEYS[3], id, '0:' .. (pending and pending[4] or 1) .. ':1')
    redis.call('ZADD', KEYS[2], 0, id)
  end
end
return page[1]`);

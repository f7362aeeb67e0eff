import { redisScript } from "../../domain/redis.ts";
import { batches, clock, delayed, fields, groups, nextDue, removal } from "./script-parts.ts";

/**
 * What nobody has read yet is read by Redis itself between these two scripts, in one transaction: what a script reads is
 * copied twice on its way.
 *
 * KEYS of both: as for all, delayed, delayed entries. ARGV: group, how many, where a new group begins. Answers with the fence
 * of the batch.
 */
export const beginBatchScript = `${clock}${groups}${delayed}
addDelayed(clock(), tonumber(ARGV[2]))
local group = groupOf(ARGV[1])
if group and group.err then return group end
if not group then
  redis.call('XGROUP', 'CREATE', KEYS[1], ARGV[1], ARGV[3], 'MKSTREAM')
  group = groupOf(ARGV[1])
end
local fence = redis.call('HINCRBY', KEYS[3], 'fence', 1)
redis.call('HSET', KEYS[5], fence, group['last-delivered-id'] .. ' - ' .. group.pending)
return fence`;

/**
 * ARGV: group, lease. Answers with whether something else is due, how many bytes the largest of the next few has (0: there are
 * none), and where nothing was read, the last id read and when the next is due.
 */
export const endBatchScript = `${clock}${batches}${groups}${nextDue}
local now, group, fence = clock(), groupOf(ARGV[1]), redis.call('HGET', KEYS[3], 'fence')
local begun = string.gmatch(redis.call('HGET', KEYS[5], fence), '%S+')
local after, _, pending = begun(), begun(), tonumber(begun())
local last, count = group['last-delivered-id'], group.pending - pending
local isDue = #redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 1)
if count <= 0 then
  redis.call('HDEL', KEYS[5], fence)
  return { isDue, 0, last, nextDueMs(now, { KEYS[2], KEYS[6] }) }
end
redis.call('HSET', KEYS[5], fence, after .. ' ' .. last .. ' ' .. count)
redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[2]), 'b' .. fence)
local largest = 0
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '(' .. last, '+', 'COUNT', 4)) do
  local bytes = 0
  for _, part in ipairs(entry[2]) do bytes = bytes + #part end
  largest = math.max(largest, bytes)
end
return { isDue, largest }`;

/**
 * KEYS 6 and 7: delayed, delayed entries. ARGV: group, how many, how many bytes, lease, where a new group begins, from how many bytes
 * a message is large, and whether there was one. First what is due, by lease or delay, then what nobody has read. Answers with what
 * was out or waiting before, the state of what was not, that, and how many bytes the largest has; where there is nothing, with the
 * last id read and when the next is due.
 */
export const takeScript = redisScript(`${clock}${removal}${fields}${batches}${groups}${nextDue}${delayed}
local group, max, maxBytes, leaseMs = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = clock()
addDelayed(now, max)

-- The lease of a batch is over: what is left of it is out by itself, as it was.
local function spread(fence, score)
  local batch, states, leases = batchOf(fence), {}, {}
  endBatch(fence)
  if not batch then return end
  for _, row in ipairs(redis.call('XPENDING', KEYS[1], group, '(' .. batch.after, batch.last, 1000, 'dlo')) do
    if redis.call('HEXISTS', KEYS[3], row[1]) == 0 then
      states[#states + 1], states[#states + 2] = row[1], fence .. ':1:0'
      leases[#leases + 1], leases[#leases + 2] = score, row[1]
    end
  end
  if #states == 0 then return end
  keepState(unpack(states))
  redis.call('ZADD', KEYS[2], unpack(leases))
end
-- A few at a time: whoever died with many is not inherited in one step.
for _ = 1, 4 do
  local first = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'WITHSCORES', 'LIMIT', 0, 1)
  if #first == 0 or string.byte(first[1]) ~= 98 then break end
  spread(string.sub(first[1], 2), first[2])
end

local again, leases, states, bytes, largest, gone, fence = {}, {}, {}, 0, 0, {}, nil
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
  local weight = 0
  for _, part in ipairs(list) do weight = weight + #part end
  bytes, largest = bytes + weight, math.max(largest, weight)
end

for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, max)) do
  if bytes > maxBytes then break end
  local isBatch = string.byte(id) == 98
  local list = not isBatch and fieldsOf(id)
  if list then
    local was = redis.call('HGET', KEYS[3], id) or '0:0:1'
    local holder, deliveries, redelivered = string.match(was, '^(%d+):(%d+):(%d)$')
    if holder ~= '0' then redelivered = '1' end
    local state = stateOf(':' .. (deliveries + 1) .. ':' .. redelivered)
    handOver(id, state)
    weigh(list)
    again[#again + 1] = { id, state, list }
  elseif not isBatch then
    gone[#gone + 1] = id
  end
end
if #gone > 0 then remove(gone, group, '0') end

local fresh, count, large = {}, #again, tonumber(ARGV[6])
while count < max and bytes <= maxBytes do
  -- Where there are large ones each is weighed before the next is read. Nobody knows of the first: a few, and then a few times as many.
  local isLarge = ARGV[7] == '1' or largest >= large
  local fit = isLarge and 1 or math.min(math.max(4, 3 * count), math.floor((maxBytes - bytes) / math.max(1, largest)))
  local wanted = math.min(max - count, math.max(1, fit))
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
  keepState(unpack(states))
  return { again, stateOf(':1:0'), fresh, largest }
end
local info = groupOf(group)
return { info and info['last-delivered-id'] or '0', nextDueMs(now, { KEYS[2], KEYS[6] }) }`);

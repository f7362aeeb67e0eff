/**
 * What the scripts share. The state of a message that is out or waiting is `<fence>:<deliveries>:<redelivered>`, with the fence 0
 * while nobody has it; a receipt holds the state it was handed over with, so one comparison tells whether it still stands for
 * anything. Ids that begin with "p" are in no stream.
 *
 * Messages that were read for the first time, together, are a batch: one lease for all, and no state of their own while nothing
 * but an acknowledgement happens to them. Its fence is the batch's name; `leases` has which entries it is of and how many of
 * them are left, and `due` has it as `b<fence>`.
 *
 * KEYS of all: stream, due, state, changed, leases.
 */
export const clock = `
local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end`;

/** Takes messages out of the queue for good. A stream that other groups read, too, is left to its owner. */
export const removal = `
local function forget(ids, group, clean)
  local acknowledged = redis.call('XACK', KEYS[1], group, unpack(ids))
  if clean == '1' and #redis.call('XINFO', 'GROUPS', KEYS[1]) == 1 then redis.call('XDEL', KEYS[1], unpack(ids)) end
  return acknowledged
end
local function remove(ids, group, clean)
  local entries = {}
  for _, id in ipairs(ids) do
    if string.byte(id) ~= 112 then entries[#entries + 1] = id end
  end
  if #entries > 0 then forget(entries, group, clean) end
  redis.call('ZREM', KEYS[2], unpack(ids))
  redis.call('HDEL', KEYS[3], unpack(ids))
  redis.call('HDEL', KEYS[4], unpack(ids))
end`;

/** Batches. A record is what was read last before it, what was read last with it, and how many are left. */
export const batches = `
local function batchOf(fence)
  local record = redis.call('HGET', KEYS[5], fence)
  if not record then return nil end
  local after, last, left = string.match(record, '^(%S+) (%S+) (%d+)$')
  return { after = after, last = last, left = tonumber(left) }
end
local function endBatch(fence)
  redis.call('HDEL', KEYS[5], fence)
  redis.call('ZREM', KEYS[2], 'b' .. fence)
end
local function leave(fence, batch, count)
  if batch.left <= count then return endBatch(fence) end
  redis.call('HSET', KEYS[5], fence, batch.after .. ' ' .. batch.last .. ' ' .. batch.left - count)
end
local function keepState(...)
  -- For one value this long Redis keeps the hash as a table. As the list that a hash of up to 512 is, it is gone through for each id.
  redis.call('HSETNX', KEYS[3], 'table', string.rep('-', 65))
  redis.call('HSET', KEYS[3], ...)
end`;

/** A message as it is now; nil if somebody took it out of the stream. */
export const fields = `
local function fieldsOf(id)
  local packed = redis.call('HGET', KEYS[4], id)
  if packed then return cmsgpack.unpack(packed) end
  if string.byte(id) == 112 then return nil end
  local entry = redis.call('XRANGE', KEYS[1], id, id)[1]
  return entry and entry[2]
end`;

/** Whether a receipt still stands for a message. One of a batch has its own state and lease from then on. */
export const held = `${batches}
local function held(id, state, group)
  local known = redis.call('HGET', KEYS[3], id)
  if known then return known == state end
  local fence = string.match(state, '^(%d+):1:0$')
  local batch = fence and batchOf(fence)
  if not batch or #redis.call('XPENDING', KEYS[1], group, id, id, 1) == 0 then return false end
  keepState(id, state)
  redis.call('ZADD', KEYS[2], redis.call('ZSCORE', KEYS[2], 'b' .. fence), id)
  leave(fence, batch, 1)
  return true
end`;

/** What Redis knows of a group; nil if it is not there. */
export const groups = `
local function groupOf(name)
  local all = redis.pcall('XINFO', 'GROUPS', KEYS[1])
  if all.err then
    if string.find(all.err, 'no such key', 1, true) then return nil end
    return all
  end
  for _, info in ipairs(all) do
    local found = {}
    for index = 1, #info, 2 do found[info[index]] = info[index + 1] end
    if found.name == name then return found end
  end
end`;

/** When the next is due: in milliseconds, or -1. KEYS: due and delayed, given. */
export const nextDue = `
local function nextDueMs(now, keys)
  local soonest = -1
  for _, key in ipairs(keys) do
    local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
    if first and (soonest < 0 or first - now < soonest) then soonest = math.max(0, math.ceil(first - now)) end
  end
  return soonest
end`;

/**
 * Adds to the stream what was to be added by now. Before it is a step that changes nothing: a script that has begun to change
 * something is let go on by a Redis that is out of memory, and taking is what makes room again.
 */
export const delayed = `
redis.call('ZREM', KEYS[2], '')
local function addDelayed(now, max)
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[6], '-inf', now, 'LIMIT', 0, max)) do
    local packed = redis.call('HGET', KEYS[7], member)
    if packed then redis.call('XADD', KEYS[1], '*', unpack(cmsgpack.unpack(packed))) end
    redis.call('ZREM', KEYS[6], member)
    redis.call('HDEL', KEYS[7], member)
  end
end`;

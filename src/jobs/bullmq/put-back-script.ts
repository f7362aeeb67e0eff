import { redisScript } from "../../domain/redis.ts";

/**
 * Compares and moves: still among the failed, since that very moment. Then as BullMQ's own retry leaves it: no trace of the
 * failure, attempts counted anew, waiting by its priority, back among its parent's dependencies, and told as an event.
 */
export const putBackScript = redisScript(`
local job, failed, wait, paused, active = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local prioritized, counter, marker, meta, events = KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local id, failedAt, majors = ARGV[1], ARGV[2], ARGV[3]
local call = redis.call

local score = call('ZSCORE', failed, id)
if not score or tonumber(score) ~= tonumber(failedAt) or call('EXISTS', job) == 0 then return { 'moved' } end

local settings = call('HMGET', meta, 'version', 'paused', 'concurrency', 'opts.maxLenEvents')
local version = settings[1] or ''
local major = string.match(version, ':(%d+)%.')
if not major or not string.find(' ' .. majors .. ' ', ' ' .. major .. ' ', 1, true) then
  return { 'version', version }
end

local isPaused = settings[2] and true or false
local isFull = settings[3] and call('LLEN', active) >= tonumber(settings[3]) or false
local fields = call('HMGET', job, 'opts', 'priority', 'parentKey')
local priority = tonumber(fields[2] or '0') or 0
local isLifo = string.find(fields[1] or '', '"lifo":true', 1, true)

call('ZREM', failed, id)
call('HDEL', job, 'finishedOn', 'processedOn', 'failedReason', 'atm', 'ats')
if priority > 0 then
  local number = call('INCR', counter)
  call('ZADD', prioritized, string.format('%.0f', priority * 4294967296 + number % 4294967296), id)
else
  -- Until version 6 what waits in a paused queue has a list of its own.
  local target = (isPaused and major == '5') and paused or wait
  call(isLifo and 'RPUSH' or 'LPUSH', target, id)
end
if not isPaused and not isFull then call('ZADD', marker, 0, '0') end

local parent = fields[3]
if parent and call('EXISTS', parent) == 1 then
  local wasThere = call('ZREM', parent .. ':unsuccessful', job) + call('HDEL', parent .. ':failed', job)
  if wasThere > 0 then call('SADD', parent .. ':dependencies', job) end
end

call('XADD', events, 'MAXLEN', '~', settings[4] or '10000', '*', 'event', 'waiting', 'jobId', id, 'prev', 'failed')
return { 'done' }
`);

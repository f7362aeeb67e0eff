import { putBackWhole } from "../put-back-script.ts";

/** What its answer begins with where the queue is of a version that is not known, and that version follows. */
export const otherVersion = "version ";

/**
 * Compares and moves: still among the failed, since that very moment. Then as BullMQ's own retry leaves it: no trace of the
 * failure, attempts counted anew, waiting by its priority, back among its parent's dependencies, and told as an event.
 */
export const putBackScript = putBackWhole(`
local job, failed, wait, paused, active = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local prioritized, counter, marker, meta, events = KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local id, failedAt, majors = ARGV[1], ARGV[2], ARGV[3]
local call = redis.call

local score = call('ZSCORE', failed, id)
if not score or tonumber(score) ~= tonumber(failedAt) or call('EXISTS', job) == 0 then return 'moved' end

local settings = call('HMGET', meta, 'version', 'paused', 'concurrency', 'opts.maxLenEvents')
local version = settings[1] or ''
local major = string.match(version, ':(%d+)%.')
if not major or not string.find(' ' .. majors .. ' ', ' ' .. major .. ' ', 1, true) then
  return '${otherVersion}' .. version
end

local isPaused = settings[2] and true or false
local isFull = settings[3] and call('LLEN', active) >= tonumber(settings[3]) or false
local fields = call('HMGET', job, 'opts', 'priority', 'parentKey')
local priority = tonumber(fields[2] or '0') or 0
local isLifo = string.find(fields[1] or '', '"lifo":true', 1, true)

mayRemove('ZREM', failed)
for _, name in ipairs({ 'finishedOn', 'processedOn', 'failedReason', 'atm', 'ats' }) do
  local value = call('HGET', job, name)
  if value then try({ 'HSET', job, name, value }, 'HDEL', job, name) end
end

local parent = fields[3]
if parent and call('EXISTS', parent) == 1 then
  local unsuccessful, failures = parent .. ':unsuccessful', parent .. ':failed'
  local rank, reason = call('ZSCORE', unsuccessful, job), call('HGET', failures, job)
  if rank then try({ 'ZADD', unsuccessful, rank, job }, 'ZREM', unsuccessful, job) end
  if reason then try({ 'HSET', failures, job, reason }, 'HDEL', failures, job) end
  if rank or reason then try({ 'SREM', parent .. ':dependencies', job }, 'SADD', parent .. ':dependencies', job) end
end

local event = { 'event', 'waiting', 'jobId', id, 'prev', 'failed' }
local told = try(nil, 'XADD', events, 'MAXLEN', '~', settings[4] or '10000', '*', unpack(event))
steps[#steps + 1] = { 'XDEL', events, told }
if not isPaused and not isFull then
  local isNew = not call('ZSCORE', marker, '0')
  try(isNew and { 'ZREM', marker, '0' }, 'ZADD', marker, 0, '0')
end

if priority > 0 then
  local number = try({ 'DECR', counter }, 'INCR', counter)
  try(nil, 'ZADD', prioritized, string.format('%.0f', priority * 4294967296 + number % 4294967296), id)
else
  -- Until version 6 what waits in a paused queue has a list of its own.
  local target = (isPaused and major == '5') and paused or wait
  try(nil, isLifo and 'RPUSH' or 'LPUSH', target, id)
end
call('ZREM', failed, id)
return 'done'
`);

import { type Script } from '../redis/connection.js';

/**
 * Takes from every limit, or from none where one is used up. Keys: the limits' names. Values: the
 * lease of the call, or nothing to take nothing; then for each limit what it counts, the limit and
 * its milliseconds. Gives 1 or 0, then for each limit how much is used and the milliseconds left.
 *
 * The clock is the server's, so that the processes need not agree on the time.
 */
export const ADMIT: Script = {
  name: 'causewayAdmit',
  lua: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local reply = { 1 }
for i, key in ipairs(KEYS) do
  local counts, limit, ms = ARGV[3 * i - 1], tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  local used, left
  if counts == 'calls' then
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
    used, left = redis.call('ZCARD', key), 0
  else
    used, left = tonumber(redis.call('GET', key) or '0'), redis.call('PTTL', key)
    if left < 0 then left = ms end
  end
  if used >= limit then reply[1] = 0 end
  reply[2 * i], reply[2 * i + 1] = used, left
end
if reply[1] == 0 or ARGV[1] == '' then return reply end
for i, key in ipairs(KEYS) do
  local counts, ms = ARGV[3 * i - 1], ARGV[3 * i + 1]
  if counts == 'requests' then
    reply[2 * i] = redis.call('INCR', key)
    if reply[2 * i] == 1 then redis.call('PEXPIRE', key, ms) end
  elseif counts == 'calls' then
    reply[2 * i] = reply[2 * i] + redis.call('ZADD', key, now + ms, ARGV[1])
    redis.call('PEXPIRE', key, ms)
  end
end
return reply`,
};

/**
 * Counts in one window. Key: its name. Values: the amount, the window's milliseconds. Gives how much
 * is used and how many milliseconds are left.
 */
export const ADD: Script = {
  name: 'causewayAdd',
  lua: `
local used = redis.call('INCRBY', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return { used, redis.call('PTTL', KEYS[1]) }`,
};

/** Keeps calls running. Key: the limit's name. Values: milliseconds, then the calls' leases. */
export const RENEW: Script = {
  name: 'causewayRenew',
  lua: `
local time = redis.call('TIME')
local ends = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], ends, ARGV[i]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[1])`,
};

/** Ends a call. Keys: the limits' names. Value: its lease. */
export const RELEASE: Script = {
  name: 'causewayRelease',
  lua: `
for _, key in ipairs(KEYS) do redis.call('ZREM', key, ARGV[1]) end
return 1`,
};

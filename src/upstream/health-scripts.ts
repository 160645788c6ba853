import { type Script } from '../redis/connection.js';
import { type CallCounts } from './breaker-window.js';

/** What `LOOK` says of a model in place of the milliseconds that are left: this process may probe it. */
export const MAY_PROBE = -1;
/** What `LOOK` says of a model whose probe has worked: this, less the milliseconds since then. */
export const HAS_CLOSED = -2;
/** Who holds a lease that is shared. */
export const ANYONE = 'anyone';
/** How long the notes are kept when none is made any more: longer than anything gets no calls. */
const KEPT_MS = 120_000;

/** `now`, in milliseconds of the clock of Redis, which is the same one for all processes. */
const NOW = `
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Notes that something (ARGV[1]: a model, a deployment) gets no calls for so many milliseconds
 * (ARGV[2]), unless it is noted for longer; with 0, that a model's probe has worked.
 */
export const NOTE: Script = {
  name: 'causewayNoteHealth',
  lua: `${NOW}
    local ms = tonumber(ARGV[2])
    local noted = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0) or 0
    redis.call('HSET', KEYS[1], ARGV[1], ms > 0 and math.max(noted, now + ms) or -now)
    redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
    return 1`,
};

/**
 * What is noted: each name followed by the milliseconds for which it gets no calls, 0 when a model
 * waits for its probe, or one of the values above.
 *
 * KEYS[1] holds the notes; the others are the leases of the models in ARGV. ARGV: how long a note is
 * kept when its time is over, and the most that it may have left; then, for leases only, this process,
 * how long a lease lasts and how long before its time a probe may be leased, in milliseconds, and models,
 * each followed by 'asks', 'keeps', 'probes' or, to leave the lease to all who ask, 'shares'.
 */
export const LOOK: Script = {
  name: 'causewayLookAtHealth',
  lua: `${NOW}
    local keptMs, mostMs = tonumber(ARGV[1]), tonumber(ARGV[2])
    local me, leaseMs, leadMs = ARGV[3], ARGV[4], tonumber(ARGV[5])
    local leases, claims = {}, {}
    for index = 2, #KEYS do
      local model = ARGV[2 * index + 2]
      leases[model], claims[model] = KEYS[index], ARGV[2 * index + 3]
      -- Who probes knows that the model is open, whatever has become of the notes.
      if claims[model] == 'probes' and redis.call('HSETNX', KEYS[1], model, now) == 1 then
        redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
      end
    end
    local function isLeased(model)
      local lease = leases[model]
      local holder = redis.call('GET', lease) or me
      if holder ~= me and holder ~= '${ANYONE}' then return false end
      if claims[model] == 'shares' then holder = '${ANYONE}' end
      redis.call('SET', lease, holder, 'PX', leaseMs)
      return true
    end
    local found = redis.call('HGETALL', KEYS[1])
    local answer = {}
    for index = 1, #found, 2 do
      local name, noted = found[index], tonumber(found[index + 1]) or 0
      -- More is left, and a closing is yet to come, where the clock has been set back since.
      local at = math.max(math.min(noted, now + mostMs), -now)
      if claims[name] == 'probes' and at > 0 and at < now then at = now end
      if at ~= noted then
        redis.call('HSET', KEYS[1], name, at)
        redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
      end
      if math.abs(at) < now - keptMs then
        redis.call('HDEL', KEYS[1], name)
      else
        local left = at - now
        local said = at < 0 and ${HAS_CLOSED} - (now + at) or math.max(left, 0)
        if at > 0 and leases[name] and left <= leadMs and isLeased(name) then
          said = ${MAY_PROBE}
        end
        answer[#answer + 1] = name
        answer[#answer + 1] = said
      end
    end
    return answer`,
};

/**
 * Takes what a process counted of models in place of what it told before, and answers what the others
 * did: each model followed by their calls and failures.
 *
 * KEYS[1] holds the counts of all processes. ARGV: this process, how long a count holds in milliseconds,
 * then models, each followed by its calls and failures.
 */
export const COUNT: Script = {
  name: 'causewayCountCalls',
  lua: `${NOW}
    local me, keptMs = ARGV[1], tonumber(ARGV[2])
    for index = 3, #ARGV, 3 do
      local told = { model = ARGV[index], by = me, at = now, calls = ARGV[index + 1], failures = ARGV[index + 2] }
      redis.call('HSET', KEYS[1], me .. ' ' .. told.model, cjson.encode(told))
    end
    redis.call('PEXPIRE', KEYS[1], 60000)
    local found = redis.call('HGETALL', KEYS[1])
    local calls, failures = {}, {}
    for index = 1, #found, 2 do
      local told = cjson.decode(found[index + 1])
      if math.abs(now - told.at) > keptMs then
        redis.call('HDEL', KEYS[1], found[index])
      elseif told.by ~= me then
        calls[told.model] = (calls[told.model] or 0) + told.calls
        failures[told.model] = (failures[told.model] or 0) + told.failures
      end
    end
    local answer = {}
    for model, count in pairs(calls) do
      answer[#answer + 1] = model
      answer[#answer + 1] = count
      answer[#answer + 1] = failures[model]
    end
    return answer`,
};

/** What `COUNT` has answered, by model; empty where nobody did. */
export function countsIn(answer: unknown): ReadonlyMap<string, CallCounts> {
  const counts = new Map<string, CallCounts>();
  if (!Array.isArray(answer)) return counts;
  for (let index = 0; index + 2 < answer.length; index += 3) {
    const [calls, failures] = [Number(answer[index + 1]), Number(answer[index + 2])];
    counts.set(String(answer[index]), { calls, failures });
  }
  return counts;
}

/** What `LOOK` has answered, by name; undefined where nobody did. */
export function saidIn(answer: unknown): ReadonlyMap<string, number> | undefined {
  if (!Array.isArray(answer)) return undefined;
  const said = new Map<string, number>();
  for (let index = 0; index + 1 < answer.length; index += 2) {
    said.set(String(answer[index]), Number(answer[index + 1]));
  }
  return said;
}

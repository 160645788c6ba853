import { type Script } from '../redis/connection.js';

/** What `LOOK` says of a model in place of the milliseconds that are left: this process may probe it. */
export const MAY_PROBE = -1;
/** What `LOOK` says of a model whose probe has worked. */
export const HAS_CLOSED = -2;

/**
 * Notes that a model (ARGV[1]) gets no calls for so many milliseconds (ARGV[2]), or with 0 that its
 * probe has worked.
 */
export const NOTE: Script = {
  name: 'causewayNoteCircuit',
  lua: `
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local ms = tonumber(ARGV[2])
    redis.call('HSET', KEYS[1], ARGV[1], ms > 0 and now + ms or -now)
    redis.call('PEXPIRE', KEYS[1], 60000)
    return 1`,
};

/**
 * What is known of models that were opened: each followed by the milliseconds for which it gets no
 * calls, 0 when it waits for its probe, or one of the values above.
 *
 * KEYS[1] holds the openings; the others are the leases of the models in ARGV. ARGV: this process, how
 * long a lease lasts, how long before its time a probe may be leased and how long after it others wait,
 * in milliseconds; then models, each followed by 'asks', 'keeps' or 'probes'.
 */
export const LOOK: Script = {
  name: 'causewayLookAtCircuits',
  lua: `
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local me, leaseMs, leadMs, patienceMs = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
    local leases, claims = {}, {}
    for index = 2, #KEYS do
      local model = ARGV[2 * index + 1]
      leases[model], claims[model] = KEYS[index], ARGV[2 * index + 2]
    end
    local function isLeased(lease)
      if redis.call('SET', lease, me, 'NX', 'PX', leaseMs) then return true end
      if redis.call('GET', lease) ~= me then return false end
      redis.call('PEXPIRE', lease, leaseMs)
      return true
    end
    local found = redis.call('HGETALL', KEYS[1])
    local answer = {}
    for index = 1, #found, 2 do
      local model, at = found[index], tonumber(found[index + 1])
      if claims[model] == 'probes' and at > 0 and at < now then
        at = now
        redis.call('HSET', KEYS[1], model, at)
        redis.call('PEXPIRE', KEYS[1], 60000)
      end
      if math.abs(at) < now - patienceMs then
        redis.call('HDEL', KEYS[1], model)
      else
        local left = at - now
        local said = at < 0 and ${HAS_CLOSED} or math.max(left, 0)
        if at > 0 and left <= leadMs and leases[model] and isLeased(leases[model]) then
          said = ${MAY_PROBE}
        end
        answer[#answer + 1] = model
        answer[#answer + 1] = said
      end
    end
    return answer`,
};

import { type Script } from '../redis/connection.js';

/** Notes that a model (ARGV[1]) gets no calls for so many milliseconds (ARGV[2]). */
export const NOTE_OPEN: Script = {
  name: 'causewayNoteOpen',
  lua: `
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    redis.call('HSET', KEYS[1], ARGV[1], now + ARGV[2])
    redis.call('PEXPIRE', KEYS[1], 60000)
    return 1`,
};

/** The models that get no calls, each followed by the milliseconds that are left. */
export const STILL_OPEN: Script = {
  name: 'causewayStillOpen',
  lua: `
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local found = redis.call('HGETALL', KEYS[1])
    local open = {}
    for index = 1, #found, 2 do
      local left = tonumber(found[index + 1]) - now
      if left > 0 then
        open[#open + 1] = found[index]
        open[#open + 1] = left
      else
        redis.call('HDEL', KEYS[1], found[index])
      end
    end
    return open`,
};

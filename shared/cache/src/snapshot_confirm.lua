-- Extends the lifetime of a snapshot, if it still exists.
--
-- KEYS[1]  the snapshot
-- KEYS[2]  index, as in snapshot.lua
-- ARGV[1]  its lifetime from now on in milliseconds, not longer than that of the index
--
-- Returns  1 if it exists

local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local own = redis.call('STRLEN', KEYS[1]) .. ':' .. KEYS[1]
if not redis.call('ZSCORE', KEYS[2], own) then
  return 0
end
redis.call('ZADD', KEYS[2], now + ARGV[1], own)
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return redis.call('PEXPIRE', KEYS[1], ARGV[1])

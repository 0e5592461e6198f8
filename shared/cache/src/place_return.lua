-- Returns a place, and adds up the time of calls that failed.
--
-- KEYS[1]  places: a sorted set of the calls that have one
-- KEYS[2]  time of calls that failed, in milliseconds
-- ARGV[1]  the call
-- ARGV[2]  its time in milliseconds if it failed, else 0
-- ARGV[3]  time after which failed calls are forgotten, in milliseconds

redis.call('ZREM', KEYS[1], ARGV[1])
local failed = tonumber(ARGV[2])
if failed > 0 and redis.call('INCRBY', KEYS[2], failed) == failed then
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
end
return 1

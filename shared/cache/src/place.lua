-- Takes one of the places of an account's calls or of a site's reads, if one is free.
--
-- KEYS[1]  places: a sorted set of the calls that have one, by the time at which their lease ends
-- KEYS[2]  time of calls that failed, in milliseconds
-- ARGV[1]  the call
-- ARGV[2]  its lease in milliseconds
-- ARGV[3]  number of places
-- ARGV[4]  longest lease in milliseconds
-- ARGV[5]  time of failed calls beyond which there are half as many places, in milliseconds
--
-- Returns  1 if the call has a place

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
-- The clock was set back: leases must not be extended by that.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. now + ARGV[4], '+inf')
local places = tonumber(ARGV[3])
if tonumber(redis.call('GET', KEYS[2]) or 0) > tonumber(ARGV[5]) then
  places = math.max(1, math.floor(places / 2))
end
if redis.call('ZCARD', KEYS[1]) >= places then
  return redis.call('ZSCORE', KEYS[1], ARGV[1]) and 1 or 0
end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1

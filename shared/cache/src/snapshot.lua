-- Stores a page snapshot, and keeps all snapshots within their share of memory by evicting those that expire soonest. Only
-- snapshots are evicted for a snapshot.
--
-- KEYS[1]  the snapshot
-- KEYS[2]  index: a sorted set of `bytes:key` by expiry (ms), and of `total`, whose score is minus the sum of bytes
-- ARGV[1]  the snapshot's bytes
-- ARGV[2]  its lifetime in milliseconds
-- ARGV[3]  maximum bytes of all snapshots together, not less than those of this one
-- ARGV[4]  lifetime of the index in milliseconds, not shorter than that of any snapshot
--
-- Returns  number of evicted snapshots

local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local total = -(tonumber(redis.call('ZSCORE', KEYS[2], 'total')) or 0)

local function forget(member)
  total = total - tonumber(string.match(member, '^%d+'))
  redis.call('ZREM', KEYS[2], member)
end

-- Limited, so that no client waits noticeably.
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(0', now, 'LIMIT', 0, 1000)) do
  forget(member)
end
local own = #ARGV[1] .. ':' .. KEYS[1]
if redis.call('ZSCORE', KEYS[2], own) then
  forget(own)
end
local gone = 0
while total + #ARGV[1] > tonumber(ARGV[3]) do
  local soonest = redis.call('ZRANGEBYSCORE', KEYS[2], '(0', '+inf', 'LIMIT', 0, 1)[1]
  if not soonest then
    total = 0
    break
  end
  redis.call('DEL', string.match(soonest, '^%d+:(.*)$'))
  forget(soonest)
  gone = gone + 1
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('ZADD', KEYS[2], now + ARGV[2], own, -(total + #ARGV[1]), 'total')
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return gone

-- Joins a single flight: makes one of several identical calls the leader. Followers call it as well, because their leader may
-- have died without a message.
--
-- KEYS[1]  flight: the leader's token, until the leader's time to live expires
-- KEYS[2]  outcome of the awaited leader: 'w' and its message, or 's' and its successor's token
-- ARGV[1]  the caller's token
-- ARGV[2]  time to live of a leader in milliseconds
-- ARGV[3]  token of the awaited leader, or empty
--
-- Returns  { 'ended', bytes }    the awaited leader has ended with this message
--          { 'leader' }          the caller is the leader
--          { 'follower', token } wait for this leader
--
-- A successor is recorded, since it may have ended before all followers have noticed it.

local waiting = ARGV[3] ~= ''
local became = waiting and redis.call('GET', KEYS[2])
if became and became:sub(1, 1) == 'w' then
  return { 'ended', became:sub(2) }
end
local leader = redis.call('GET', KEYS[1])
if leader and leader ~= ARGV[1] then
  if redis.call('PTTL', KEYS[1]) > tonumber(ARGV[2]) then
    -- The clock was set back: a dead leader's expiry must not be extended by that.
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  end
  return { 'follower', leader }
end
if became and became:sub(2) ~= ARGV[1] then
  return { 'follower', became:sub(2) }
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if waiting then
  redis.call('SET', KEYS[2], 's' .. ARGV[1], 'PX', ARGV[2] * 2)
end
return { 'leader' }

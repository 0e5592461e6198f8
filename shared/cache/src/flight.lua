-- Lets one of many identical calls go ahead. Called by those that wait as well: the flight they wait for may have ended
-- without a word, when its leader died.
--
-- KEYS[1]  flight: the leader's token, for as long as a leader may live
-- KEYS[2]  what became of the leader that is being waited for: 'w' and its word, or 's' and its successor's token
-- ARGV[1]  own token
-- ARGV[2]  lifetime of a flight in milliseconds
-- ARGV[3]  token of the leader that is being waited for, or empty
--
-- Returns  { 'ended', bytes }    the leader that was waited for has ended so
--          { 'leader' }          go ahead: nobody else is
--          { 'follower', token } wait for this leader
--
-- A successor is written down, since it may be done before all who wait have noticed that there is one.

local waiting = ARGV[3] ~= ''
local became = waiting and redis.call('GET', KEYS[2])
if became and became:sub(1, 1) == 'w' then
  return { 'ended', became:sub(2) }
end
local leader = redis.call('GET', KEYS[1])
if leader and leader ~= ARGV[1] then
  if redis.call('PTTL', KEYS[1]) > tonumber(ARGV[2]) then
    -- The clock was set back: a dead leader must not last as long as that.
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

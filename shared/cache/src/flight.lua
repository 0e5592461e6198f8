-- Lets one of many identical calls go ahead. Called by those that wait as well: the flight they wait for may have ended
-- without a word, when its leader died.
--
-- KEYS[1]  flight: the leader's token, for as long as a leader may live
-- KEYS[2]  how the leader that is being waited for ended (optional)
-- ARGV[1]  own token
-- ARGV[2]  lifetime of a flight in milliseconds
-- ARGV[3]  token of the leader that is being waited for, or empty
--
-- Returns  { 'ended', bytes } the leader that was waited for has ended so
--          { 'leader' }       go ahead: nobody else is
--          { 'follower', token } wait for this leader

if ARGV[3] ~= '' then
  local ended = redis.call('GET', KEYS[2])
  if ended then
    return { 'ended', ended }
  end
end
local leader = redis.call('GET', KEYS[1])
if leader and leader ~= ARGV[1] then
  return { 'follower', leader }
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return { 'leader' }

-- Ends a flight and leaves word for those who wait. A leader that was given up (its time ran out and another took its
-- place) leaves word too, but does not end its successor's flight.
--
-- KEYS[1]  flight: the leader's token
-- KEYS[2]  what became of this leader
-- ARGV[1]  own token
-- ARGV[2]  its word
-- ARGV[3]  for how many milliseconds the word is kept

redis.call('SET', KEYS[2], 'w' .. ARGV[2], 'PX', ARGV[3])
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
return 1

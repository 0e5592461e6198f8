-- Ends a flight and leaves a message for its followers. A replaced leader (its time to live expired and another took its place)
-- leaves its message too, but does not end its successor's flight.
--
-- KEYS[1]  flight: the leader's token
-- KEYS[2]  outcome of this leader
-- ARGV[1]  the caller's token
-- ARGV[2]  its message
-- ARGV[3]  lifetime of the message in milliseconds

redis.call('SET', KEYS[2], 'w' .. ARGV[2], 'PX', ARGV[3])
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
return 1

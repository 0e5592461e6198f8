-- Stores the newest state of an account: several processes write it, and their writes may arrive in any order.
--
-- KEYS[1]  account state: a hash with `version`, `rpm` and `state`
-- ARGV[1]  version
-- ARGV[2]  requests in a rate window
-- ARGV[3]  state
-- ARGV[4]  lifetime in milliseconds
--
-- Returns  1 if it was stored, 0 if a newer one is stored already

local known = redis.call('HGET', KEYS[1], 'version')
if known and tonumber(known) > tonumber(ARGV[1]) then
  return 0
end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'rpm', ARGV[2], 'state', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1

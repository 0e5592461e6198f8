-- Everything a call needs to know before it does any work, in one round trip: may it come in, what does its account
-- look like, and is its result already there?
--
-- KEYS[1]  rate window of the account: a counter that expires when the window ends
-- KEYS[2]  account state: a hash with `version`, `rpm` (requests in a window) and `state`
-- KEYS[3]  result (optional)
-- ARGV[1]  requests in a window, for when the account state is not there
-- ARGV[2]  length of a window in milliseconds
-- ARGV[3]  version of the result that the caller has in its memory, or empty
-- ARGV[4]  version of the account state that the caller has in its memory, or empty
--
-- Returns  { 1 when allowed, limit, requests left, milliseconds until the window ends, account state, result }
--          State and result are 1 when their version is the one that the caller has.
--
-- A script and not MULTI, since counting depends on the count: a refused request neither counts nor extends the window,
-- and its result is not read.

local account = redis.call('HMGET', KEYS[2], 'rpm', 'version')
local limit = tonumber(account[1] or ARGV[1])
local length = tonumber(ARGV[2])

-- Counted first and taken back when it was one too many: two commands for whoever may come in, and they are many more.
local used = redis.call('INCR', KEYS[1])
local left_ms = redis.call('PTTL', KEYS[1])
local allowed = used <= limit

if not allowed then
  used = redis.call('DECR', KEYS[1])
end
if left_ms < 0 then
  -- The window opens with this request (or has lost its end and must not last for ever).
  redis.call('PEXPIRE', KEYS[1], length)
  left_ms = length
end

local state = 1
if account[2] ~= ARGV[4] then
  state = redis.call('HGET', KEYS[2], 'state')
end

local result = false
if allowed and KEYS[3] then
  if ARGV[3] ~= '' and redis.call('GETRANGE', KEYS[3], 0, #ARGV[3] - 1) == ARGV[3] then
    result = 1
  else
    result = redis.call('GET', KEYS[3])
  end
end

return { allowed and 1 or 0, limit, math.max(limit - used, 0), left_ms, state, result }

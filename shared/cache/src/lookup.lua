-- The look-up at the start of calls, in one round trip: rate limit, account state and cached result. For one call or a batch of
-- concurrent ones.
--
-- For each call, in order:
-- KEYS[1]  rate window of the account: a counter that expires when the window ends
-- KEYS[2]  account state: a hash with `version`, `rpm` (requests in a window) and `state`
-- KEYS[3]  result, or empty
-- ARGV[1]  requests in a window, if there is no account state
-- ARGV[2]  version of the result in the caller's memory, or empty
-- ARGV[3]  version of the account state in the caller's memory, or empty
-- After the last call:
-- ARGV     length of a window in milliseconds
--
-- Returns  for each call, in order: 1 if allowed, limit, requests left, milliseconds until the window ends, account state,
--          result. State and result are 1 if their version is the caller's.
--
-- A script instead of MULTI, since counting depends on the count: a refused request neither counts nor extends the window,
-- and its result is not read. Equal requests of several calls are executed once.

local length = tonumber(ARGV[#ARGV])
local calls = #KEYS / 3

local windows = {}
for call = 0, calls - 1 do
  local key = KEYS[call * 3 + 1]
  local window = windows[key]
  if window then
    window.asked = window.asked + 1
  else
    windows[key] = { asked = 1, taken = 0 }
  end
end

local function open(window, call)
  local account = redis.call('HMGET', KEYS[call * 3 + 2], 'rpm', 'version')
  window.limit, window.version = tonumber(account[1] or ARGV[call * 3 + 1]), account[2]
  -- Counts first and subtracts if it was too many: two commands for allowed requests, which are far more frequent.
  window.before = redis.call('INCRBY', KEYS[call * 3 + 1], window.asked) - window.asked
  window.left_ms = redis.call('PTTL', KEYS[call * 3 + 1])
  if window.left_ms < 0 or window.left_ms > length then
    -- The window starts with this request (or has lost its expiry and must not last for ever; or the clock was set back, which
    -- must not extend it).
    redis.call('PEXPIRE', KEYS[call * 3 + 1], length)
    window.left_ms = length
  end
end

local states = {}
local function state(window, call)
  if window.version == ARGV[call * 3 + 3] then
    return 1
  end
  local key = KEYS[call * 3 + 2]
  if states[key] == nil then
    states[key] = redis.call('HGET', key, 'state')
  end
  return states[key]
end

local known = {}
local function result(call)
  local key, version = KEYS[call * 3 + 3], ARGV[call * 3 + 2]
  if key == '' then
    return false
  end
  if version ~= '' then
    local both = version .. key
    if known[both] == nil then
      known[both] = redis.call('GETRANGE', key, 0, #version - 1) == version
    end
    if known[both] then
      return 1
    end
  end
  return redis.call('GET', key)
end

local replies = {}
for call = 0, calls - 1 do
  local window = windows[KEYS[call * 3 + 1]]
  if not window.limit then
    open(window, call)
  end
  local allowed = window.before + window.taken < window.limit
  if allowed then
    window.taken = window.taken + 1
  end
  local at = call * 6
  replies[at + 1] = allowed and 1 or 0
  replies[at + 2] = window.limit
  replies[at + 3] = math.max(window.limit - window.before - window.taken, 0)
  replies[at + 4] = window.left_ms
  replies[at + 5] = state(window, call)
  replies[at + 6] = allowed and result(call)
end

for key, window in pairs(windows) do
  if window.taken < window.asked then
    redis.call('DECRBY', key, window.asked - window.taken)
  end
end

return replies

-- One call that instances share. All that is known about it stands in the hash KEYS[1], so that it is one slot of a cluster, and
-- vanishes together. All decisions are made here, atomically and by the clock of Redis.
--
-- Fields of the hash:
--   tickets      how many tickets were drawn; the last one has this number
--   w<id>        a registered waiter: the ticket whose answer it asks for, when it was seen last
--   leases       the calls in flight, a line each: token, start, highest ticket drawn at the start, end of the lease, whether
--                waiters may join (1 or 0)
--   last         when the last lease was granted
--   overtaken    calls that started before this time were overtaken by one that has ended
--   answer       the highest ticket that the stored value answers, until when it stands, and its size
--   value        the stored value, sealed
--   failure      as "answer", for a call that failed with something that cannot be shared
--   failing      how many calls have to succeed, one after another, until anybody waits for a call again
--   pass         until when nobody waits for anybody
--   clock        the latest time that was seen here, and how far it is ahead of the clock of Redis
-- Times are microseconds of a clock of the hash, which never goes back. Tickets say who waits for which call. A value is believed for the ids that it was sealed for, whatever
-- stands here.

local key, operation, id = KEYS[1], ARGV[1], ARGV[2]
-- No time in the hash is further ahead than this, unless somebody else has written it.
local FURTHEST = 60000000

local LEAD, WAIT, VALUE, FAILED, PASS, LARGE = 1, 2, 3, 4, 5, 6

-- So many successes end what a failure began.
local SUCCESSES = 3

-- If the clock of Redis is set back, or a replica with another clock takes over, the hash keeps the time that it had.
local clock = redis.call('TIME')
local seen, ahead = string.match(redis.call('HGET', key, 'clock') or '', '^(%d+) (%d+)$')
local now = clock[1] * 1000000 + clock[2] + (tonumber(ahead) or 0)
ahead = (tonumber(ahead) or 0) + math.max(0, (tonumber(seen) or 0) - now)
now = math.max(now, tonumber(seen) or 0)

local function text(number)
  return string.format('%.0f', number)
end

local function isAhead(time)
  return time > now and time - now <= FURTHEST
end

local function field(name)
  return redis.call('HGET', key, name) or ''
end

local function number(name)
  return tonumber(field(name)) or 0
end

local function readLeases()
  local leases = {}
  for token, start, covers, ends, joinable in string.gmatch(field('leases'), '(%S+) (%d+) (%d+) (%d+) (%d)\n') do
    local lease = {
      token = token, start = tonumber(start), covers = tonumber(covers), ends = tonumber(ends), joinable = joinable == '1'
    }
    if isAhead(lease.ends) then
      table.insert(leases, lease)
    end
  end
  return leases
end

local function writeLeases(leases)
  local lines = {}
  for _, lease in ipairs(leases) do
    table.insert(lines, table.concat({
      lease.token, text(lease.start), text(lease.covers), text(lease.ends), lease.joinable and '1' or '0'
    }, ' ') .. '\n')
  end
  redis.call('HSET', key, 'leases', table.concat(lines))
end

local function take(leases, token)
  for i, lease in ipairs(leases) do
    if lease.token == token then
      return table.remove(leases, i)
    end
  end
end

-- The hash outlives every lease, and whatever else it says, by the time that waiters need to look at it.
local function keepFor(micros, leases)
  local longest = 0
  for _, lease in ipairs(leases) do
    longest = math.max(longest, lease.ends - now)
  end
  local pass = number('pass')
  if isAhead(pass) then
    longest = math.max(longest, pass - now)
  end
  redis.call('HSET', key, 'clock', text(now) .. ' ' .. text(ahead))
  redis.call('PEXPIRE', key, math.ceil((longest + micros) / 1000))
end

local function oldestStart(leases)
  local overtaken = number('overtaken')
  local oldest
  for _, lease in ipairs(leases) do
    if lease.start >= overtaken and (not oldest or lease.start < oldest) then
      oldest = lease.start
    end
  end
  return oldest
end

local function waiterNames()
  local names = {}
  for _, name in ipairs(redis.call('HKEYS', key)) do
    if #name == 17 and string.sub(name, 1, 1) == 'w' then
      table.insert(names, name)
    end
  end
  return names
end

-- Tells the waiters, if there are any, which of them have a reason to look again: those that ask for tickets up to this one.
-- Returns 1, or 2 if the user of Redis may not publish: waiters look from time to time anyway.
local function tell(ticket)
  if #waiterNames() == 0 then
    return {1}
  end
  local told = redis.pcall('PUBLISH', key, text(ticket))
  return type(told) == 'table' and told.err and {2, told.err} or {1}
end

-- Returns the ids of the waiters that ask for tickets up to this one, and removes those that ended without a word.
local function waiting(covers, age)
  local ids, names = {}, waiterNames()
  for first = 1, #names, 1000 do
    local last = math.min(#names, first + 999)
    local waiters = redis.call('HMGET', key, unpack(names, first, last))
    for i = first, last do
      local asks, seen = string.match(waiters[i - first + 1] or '', '^(%d+) (%d+)$')
      if not seen or tonumber(seen) > now or now - tonumber(seen) > age then
        redis.call('HDEL', key, names[i])
      elseif tonumber(asks) <= covers then
        table.insert(ids, string.sub(names[i], 2))
      end
    end
  end
  return ids
end

-- ask: a waiter asks, for the first time or again. fetch: the same, for a value that it was told to be large.
-- ARGV: whether it joins calls in flight, ratio / (1 - ratio), longest wait, length of a lease, how long waiters need, largest
-- value, whether the waiter could make the call now, largest value that is sent to one that does not expect it, how long after the
-- last start the next one is while another is under way, at least
local function ask()
  local joins, mayLead = ARGV[3] == '1', ARGV[9] == '1'
  local factor, maxWait, length, stay, maxBytes =
    tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
  local waiter = 'w' .. id
  local leases = readLeases()
  local function isYoung(lease)
    return now >= lease.start and now - lease.start < maxWait
  end

  for _, lease in ipairs(leases) do
    if lease.token == id then
      -- the script ran before, and its answer was lost: what it said is not known any more
      return {LEAD, '', lease.joinable and 1 or 0}
    end
  end
  if isAhead(number('pass')) then
    redis.call('HDEL', key, waiter)
    return {PASS}
  end

  -- A waiter of which the hash does not know draws a ticket: what was known when it asked before is lost. From here on, nothing is
  -- removed before something is written: if memory is full, Redis refuses to write, but not to a script that has removed something,
  -- and a waiter must know that nobody can store a result for it.
  local asks = tonumber(string.match(field(waiter), '^(%d+) %d+$'))
  if not asks then
    asks = redis.call('HINCRBY', key, 'tickets', 1)
    if joins then
      -- A call that a stored answer has overtaken is not joined: that answer was there before this waiter asked. Nor is one that
      -- may be overtaken by a call which nobody joins any more: its answer would not be for this waiter.
      local known = tonumber(string.match(field('answer'), '^(%d+) %d+ %d+$')) or 0
      local covers
      for _, lease in ipairs(leases) do
        known = lease.joinable and known or math.max(known, lease.covers)
      end
      for _, lease in ipairs(leases) do
        if lease.joinable and isYoung(lease) and lease.covers > known then
          covers = math.max(covers or 0, lease.covers)
        end
      end
      asks = covers or asks
    end
  end

  -- Returns nil if there is none that is valid yet, and false if it answers earlier tickets only.
  local function answers(name)
    local covers, ends, size = string.match(field(name), '^(%d+) (%d+) ?(%d*)$')
    if covers and isAhead(tonumber(ends)) then
      return tonumber(covers) >= asks and {size = tonumber(size) or 0}
    end
  end

  local answer = answers('answer')
  local value = answer and redis.call('HGET', key, 'value')
  if value and operation == 'ask' and answer.size <= maxBytes and answer.size > tonumber(ARGV[10]) then
    redis.call('HSET', key, waiter, text(asks) .. ' ' .. text(now))
    return {LARGE, answer.size}
  elseif value then
    redis.call('HDEL', key, waiter)
    if answer.size > maxBytes then
      return {PASS}
    end
    return {VALUE, value}
  end

  -- One failed call is enough, whichever other calls have begun since. And while calls fail, nobody waits for one: a single
  -- call at a time finds out whether they succeed again.
  local failure = answers('failure')
  local alone = failure
  local failing = not alone and number('failing') > 0
  if failing then
    for _, lease in ipairs(leases) do
      alone = alone or isYoung(lease)
    end
  end
  if alone then
    redis.call('HDEL', key, waiter)
    keepFor(stay, leases)
    return {FAILED}
  end

  -- Covered by a call in flight: its answer is on its way, unless it takes too long. The first one counts: else every later one
  -- would prolong the wait.
  local due
  for _, lease in ipairs(leases) do
    if not failing and lease.covers >= asks and isYoung(lease) then
      due = math.min(due or math.huge, lease.start + maxWait, lease.ends)
    end
  end
  if not due and not failing then
    local oldest = oldestStart(leases)
    local last = number('last')
    if oldest and last <= now then
      due = last + math.min(maxWait, math.max(tonumber(ARGV[11]), factor * (last - oldest)))
    end
  end
  if not mayLead and not (due and due > now) then
    due = now + length -- it looks again as soon as it can make the call; meanwhile, another waiter may
  end
  if due and due > now then
    redis.call('HSET', key, waiter, text(asks) .. ' ' .. text(now))
    keepFor(length + stay, leases)
    return {WAIT, asks, math.ceil(due - now)}
  end

  local drawn = number('tickets')
  table.insert(leases, {token = id, start = now, covers = drawn, ends = now + length, joinable = joins})
  redis.call('HSET', key, 'last', text(now))
  writeLeases(leases)
  redis.call('HDEL', key, waiter)
  if answer == nil then
    redis.call('HDEL', key, 'answer', 'value')
  end
  if failure == nil then
    redis.call('HDEL', key, 'failure')
  end
  keepFor(stay, leases)
  return {LEAD, table.concat(waiting(drawn, stay)), joins and 1 or 0}
end

-- renew: a leader says that its call is still under way. ARGV: length of a lease, how long waiters need
local function renew()
  local leases = readLeases()
  for _, lease in ipairs(leases) do
    if lease.token == id then
      lease.ends = now + tonumber(ARGV[3])
      writeLeases(leases)
      keepFor(tonumber(ARGV[4]), leases)
      return {1}
    end
  end
  return {0}
end

-- Ends the call of a lease that has been taken out.
local function endCall(ended, leases, stay, reach)
  redis.call('HSET', key, 'overtaken', text(math.max(number('overtaken'), ended.start)))
  writeLeases(leases)
  keepFor(stay, leases)
  return tell(oldestStart(leases) and reach or number('tickets'))
end

local function succeeded()
  local failing = number('failing')
  if failing > 0 then
    redis.call('HSET', key, 'failing', failing - 1)
  end
end

-- joined: a leader whose call has ended asks who has joined it; nobody joins it any more. If nobody waits for it, its lease is
-- over. ARGV: how long waiters need
local function joined()
  local stay = tonumber(ARGV[3])
  local leases = readLeases()
  local ended = take(leases, id)
  if not ended then
    return {0, ''}
  end
  local ids = waiting(ended.covers, stay)
  if #ids == 0 then
    succeeded()
    endCall(ended, leases, stay, ended.covers)
    return {1, ''}
  end
  ended.joinable = false
  table.insert(leases, ended)
  writeLeases(leases)
  return {1, table.concat(ids)}
end

-- publish: a leader says how its call ended. Ignored if its lease has run out or is not known.
-- ARGV: how long waiters need, the kind of end ("value", "failure", "pass", or "nothing" if nobody waits), value or time to pass,
-- size of the value
local function publish()
  local stay, kind = tonumber(ARGV[3]), ARGV[4]
  local leases = readLeases()
  local ended = take(leases, id)
  if not ended then
    return {0}
  end
  local till = text(ended.covers) .. ' ' .. text(now + stay)
  local reach = ended.covers
  local function isNewest(name)
    local covers, ends = string.match(field(name), '^(%d+) (%d+)')
    return not covers or not isAhead(tonumber(ends)) or tonumber(covers) <= ended.covers
  end
  if kind == 'failure' then
    if isNewest('failure') then
      redis.call('HSET', key, 'failure', till)
    end
    redis.call('HSET', key, 'failing', SUCCESSES)
    reach = number('tickets')
  else
    succeeded()
  end
  if kind == 'value' and isNewest('answer') then
    redis.call('HSET', key, 'value', ARGV[5], 'answer', till .. ' ' .. ARGV[6])
  elseif kind == 'pass' then
    redis.call('HSET', key, 'pass', text(now + tonumber(ARGV[5])))
    reach = number('tickets')
  end
  return endCall(ended, leases, stay, reach)
end

-- pass: an instance cannot read what stands here, so that nobody should wait for it. ARGV: for how long, how long waiters need
local function pass()
  redis.call('HSET', key, 'pass', text(now + tonumber(ARGV[3])))
  keepFor(tonumber(ARGV[4]), readLeases())
  return tell(number('tickets'))
end

-- leave: a waiter or a leader goes away.
local function leave()
  redis.call('HDEL', key, 'w' .. id)
  local leases = readLeases()
  if take(leases, id) then
    writeLeases(leases)
    return tell(number('tickets'))
  end
  return {1}
end

return ({ask = ask, fetch = ask, renew = renew, joined = joined, publish = publish, pass = pass, leave = leave})[operation]()

-- One call that instances share. All that is known about it stands in the hash KEYS[1], so that it is one slot of a cluster, and
-- vanishes together. All decisions are made here, atomically and by the clock of Redis.
--
-- Fields of the hash:
--   tickets      how many tickets were drawn; the last one has this number
--   floor        no ticket below this one is registered any more
--   w<ticket>    a registered waiter: its id, the ticket whose answer it asks for, when it was seen last
--   leases       the calls in flight, a line each: token, start, highest ticket drawn at the start, end of the lease
--   last         when the last lease was granted
--   overtaken    calls that started before this time were overtaken by one that has ended
--   answer       the highest ticket that the stored value answers, and until when it stands
--   value        the stored value, sealed
--   failure      as "answer", for a call that failed with something that cannot be shared
--   failing      how many calls have to succeed, one after another, until anybody waits for a call again
--   pass         until when nobody waits for anybody
-- Times are microseconds.

local key, operation, id = KEYS[1], ARGV[1], ARGV[2]
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]

-- No time in the hash is further ahead than this, unless the clock of Redis was set back.
local FURTHEST = 60000000

local LEAD, WAIT, VALUE, FAILED, PASS = 1, 2, 3, 4, 5

-- So many successes end what a failure began.
local SUCCESSES = 3

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
  for token, start, covers, ends in string.gmatch(field('leases'), '(%S+) (%d+) (%d+) (%d+)\n') do
    local lease = {token = token, start = tonumber(start), covers = tonumber(covers), ends = tonumber(ends)}
    if isAhead(lease.ends) then
      table.insert(leases, lease)
    end
  end
  return leases
end

local function writeLeases(leases)
  local lines = {}
  for _, lease in ipairs(leases) do
    table.insert(lines, table.concat({lease.token, text(lease.start), text(lease.covers), text(lease.ends)}, ' ') .. '\n')
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

-- Tells the waiters which of them have a reason to look again: those that ask for tickets up to this one.
-- Returns 1, or 2 if the user of Redis may not publish: waiters look from time to time anyway.
local function tell(ticket)
  local told = redis.pcall('PUBLISH', key, text(ticket))
  return type(told) == 'table' and told.err and {2, told.err} or {1}
end

-- Removes registrations of waiters that ended without a word, a few at a time. Returns the new floor.
local function prune(ticket, age)
  local floor = math.max(1, number('floor'))
  for _ = 1, 8 do
    if floor >= ticket then
      break
    end
    local seen = tonumber(string.match(field('w' .. text(floor)), '^%S+ %d+ (%d+)$'))
    if seen and seen <= now and now - seen <= age then
      break
    end
    redis.call('HDEL', key, 'w' .. text(floor))
    floor = floor + 1
  end
  redis.call('HSET', key, 'floor', text(floor))
  return floor
end

-- ask: a waiter asks, for the first time or again.
-- ARGV: ticket (0: none yet), whether it joins calls in flight, ratio / (1 - ratio), longest wait, length of a lease, how long
-- waiters need, largest value, whether the waiter could make the call now
local function ask()
  local ticket = tonumber(ARGV[3])
  local joins, mayLead = ARGV[4] == '1', ARGV[10] == '1'
  local factor, maxWait, length, stay, maxBytes =
    tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
  local leases = readLeases()
  local function isYoung(lease)
    return now >= lease.start and now - lease.start < maxWait
  end

  for _, lease in ipairs(leases) do
    if lease.token == id then
      return {LEAD, lease.covers, 1} -- the script ran before, and its answer was lost
    end
  end
  if isAhead(number('pass')) then
    redis.call('HDEL', key, 'w' .. text(ticket))
    return {PASS}
  end

  -- A ticket of which the hash does not know proves nothing: what was known when it was drawn is lost.
  local owner, registered = string.match(field('w' .. text(ticket)), '^(%S+) (%d+) %d+$')
  local asks = tonumber(registered)
  -- Whether the answer of a call that starts now is of use to anybody else: a waiter before this one, or one that joins it.
  local awaited = true
  if ticket == 0 or owner ~= id then
    ticket = redis.call('HINCRBY', key, 'tickets', 1)
    asks = ticket
    if joins then
      -- A call that a stored answer has overtaken is not joined: that answer was there before this waiter asked.
      local known = tonumber(string.match(field('answer'), '^(%d+) %d+$')) or 0
      local covers
      for _, lease in ipairs(leases) do
        if isYoung(lease) and lease.covers > known then
          covers = math.max(covers or 0, lease.covers)
        end
      end
      asks = covers or asks
    end
    awaited = prune(ticket, stay) < ticket or joins
  end
  local waiter = 'w' .. text(ticket)

  local function answers(name)
    local covers, ends = string.match(field(name), '^(%d+) (%d+)$')
    if covers and isAhead(tonumber(ends)) then
      return tonumber(covers) >= asks and tonumber(covers)
    end
    redis.call('HDEL', key, name)
  end

  local covers = answers('answer')
  if covers then
    redis.call('HDEL', key, waiter)
    if redis.call('HSTRLEN', key, 'value') > maxBytes then
      return {PASS}
    end
    return {VALUE, covers, redis.call('HGET', key, 'value')}
  end
  if field('answer') == '' then
    redis.call('HDEL', key, 'value')
  end

  -- One failed call is enough, whichever other calls have begun since. And while calls fail, nobody waits for one: a single
  -- call at a time finds out whether they succeed again.
  local alone = answers('failure')
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
      due = last + math.min(maxWait, factor * (last - oldest))
    end
  end
  if not mayLead and not (due and due > now) then
    due = now + length -- it looks again as soon as it can make the call; meanwhile, another waiter may
  end
  if due and due > now then
    redis.call('HSET', key, waiter, table.concat({id, text(asks), text(now)}, ' '))
    keepFor(length + stay, leases)
    return {WAIT, ticket, asks, math.ceil(due - now)}
  end

  local drawn = number('tickets')
  table.insert(leases, {token = id, start = now, covers = drawn, ends = now + length})
  redis.call('HSET', key, 'last', text(now))
  writeLeases(leases)
  redis.call('HDEL', key, waiter)
  keepFor(stay, leases)
  return {LEAD, drawn, awaited and 1 or 0}
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

-- publish: a leader says how its call ended. Ignored if its lease has run out or is not known.
-- ARGV: how long waiters need, the kind of end ("value", "failure", "pass", or "nothing" if nobody waits), value or time to pass
local function publish()
  local stay, kind = tonumber(ARGV[3]), ARGV[4]
  local leases = readLeases()
  local ended = take(leases, id)
  if not ended then
    return {0}
  end
  local till = text(ended.covers) .. ' ' .. text(now + stay)
  local reach = ended.covers
  local failing = number('failing')
  if kind == 'value' then
    local covers, ends = string.match(field('answer'), '^(%d+) (%d+)$')
    if not covers or not isAhead(tonumber(ends)) or tonumber(covers) <= ended.covers then
      redis.call('HSET', key, 'value', ARGV[5], 'answer', till)
    end
  elseif kind == 'failure' then
    local covers, ends = string.match(field('failure'), '^(%d+) (%d+)$')
    if not covers or not isAhead(tonumber(ends)) or tonumber(covers) <= ended.covers then
      redis.call('HSET', key, 'failure', till)
    end
    redis.call('HSET', key, 'failing', SUCCESSES)
    reach = number('tickets')
  elseif kind == 'pass' then
    redis.call('HSET', key, 'pass', text(now + tonumber(ARGV[5])))
    reach = number('tickets')
  end
  if failing > 0 and kind ~= 'failure' then
    redis.call('HSET', key, 'failing', failing - 1)
  end
  redis.call('HSET', key, 'overtaken', text(math.max(number('overtaken'), ended.start)))
  writeLeases(leases)
  keepFor(stay, leases)
  return tell(oldestStart(leases) and reach or number('tickets'))
end

-- pass: an instance cannot read what stands here, so that nobody should wait for it. ARGV: for how long, how long waiters need
local function pass()
  redis.call('HSET', key, 'pass', text(now + tonumber(ARGV[3])))
  keepFor(tonumber(ARGV[4]), readLeases())
  return tell(number('tickets'))
end

-- leave: a waiter or a leader goes away. ARGV: its ticket
local function leave()
  local waiter = 'w' .. text(tonumber(ARGV[3]))
  if string.match(field(waiter), '^(%S+)') == id then
    redis.call('HDEL', key, waiter)
  end
  local leases = readLeases()
  if take(leases, id) then
    writeLeases(leases)
    return tell(number('tickets'))
  end
  return {1}
end

return ({ask = ask, renew = renew, publish = publish, pass = pass, leave = leave})[operation]()

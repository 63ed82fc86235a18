package io.github.collapseexecutor.core;

import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Outcome;

/** What no proof may ever see, in the words of {@link ProbeCall}, {@link BareEngine} and {@link HeldStages}. */
@Outcome(id = ".*never answered.*", expect = FORBIDDEN, desc = "A caller was lost: it would wait for ever.")
@Outcome(id = ".*answered twice.*", expect = FORBIDDEN, desc = "A call had two ends.")
@Outcome(id = ".*executed twice.*", expect = FORBIDDEN, desc = "An input was executed in two batches.")
@Outcome(id = ".*though withdrawn.*", expect = FORBIDDEN, desc = "An input was executed whose caller had left.")
@Outcome(id = ".*called for nothing.*", expect = FORBIDDEN, desc = "A batch function was called without an input.")
@Outcome(id = ".*though it had left.*", expect = FORBIDDEN, desc = "A caller both left and was answered.")
@Outcome(id = ".*another's answer.*", expect = FORBIDDEN, desc = "A caller got what was meant for another.")
@Outcome(id = ".*failed by.*", expect = FORBIDDEN, desc = "A caller got a failure that is none of its own.")
@Outcome(id = ".*at the same time.*", expect = FORBIDDEN, desc = "Two batches ran where there is one place.")
@Outcome(id = ".*a group remains.*", expect = FORBIDDEN, desc = "A group without callers still holds memory.")
@Outcome(id = ".*a timer remains.*", expect = FORBIDDEN, desc = "A timer runs for a batch that has started.")
final class Forbidden {}

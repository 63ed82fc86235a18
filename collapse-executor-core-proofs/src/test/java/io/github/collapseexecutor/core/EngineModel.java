package io.github.collapseexecutor.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@link EngineSteps} are to look like: the rules of gathering, starting, sharing, handing over and leaving for one
 * thread and a clock that stands still, written down a second time and without any regard to speed.
 */
public class EngineModel {

    private static final class Member {

        final int input;
        final Group group;
        /** Whose outcome this one shares, or itself. */
        final Member source;

        boolean runs;
        boolean present = true;

        Member(int input, Group group, @Nullable Member source) {
            this.input = input;
            this.group = group;
            this.source = source == null ? this : source;
        }
    }

    /** A batch. */
    private static final class Group {

        /** Who is gathered; once the batch has started, whose inputs it executes. */
        final List<Member> gathered = new ArrayList<>();

        final List<Member> sharers = new ArrayList<>();
        Member leader;
        boolean released;
        boolean started;
        boolean handedOver;
        boolean ended;
        /** The thread that answered, or 0 if nobody did. */
        int answeredBy;

        /** The members whose inputs are executed when the batch has been handed over. */
        Set<Member> stillNeeded() {
            Set<Member> needed = new LinkedHashSet<>();
            Set<Member> sources = new LinkedHashSet<>();
            for (Member member : gathered) {
                if (member.present) {
                    needed.add(member);
                    sources.add(member);
                }
            }
            for (Member sharer : sharers) {
                if (sharer.present && sources.add(sharer.source)) {
                    needed.add(sharer);
                }
            }
            return needed;
        }
    }

    private final int places;
    private final int size;
    private final boolean joinsInFlight;

    private final Map<Integer, Member> callers = new HashMap<>();
    private final Deque<Group> waiting = new ArrayDeque<>();
    private final Deque<Group> inFlight = new ArrayDeque<>();
    private @Nullable Group open;
    private int occupied;

    EngineModel(CollapseOptions options) {
        places = options.maxConcurrentBatches();
        size = options.maxBatchSize();
        joinsInFlight = options.joinMode() == JoinMode.IN_FLIGHT;
    }

    /** See {@link EngineSteps}. */
    public String arrive(int thread, int input) {
        if (callers.containsKey(thread)) {
            return "is here already";
        }
        Member shared = joinsInFlight ? inFlight(input) : null;
        if (shared != null) {
            Member sharer = new Member(input, shared.group, shared);
            shared.group.sharers.add(sharer);
            callers.put(thread, sharer);
            return "waits";
        }
        Group group = open;
        if (group == null) {
            group = new Group();
            waiting.add(group);
            open = group;
        }
        Member member = new Member(input, group, null);
        callers.put(thread, member);
        group.gathered.add(member);
        if (group.leader == null) {
            group.leader = member;
        }
        if (group.gathered.size() == size) {
            open = null;
        }
        if (!mayStart(group)) {
            return "waits";
        }
        release(group);
        group.leader = member;
        return run(member);
    }

    /** The latest call in flight for the same input. */
    private @Nullable Member inFlight(int input) {
        for (Group group : inFlight) {
            for (Member member : group.gathered) {
                if (member.input == input && !group.handedOver) {
                    return member;
                }
            }
        }
        return null;
    }

    private boolean mayStart(Group group) {
        return group == waiting.peek() && occupied < places;
    }

    private void release(Group group) {
        waiting.remove(group);
        group.released = true;
        occupied++;
    }

    private String run(Member member) {
        Group group = member.group;
        Iterable<Member> executed = group.gathered;
        if (group.started) {
            executed = group.stillNeeded();
        } else {
            group.started = true;
            inFlight.push(group);
            if (open == group) {
                open = null;
            }
        }
        member.runs = true;
        List<Integer> inputs = new ArrayList<>();
        executed.forEach(each -> inputs.add(each.input));
        return "calls for " + inputs;
    }

    /** See {@link EngineSteps}. */
    public String goOn(int thread) {
        Member member = callers.get(thread);
        if (member == null) {
            return "is not here";
        }
        Group group = member.group;
        if (member.runs) {
            callers.remove(thread);
            group.answeredBy = thread;
            return "is answered " + (10 * thread + member.input) + EngineSteps.wakes(end(group));
        }
        if (group.ended) {
            callers.remove(thread);
            return group.answeredBy == 0 ? "fails" : "is answered " + (10 * group.answeredBy + member.input);
        }
        if (group.leader != member) {
            return "waits";
        }
        if (mayStart(group)) {
            release(group);
        }
        return group.released ? run(member) : "waits";
    }

    /** See {@link EngineSteps}. */
    public String breakOff(int thread) {
        Member member = callers.get(thread);
        if (member == null || !member.runs) {
            return "does not call";
        }
        callers.remove(thread);
        member.present = false;
        Group group = member.group;
        Set<Member> others = group.stillNeeded();
        if (group.handedOver || others.isEmpty()) {
            return "is out, and so are all" + EngineSteps.wakes(end(group));
        }
        group.handedOver = true;
        group.leader = others.iterator().next();
        return "is out, another is to call";
    }

    /** See {@link EngineSteps}. */
    public String leave(int thread) {
        Member member = callers.get(thread);
        if (member == null || member.runs) {
            return "cannot leave";
        }
        if (member.group.ended) {
            return "leaves too late";
        }
        callers.remove(thread);
        member.present = false;
        return "has left" + EngineSteps.wakes(member.group.started ? leaveInFlight(member) : withdraw(member));
    }

    private boolean leaveInFlight(Member member) {
        Group group = member.group;
        if (group.leader != member) {
            return false;
        }
        Set<Member> others = group.stillNeeded();
        if (others.isEmpty()) {
            return end(group);
        }
        group.leader = others.iterator().next();
        return true;
    }

    private boolean withdraw(Member member) {
        Group group = member.group;
        group.gathered.remove(member);
        if (!group.gathered.isEmpty()) {
            boolean led = group.leader == member;
            group.leader = group.gathered.get(0);
            return led;
        }
        if (open == group) {
            open = null;
        }
        return group.released ? giveBackPlace() : !waiting.remove(group);
    }

    private boolean end(Group group) {
        group.ended = true;
        inFlight.remove(group);
        return giveBackPlace();
    }

    private boolean giveBackPlace() {
        occupied--;
        Group next = waiting.peek();
        if (next == null || !mayStart(next)) {
            return false;
        }
        release(next);
        return true;
    }
}

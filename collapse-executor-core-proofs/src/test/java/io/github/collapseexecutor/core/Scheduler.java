package io.github.collapseexecutor.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Runs real threads one at a time. Where a thread says so, it waits or may be overtaken, and {@link Decisions} say who
 * goes on, or what happens from outside; so the same decisions give the same run, however the machine schedules.
 *
 * <p>Everything that a run touches is confined to the thread whose turn it is; the hand-over of the turn orders it.
 */
final class Scheduler {

    /** What a run is made of besides its threads. */
    interface Environment {

        /** What could happen now, always in the same order. */
        List<Event> events();

        /** Told whenever no thread can go on by itself. */
        void atRest();
    }

    record Event(String name, Runnable effect) {}

    private static final int MANY_STEPS = 10_000;
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(60);

    // immutable
    private final Threads threads;
    private final Decisions decisions;
    private final Environment environment;
    private final Turn main = new Turn(Thread.currentThread());

    // mutable, confined to the thread whose turn it is
    private final List<Actor> actors = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private int steps;
    private Throwable failure;

    Scheduler(Threads threads, Decisions decisions, Environment environment) {
        this.threads = threads;
        this.decisions = decisions;
        this.environment = environment;
    }

    /** Brings a run to its end, which is when nothing can happen any more, and checks it; throws what was wrong in it. */
    void run(Runnable check) {
        handOn(null);
        if (!main.await(LONG_NANOS)) {
            throw failed(new AssertionError("a thread neither waits nor ends"));
        }
        for (Actor actor : actors) {
            if (failure == null && !actor.done) {
                failure = new AssertionError(actor.name + " waits for ever, parked at: " + actor.place);
            }
        }
        try {
            if (failure == null) {
                check.run();
            }
        } catch (AssertionError broken) {
            failure = broken;
        }
        if (failure != null) {
            throw failed(failure);
        }
    }

    private AssertionError failed(Throwable cause) {
        return new AssertionError(cause.getMessage() + "\nafter " + String.join("\n      ", trace), cause);
    }

    /** Has a thread do something from now on. */
    Actor spawn(String name, Runnable body) {
        Actor actor = new Actor(name, threads.take(), body);
        actor.worker.play(actor, this);
        actors.add(actor);
        return actor;
    }

    /** The calling thread could go on, but may be overtaken here. */
    void pause(String place) {
        await(place, null);
    }

    /** The calling thread goes on when something is the case and it is its turn. */
    void await(String place, BooleanSupplier condition) {
        Actor self = Actor.current();
        if (self == null) {
            return; // before or after the run
        }
        self.place = place;
        self.condition = condition;
        // A turn is waited for by parking, which an interrupted thread cannot do.
        self.interrupted |= Thread.interrupted();
        handOn(self);
        if (self.interrupted) {
            self.interrupted = false;
            self.worker.interrupt();
        }
        self.condition = null;
        note(self, place);
    }

    /** Ends the run if what should hold does not. */
    void check(boolean holds, String promise) {
        if (holds) {
            return;
        }
        AssertionError broken = new AssertionError(promise);
        if (Actor.current() == null) {
            throw broken;
        }
        failure = broken;
        main.give();
        // The engine would take whatever is thrown here for a failure of the batch function. So this thread stays.
        while (true) {
            LockSupport.park();
            Thread.interrupted();
        }
    }

    /** Gives the turn to the next actor and waits to have it again. */
    private void handOn(Actor self) {
        Actor next;
        try {
            next = failure == null ? next(self) : null;
        } catch (Throwable thrown) {
            failure = thrown;
            next = null;
        }
        if (next != null && next == self) {
            return;
        }
        (next == null ? main : next.worker.turn).give();
        if (self != null) {
            self.worker.turn.await(Long.MAX_VALUE);
        }
    }

    private Actor next(Actor current) {
        while (true) {
            boolean overtaking = current != null && current.isReady();
            if (overtaking && !decisions.mayOvertake()) {
                return current;
            }
            if (++steps > MANY_STEPS) {
                throw new AssertionError("comes to no end");
            }
            List<Actor> ready = new ArrayList<>();
            if (overtaking) {
                ready.add(current);
            }
            for (Actor actor : actors) {
                if (actor != current && actor.isReady()) {
                    ready.add(actor);
                }
            }
            if (ready.isEmpty()) {
                environment.atRest();
            }
            List<Event> events = environment.events();
            int options = ready.size() + events.size();
            if (options == 0) {
                return null;
            }
            int choice = options == 1 ? 0 : decisions.choose(options, overtaking);
            if (choice < ready.size()) {
                return ready.get(choice);
            }
            Event event = events.get(choice - ready.size());
            trace.add(event.name());
            event.effect().run();
        }
    }

    private void note(Actor actor, String place) {
        trace.add(actor.name + ": " + place);
    }

    /** One thread's part in a run. */
    static final class Actor {

        // immutable
        final String name;
        private final Worker worker;
        private final Runnable body;

        // mutable, confined to the thread whose turn it is
        private String place = "start";
        private BooleanSupplier condition;
        private boolean permit;
        private boolean interrupted;
        private boolean done;

        Actor(String name, Worker worker, Runnable body) {
            this.name = name;
            this.worker = worker;
            this.body = body;
        }

        /** The actor whose thread this is, or null. */
        static Actor current() {
            return Thread.currentThread() instanceof Worker worker ? worker.actor : null;
        }

        /** The actor that a thread plays, or null if it has ended. */
        static Actor of(Thread thread) {
            return ((Worker) thread).actor;
        }

        private boolean isReady() {
            return !done && (condition == null || condition.getAsBoolean());
        }

        boolean isDone() {
            return done;
        }

        void interrupt() {
            interrupted = true;
        }

        /** Whether the thread, which waits for its turn, will find itself interrupted. */
        boolean isInterrupted() {
            return interrupted;
        }

        /** As {@link LockSupport#unpark}. */
        void unpark() {
            permit = true;
        }

        boolean hasPermit() {
            return permit;
        }

        void consumePermit() {
            permit = false;
        }
    }

    /** Threads that outlast a run, because starting one takes longer than many a run does. */
    static final class Threads {

        // mutable, confined to the thread whose turn it is
        private final Deque<Worker> idle = new ArrayDeque<>();

        private Worker take() {
            Worker worker = idle.poll();
            if (worker == null) {
                worker = new Worker(this);
                worker.start();
            }
            return worker;
        }
    }

    private static final class Worker extends Thread {

        // immutable
        private final Threads threads;
        private final Turn turn = new Turn(this);

        // mutable, confined to the thread whose turn it is
        private Actor actor;
        private Scheduler scheduler;

        Worker(Threads threads) {
            super("scheduled");
            this.threads = threads;
            setDaemon(true);
        }

        void play(Actor part, Scheduler of) {
            actor = part;
            scheduler = of;
        }

        @Override
        public void run() {
            while (turn.await(Long.MAX_VALUE)) {
                Scheduler ended = scheduler;
                if (actor.interrupted) {
                    actor.interrupted = false;
                    interrupt();
                }
                try {
                    actor.body.run();
                } catch (Throwable thrown) {
                    ended.failure = thrown;
                }
                Thread.interrupted();
                actor.done = true;
                actor = null;
                threads.idle.push(this);
                ended.handOn(null);
            }
        }
    }

    /** Whose turn it is: given by one thread, awaited by another. */
    private static final class Turn {

        // immutable
        private final Thread owner;

        // mutable; set by who gives, cleared by the owner
        private volatile boolean given;

        Turn(Thread owner) {
            this.owner = owner;
        }

        void give() {
            given = true;
            LockSupport.unpark(owner);
        }

        /** Takes the turn; false if it was not given in time. */
        boolean await(long nanos) {
            long start = System.nanoTime();
            while (!given) {
                if (nanos == Long.MAX_VALUE) {
                    LockSupport.park();
                } else {
                    LockSupport.parkNanos(nanos);
                    if (System.nanoTime() - start >= nanos && !given) {
                        return false;
                    }
                }
            }
            given = false;
            return true;
        }
    }
}

package io.github.collapseexecutor.cluster.simulation;

/**
 * As {@code ClusterWaiter}: asks, waits until it is told or looks by itself, asks again, and goes alone if Redis does not answer in time, or if it
 * has waited for too long.
 */
final class SimulatedWaiter {

    private enum Phase {
        ASKING,
        WAITING,
        DECIDED
    }

    private final SimulatedTime time;
    private final Workload workload;
    private final SimulatedRedis redis;
    private final SimulatedKey key;
    private final SimulatedBreaker breaker;
    private final SimulatedInstance instance;
    private final SimulatedInstance.Batch batch;
    private final Totals totals;

    private Phase phase = Phase.ASKING;
    private boolean waited;
    private long asks = Long.MAX_VALUE;
    private long toldWhileAsking;
    private double since;
    private final double maxDelay;
    private double left;
    private final double deadline;
    private int question;
    private SimulatedTime.Event timer;

    SimulatedWaiter(
            SimulatedTime time,
            Workload workload,
            SimulatedRedis redis,
            SimulatedKey key,
            SimulatedBreaker breaker,
            SimulatedInstance instance,
            SimulatedInstance.Batch batch,
            Totals totals) {
        this.time = time;
        this.workload = workload;
        this.redis = redis;
        this.key = key;
        this.breaker = breaker;
        this.instance = instance;
        this.batch = batch;
        this.totals = totals;
        this.since = time.now();
        this.maxDelay = instance.times().allowed();
        this.left = maxDelay;
        this.deadline = since + 2 * workload.maxWait() + maxDelay;
        this.timer = time.after(0, () -> {});
    }

    void begin() {
        if (!instance.times().isSharingWorthIt()) {
            totals.tooShort++;
            batch.call(failed -> {});
            return;
        }
        if (!workload.isShared() || !breaker.permits()) {
            goAlone();
            return;
        }
        instance.join(this);
        ask(maxDelay * 3 / 5);
    }

    private void ask(double within) {
        phase = Phase.ASKING;
        int asked = ++question;
        double askedAt = time.now();
        SimulatedTime.Event timeout = time.after(within, () -> {
            breaker.failed(askedAt);
            question++; // an answer comes too late
            redis.runScript(() -> key.leave(this));
            decide();
            goAlone();
        });
        redis.runScript(() -> {
            SimulatedKey.Reply reply = key.ask(this, instance.times().gap());
            time.after(workload.latency(), () -> {
                instance.times().answered(time.now() - askedAt);
                if (question == asked) {
                    timeout.cancel();
                    breaker.succeeded();
                    answered(reply);
                }
            });
        });
    }

    private void answered(SimulatedKey.Reply reply) {
        if (reply instanceof SimulatedKey.Wait wait) {
            await(wait);
            return;
        }
        decide();
        if (reply instanceof SimulatedKey.Lead lead) {
            totals.led++;
            batch.call(failed -> {
                if (failed) {
                    publish(SimulatedKey.End.FAILURE);
                } else if (lead.joinable()) {
                    redis.runScript(() -> {
                        if (key.isJoined(this)) {
                            time.after(workload.latency(), () -> publish(SimulatedKey.End.VALUE));
                        }
                    });
                } else {
                    publish(lead.awaited() ? SimulatedKey.End.VALUE : SimulatedKey.End.NOTHING);
                }
            });
        } else if (reply instanceof SimulatedKey.Failed) {
            goAlone();
        } else {
            totals.taken++;
            totals.bytes += workload.resultBytes();
            batch.end();
        }
    }

    private void publish(SimulatedKey.End end) {
        redis.runScript(() -> key.publish(this, end));
    }

    private void goAlone() {
        totals.alone++;
        batch.call(failed -> {});
    }

    private void decide() {
        phase = Phase.DECIDED;
        timer.cancel();
        instance.leave(this);
    }

    private void await(SimulatedKey.Wait wait) {
        boolean first = !waited;
        if (first) {
            left = Math.max(maxDelay * 2 / 5, left - (time.now() - since));
            since = time.now();
        }
        phase = Phase.WAITING;
        waited = true;
        asks = wait.asks();
        if (first) {
            instance.subscribe(this);
        }
        if (toldWhileAsking >= asks) {
            look();
            return;
        }
        double share = Math.min(workload.maxWait(), workload.ratio() * (time.now() - since));
        double longest = Math.max(0, deadline - time.now());
        timer = time.after(Math.min(longest, Math.min(wait.micros(), Math.max(left / 2, share))), this::look);
    }

    void told(long about) {
        if (phase == Phase.ASKING) {
            toldWhileAsking = Math.max(toldWhileAsking, about);
        } else if (phase == Phase.WAITING && about >= asks) {
            look();
        }
    }

    private void look() {
        if (phase == Phase.WAITING) {
            timer.cancel();
            toldWhileAsking = 0;
            if (time.now() >= deadline) {
                redis.runScript(() -> key.leave(this));
                decide();
                goAlone();
            } else {
                ask(left / 2);
            }
        }
    }
}

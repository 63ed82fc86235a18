package io.github.collapseexecutor.cluster;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.InvalidOptionException;
import io.github.collapseexecutor.core.JoinMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How instances share calls; immutable. All instances need the same secret and prefix, and should have the same other options.
 *
 * <pre>{@code
 * ClusterOptions options = ClusterOptions.builder(secret)
 *         .prefix("shop")
 *         .maxDelay(Duration.ofMillis(20))
 *         .build();
 * }</pre>
 */
public final class ClusterOptions {

    private static final int SHORTEST_SECRET = 16;
    private static final int FEWEST_BYTES = 8;
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofSeconds(20);

    // immutable: nobody else has this builder
    private final Builder set;

    private ClusterOptions(Builder set) {
        this.set = set;
    }

    /**
     * Starts from the defaults.
     *
     * @param secret at least 16 random bytes, the same for all instances, from the configuration and not from the source. Keys
     *     stand in Redis as a hash that only its owner can compute, because keys may hold names and credentials, which a
     *     hash without a secret does not protect from guesses. Stored results are encrypted with it
     * @return a new builder; not thread-safe
     * @throws InvalidOptionException if the secret is shorter, has fewer than 8 different bytes, or repeats a part that is shorter
     */
    public static Builder builder(byte[] secret) {
        return new Builder(secret);
    }

    /** The first one writes. */
    List<byte[]> secrets() {
        return set.secrets;
    }

    /** {@return which version of the application's results this is; empty by default} */
    public String version() {
        return set.version;
    }

    /** {@return what the names of keys and channels in Redis begin with; {@code collapse} by default} */
    public String prefix() {
        return set.prefix;
    }

    /**
     * {@return the longest that Redis may delay a call, beyond the time for which it waits for a call that is under way; 50 ms by default} Where
     * Redis answers everything late, this grows to eight times what it takes on average, and at most tenfold.
     */
    public Duration maxDelay() {
        return set.maxDelay;
    }

    /** {@return for how long a call counts as under way without news of its instance; 2 s by default} */
    public Duration lease() {
        return set.lease;
    }

    /**
     * {@return which part of the age of the oldest call in flight the next one waits for others to join it; from 0 to below 1, 0.1 by default}
     */
    public double maxWaitRatio() {
        return set.maxWaitRatio;
    }

    /** {@return the longest wait for others, and the greatest age of a call in flight that is waited for; 1 s by default} */
    public Duration maxWait() {
        return set.maxWait;
    }

    /** {@return which calls of other instances may answer; {@link JoinMode#FRESH} by default} */
    public JoinMode joinMode() {
        return set.joinMode;
    }

    /** {@return the size of the largest encoded result that is shared, in bytes; 1 MiB by default} */
    public int maxResultSize() {
        return set.maxResultSize;
    }

    @Override
    public String toString() {
        return "prefix=" + set.prefix + ", version=" + set.version + ", maxDelay=" + set.maxDelay + ", lease="
                + set.lease
                + ", maxWaitRatio=" + set.maxWaitRatio + ", maxWait=" + set.maxWait + ", joinMode=" + set.joinMode
                + ", maxResultSize=" + set.maxResultSize;
    }

    /** Collects settings; each method checks its argument, sets it and returns the builder. Not thread-safe. */
    public static final class Builder implements Cloneable {

        // mutable, confined to the building thread
        private List<byte[]> secrets = List.of();
        private String prefix = "collapse";
        private String version = "";
        private Duration maxDelay = Duration.ofMillis(50);
        private Duration lease = Duration.ofSeconds(2);
        private double maxWaitRatio = 0.1;
        private Duration maxWait = Duration.ofSeconds(1);
        private JoinMode joinMode = JoinMode.FRESH;
        private int maxResultSize = 1 << 20;

        private Builder(byte[] secret) {
            addSecret("secret", secret);
        }

        /**
         * Adds secrets that another instance may write with, for the time in which the secret is replaced. Instances share if they have the same
         * secrets, in whatever order; the one of {@link #builder} writes. So a secret is replaced in three steps, each on all instances: the
         * new one is added here; then it is the secret, and the old one stands here; then the old one goes.
         *
         * @param others secrets, each as the one of {@link #builder}
         * @return this builder
         * @throws InvalidOptionException if one of them is not allowed, or stands here twice
         */
        public Builder otherSecrets(List<byte[]> others) {
            secrets = List.of(secrets.get(0));
            requireNonNull(others, "others").forEach(other -> addSecret("otherSecrets", other));
            return this;
        }

        private void addSecret(String option, byte[] secret) {
            String remedy =
                    ", because it is all that keeps the keys in Redis from being guessed; make it with a random generator, for"
                            + " example by \"openssl rand -base64 32\"";
            if (requireNonNull(secret, option).length < SHORTEST_SECRET) {
                throw new InvalidOptionException(
                        option,
                        "of " + secret.length + " bytes",
                        "it must have at least " + SHORTEST_SECRET + " bytes" + remedy);
            }
            if (differentBytes(secret) < FEWEST_BYTES || period(secret) < SHORTEST_SECRET) {
                throw new InvalidOptionException(
                        option,
                        "of " + differentBytes(secret) + " different bytes, which repeat after " + period(secret),
                        "it must have at least " + FEWEST_BYTES
                                + " different bytes, and must not repeat a part of fewer than " + SHORTEST_SECRET
                                + remedy);
            }
            if (secrets.stream().anyMatch(known -> Arrays.equals(known, secret))) {
                throw new InvalidOptionException(
                        option, "the same as another secret", "each must be another one; remove the second");
            }
            secrets = Stream.concat(secrets.stream(), Stream.of(secret.clone())).toList();
        }

        private static long differentBytes(byte[] secret) {
            return IntStream.range(0, secret.length)
                    .map(i -> secret[i])
                    .distinct()
                    .count();
        }

        /** After how many bytes it repeats itself; its length if it does not. */
        private static int period(byte[] secret) {
            return IntStream.rangeClosed(1, secret.length / 2)
                    .filter(shift -> Arrays.equals(secret, shift, secret.length, secret, 0, secret.length - shift))
                    .findFirst()
                    .orElse(secret.length);
        }

        /**
         * Sets which version of the application's results this is. Instances of different versions share nothing with one another: change it with
         * a release whose results mean something else, although their codecs are the same.
         *
         * @param version any text
         * @return this builder
         */
        public Builder version(String version) {
            this.version = requireNonNull(version, "version");
            return this;
        }

        /**
         * Sets what the names of keys and channels in Redis begin with. Applications that share a Redis need different ones.
         *
         * @param prefix not empty and without braces, which would change the slot of a Redis Cluster
         * @return this builder
         * @throws InvalidOptionException if it is otherwise
         */
        public Builder prefix(String prefix) {
            if (requireNonNull(prefix, "prefix").isBlank() || prefix.matches(".*[{}\\s].*")) {
                throw new InvalidOptionException(
                        "prefix", "\"" + prefix + "\"", "it must not be empty, nor hold braces or spaces");
            }
            this.prefix = prefix;
            return this;
        }

        /**
         * Sets the longest that Redis may delay a call, beyond the time for which it waits for a call that is under way. After
         * that, the instance goes on alone.
         *
         * @param duration from 1 ms to 20 s
         * @return this builder
         * @throws InvalidOptionException if it is not in that range
         */
        public Builder maxDelay(Duration duration) {
            maxDelay = inRange("maxDelay", duration);
            return this;
        }

        /**
         * Sets for how long a call counts as under way without news of its instance. An instance renews it three times in
         * that time.
         *
         * @param duration from 1 ms to 20 s; longer than the longest pause of a garbage collector
         * @return this builder
         * @throws InvalidOptionException if it is not in that range
         */
        public Builder lease(Duration duration) {
            lease = inRange("lease", duration);
            return this;
        }

        /**
         * Sets which part of the age of the oldest call in flight, or of the usual length of a call if that is more, the next one waits for others to
         * join it; the start rule of the core, across instances.
         *
         * @param ratio from 0, not at all, to below 1
         * @return this builder
         * @throws InvalidOptionException if it is not in that range
         */
        public Builder maxWaitRatio(double ratio) {
            if (!(ratio >= 0 && ratio < 1)) {
                throw new InvalidOptionException("maxWaitRatio", ratio, "it must be from 0 to below 1");
            }
            maxWaitRatio = ratio;
            return this;
        }

        /**
         * Sets the longest wait for others, and the greatest age of a call in flight that is waited for.
         *
         * @param duration from 1 ms to 20 s
         * @return this builder
         * @throws InvalidOptionException if it is not in that range
         */
        public Builder maxWait(Duration duration) {
            maxWait = inRange("maxWait", duration);
            return this;
        }

        /**
         * Sets which calls of other instances may answer. With {@link JoinMode#FRESH} only a call that starts after this
         * instance has asked; with {@link JoinMode#IN_FLIGHT} also one that is under way for less than {@link #maxWait}.
         *
         * @param mode the mode
         * @return this builder
         */
        public Builder joinMode(JoinMode mode) {
            joinMode = requireNonNull(mode, "mode");
            return this;
        }

        /**
         * Sets the size of the largest encoded result that is shared. After a larger one, instances make their calls for that
         * key without waiting for one another, for ten seconds.
         *
         * <p>A result of more than 64 KiB takes its time: an instance that waits for it allows 0.1 s for each MiB beyond {@link #maxDelay}.
         *
         * @param bytes from 1 to 8 MiB, because Redis is busy with nothing else while it sends one
         * @return this builder
         * @throws InvalidOptionException if it is not in that range
         */
        public Builder maxResultSize(int bytes) {
            if (bytes < 1 || bytes > 8 << 20) {
                throw new InvalidOptionException("maxResultSize", bytes, "it must be from 1 byte to 8 MiB");
            }
            maxResultSize = bytes;
            return this;
        }

        /** {@return the options} */
        public ClusterOptions build() {
            try {
                return new ClusterOptions((Builder) clone());
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        private static Duration inRange(String option, Duration duration) {
            if (requireNonNull(duration, option).compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
                throw new InvalidOptionException(option, duration, "it must be from 1 ms to 20 s");
            }
            return duration;
        }
    }
}

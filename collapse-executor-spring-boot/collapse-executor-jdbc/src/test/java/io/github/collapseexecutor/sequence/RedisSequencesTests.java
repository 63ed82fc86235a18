package io.github.collapseexecutor.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.exceptions.JedisDataException;

/** Counters of a real Redis, through Jedis and through Lettuce. */
@OnEachJdk
class RedisSequencesTests {

    private static JedisPooled jedis;
    private static RedisClient lettuce;

    private final AtomicInteger roundTrips = new AtomicInteger();

    @BeforeAll
    static void connect() {
        jedis = new JedisPooled(LocalRedis.url());
        lettuce = RedisClient.create(LocalRedis.url());
    }

    @AfterAll
    static void disconnect() {
        lettuce.shutdown();
        jedis.close();
    }

    @BeforeEach
    void forget() {
        jedis.del("order_id");
    }

    @Test
    void jedisGivesEachNumberOnceWithATenthOfTheRoundTrips() throws Exception {
        assertProof(jedis::incrBy);
    }

    @Test
    void lettuceGivesEachNumberOnceWithATenthOfTheRoundTrips() throws Exception {
        RedisCommands<String, String> commands = lettuce.connect().sync();
        assertProof(commands::incrby);
    }

    private void assertProof(SequenceSource.Counter counter) throws Exception {
        SequenceSource.Counter counted = (name, amount) -> {
            roundTrips.incrementAndGet();
            return counter.incrementBy(name, amount);
        };
        Sequences sequences = Sequences.of(SequenceSource.ofCounter(counted, Set.of("order_id")));
        long[] numbers = NumberProof.numbersOf(() -> sequences.next("order_id"));
        assertThat(numbers[0]).isEqualTo(1);
        assertThat(numbers[NumberProof.NUMBERS - 1]).isEqualTo(NumberProof.NUMBERS);
        assertThat(roundTrips).hasValueLessThanOrEqualTo(NumberProof.NUMBERS / 10);
        assertThat(jedis.get("order_id")).isEqualTo(String.valueOf(NumberProof.NUMBERS));
    }

    @Test
    void misspeltNameCreatesNoCounter() {
        Sequences sequences = Sequences.of(SequenceSource.ofCounter(jedis::incrBy, Set.of("order_id")));
        assertThatThrownBy(() -> sequences.next("ordre_id"))
                .isInstanceOf(UnknownSequenceException.class)
                .hasMessageContaining("[order_id]");
        assertThat(jedis.exists("ordre_id")).isFalse();
    }

    @Test
    void counterThatWasLostRepeatsNothing() throws Exception {
        Sequences sequences = Sequences.of(SequenceSource.ofCounter(jedis::incrBy, Set.of("order_id")));
        assertThat(sequences.next("order_id")).isEqualTo(1);
        assertThat(sequences.next("order_id")).isEqualTo(2);
        jedis.del("order_id");
        assertThatThrownBy(() -> sequences.next("order_id"))
                .isInstanceOf(SequenceException.class)
                .hasMessageContaining("gave 1 after 2");
    }

    @Test
    void counterAtItsEndGivesNoNumber() throws Exception {
        jedis.set("order_id", String.valueOf(Long.MAX_VALUE - 1));
        Sequences sequences = Sequences.of(SequenceSource.ofCounter(jedis::incrBy, Set.of("order_id")));
        assertThat(sequences.next("order_id")).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> sequences.next("order_id"))
                .isInstanceOf(JedisDataException.class)
                .hasMessageContaining("overflow");
    }
}

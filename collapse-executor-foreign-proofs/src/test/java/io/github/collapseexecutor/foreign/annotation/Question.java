package io.github.collapseexecutor.foreign.annotation;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A call and its caller.
 *
 * @param key the first argument
 * @param other the number of the second argument; negative for null
 * @param user who is logged in; null for nobody
 * @param locale of the thread
 * @param place whether the caller is inside a transaction, or has a persistence context
 */
record Question(@Nullable String key, int other, @Nullable String user, Locale locale, Place place) {

    /** What the thread has. */
    enum Place {
        PLAIN,
        TRANSACTION,
        SESSION
    }

    private static final List<@Nullable String> KEYS = Arrays.asList(
            "key 1",
            "key 1",
            "key 1",
            "key 1",
            "key 2",
            "null",
            "fails checked",
            "fails argument",
            "fails state",
            null);

    private static final List<@Nullable String> USERS =
            Arrays.asList("ann", "ann", "ann", "bob", "eve", "custom", null);

    /** A few of which callers then draw. */
    static List<Question> few(Random random) {
        boolean manyUsers = random.nextBoolean();
        boolean manyLocales = random.nextInt(3) == 0;
        boolean places = random.nextInt(3) == 0;
        Question[] few = new Question[4];
        for (int i = 0; i < few.length; i++) {
            few[i] = new Question(
                    KEYS.get(random.nextInt(i == 0 ? 4 : KEYS.size())),
                    random.nextInt(8) == 0 ? -1 : random.nextInt(2),
                    manyUsers ? USERS.get(random.nextInt(USERS.size())) : "ann",
                    manyLocales && random.nextBoolean() ? Locale.FRANCE : Locale.GERMANY,
                    places ? Place.values()[random.nextInt(3)] : Place.PLAIN);
        }
        return List.of(few);
    }

    /** The same, of another user. */
    Question of(@Nullable String another) {
        return new Question(key, other, another, locale, place);
    }
}

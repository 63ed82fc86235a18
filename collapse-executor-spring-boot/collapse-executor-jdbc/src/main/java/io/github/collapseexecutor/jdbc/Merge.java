package io.github.collapseexecutor.jdbc;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes one part of two, if that one says the same as the two do, one after the other.
 *
 * <p>It does not if the combine function throws, as {@link Math#addExact(int, int)} does where a sum is too large. Nor do
 * numbers whose sum has overflowed, which shows in its sign. Nor does the sum of a number above zero and one below: of an empty
 * stock, 1 wanted and then 5 given back are not 4 given back, because the first is to be refused.
 */
final class Merge {

    private Merge() {}

    /** The merged part; null if the two have to stay apart. */
    static <PART> @Nullable PART of(MergedUpdate<?, PART> update, PART earlier, PART later) {
        PART merged;
        try {
            merged = update.combine(earlier, later);
        } catch (RuntimeException apart) {
            return null;
        }
        return isSound(earlier, later, merged) ? merged : null;
    }

    private static boolean isSound(Object earlier, Object later, Object merged) {
        if (earlier instanceof Number one && later instanceof Number other && merged instanceof Number sum) {
            int sign = sign(one) == 0 ? sign(other) : sign(one);
            boolean sameSign = sign(other) == 0 || sign(other) == sign;
            return sameSign && sign(sum) == sign;
        }
        return true;
    }

    private static int sign(Number number) {
        if (number instanceof BigDecimal decimal) {
            return decimal.signum();
        }
        if (number instanceof BigInteger integer) {
            return integer.signum();
        }
        if (number instanceof Double || number instanceof Float) {
            return (int) Math.signum(number.doubleValue());
        }
        return Long.signum(number.longValue());
    }
}

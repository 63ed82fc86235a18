package io.github.collapseexecutor.core;

/**
 * Fails a caller whose stack is about to overflow before its call has changed anything, rather than in the midst of a change
 * that others would wait for.
 */
final class StackRoom {

    /** Frames of {@link #use}, each of which takes some 150 bytes: more than the engine needs between two calls of a user's. */
    private static final int FRAMES = 48;

    private StackRoom() {}

    /**
     * Makes sure that the engine has room on the calling thread's stack.
     *
     * @throws StackOverflowError if it has not
     */
    static void require() {
        if (use(FRAMES, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) == 0) {
            throw new AssertionError("the sum of positive numbers is 0");
        }
    }

    private static long use(
            int frames,
            long a,
            long b,
            long c,
            long d,
            long e,
            long f,
            long g,
            long h,
            long i,
            long j,
            long k,
            long l) {
        return frames == 0
                ? a + b + c + d + e + f + g + h + i + j + k + l
                : a + use(frames - 1, b, c, d, e, f, g, h, i, j, k, l, a);
    }
}

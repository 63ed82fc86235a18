package io.github.collapseexecutor.mutations;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A mistake that is made on purpose in one place of one method or field, to see a test fail.
 *
 * @param title the mistake in words
 * @param type the class, as {@code package.Class} below {@code io.github.collapseexecutor}
 * @param member the method or field; {@code new} for constructors
 * @param change the {@linkplain Change change} of it
 * @param tests the test classes that notice, as {@code package.Class} below {@code io.github.collapseexecutor}, at least one
 */
record Mutation(String title, String type, String member, String change, List<String> tests) {

    private static final Pattern BLOCK = Pattern.compile("(.+)\nin (\\S+)#(\\w+)\n(.+)\nby (.+)");
    private static final Pattern OUTERMOST = Pattern.compile("([a-z]\\w*\\.)*[A-Z]\\w*");

    /**
     * Reads a block of a list: the title, {@code in} with the class and its member, the change, {@code by} and the tests.
     *
     * @throws IllegalArgumentException if the block has other lines
     */
    static Mutation parse(String block) {
        Matcher parts = BLOCK.matcher(block.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "The block must have a title, \"in package.Class#member\", a change and \"by tests\":\n" + block);
        }
        return new Mutation(
                parts.group(1),
                parts.group(2),
                parts.group(3),
                parts.group(4),
                List.of(parts.group(5).split(", *")));
    }

    /** The source file, from {@code src/main/java/io/github/collapseexecutor}. */
    String file() {
        Matcher outermost = OUTERMOST.matcher(type);
        return (outermost.lookingAt() ? outermost.group() : type).replace('.', '/') + ".java";
    }

    /**
     * Makes the mistake.
     *
     * @throws IllegalArgumentException if it fits in no place of the source, or in several
     */
    String applyTo(String source) {
        SourceTree tree = new SourceTree(source);
        try {
            return new Change(tree, tree.members(type.substring(type.lastIndexOf('.') + 1), member)).changed(change);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "\"" + title + "\" in " + type + "#" + member + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return title;
    }
}

package io.github.collapseexecutor.mutations;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A mistake that is made on purpose in one place of one source file, to see a test fail.
 *
 * @param title the mistake in words
 * @param file the source file, from {@code src/main/java/io/github/collapseexecutor}
 * @param before the lines that are replaced; they stand in one place of the file, whatever their indentation
 * @param after the lines in their place, possibly none
 * @param tests the test classes that notice, as {@code package.Class} below {@code io.github.collapseexecutor}, at least one
 */
record Mutation(String title, String file, List<String> before, List<String> after, List<String> tests) {

    /**
     * Reads a block of a list: the title, {@code in} and the file, lines with {@code -} and {@code +}, {@code by} and the tests.
     *
     * @throws IllegalArgumentException if a part is missing, or a line begins in another way
     */
    static Mutation parse(String block) {
        List<String> lines = Arrays.asList(block.strip().split("\n"));
        String file = "";
        List<String> before = new ArrayList<>();
        List<String> after = new ArrayList<>();
        List<String> tests = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String rest = line.length() < 3 ? "" : line.substring(2).strip();
            if (line.startsWith("- ")) {
                before.add(rest);
            } else if (line.startsWith("+ ")) {
                after.add(rest);
            } else if (line.startsWith("in ")) {
                file = rest;
            } else if (line.startsWith("by ")) {
                tests.addAll(Arrays.asList(rest.split(", *")));
            } else {
                throw new IllegalArgumentException("\"" + line + "\" in the block \"" + lines.get(0)
                        + "\" must begin with \"in \", \"- \", \"+ \" or \"by \"");
            }
        }
        if (file.isEmpty() || before.isEmpty() || tests.isEmpty()) {
            throw new IllegalArgumentException(
                    "The block \"" + lines.get(0) + "\" must have a file (in), lines (-) and tests (by)");
        }
        return new Mutation(lines.get(0), file, before, after, tests);
    }

    /**
     * Makes the mistake.
     *
     * @throws IllegalArgumentException if the lines stand in no place of the source, or in several
     */
    String applyTo(String source) {
        List<String> lines = new ArrayList<>(Arrays.asList(source.split("\n", -1)));
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i + before.size() <= lines.size(); i++) {
            if (lines.subList(i, i + before.size()).stream()
                    .map(String::strip)
                    .toList()
                    .equals(before)) {
                places.add(i);
            }
        }
        if (places.size() != 1) {
            throw new IllegalArgumentException("\"" + title + "\" must fit in one place of " + file + ", but fits in "
                    + places.size() + ": " + String.join(" ", before));
        }
        List<String> place = lines.subList(places.get(0), places.get(0) + before.size());
        place.clear();
        place.addAll(after);
        return String.join("\n", lines);
    }

    @Override
    public String toString() {
        return title;
    }
}

package io.github.collapseexecutor.spring.boot;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Guesses which of the known names a user meant to type. */
final class NearestName {

    private NearestName() {}

    /** Returns the known name that differs in the fewest letters, if that is at most a third of them. */
    private static Optional<String> of(String typed, Collection<String> known) {
        String letters = lettersOf(typed);
        return known.stream()
                .min(Comparator.comparingInt(name -> distance(letters, lettersOf(name))))
                .filter(name -> 3 * distance(letters, lettersOf(name))
                        <= lettersOf(name).length());
    }

    /** Returns {@code ; did you mean …?} for the end of a sentence, or nothing where no name is near. */
    static String question(String typed, Collection<String> known) {
        return of(typed, known).map(name -> "; did you mean " + name + "?").orElse("");
    }

    private static String lettersOf(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }

    /** Counts the letters to insert, to delete or to replace (Levenshtein). */
    private static int distance(String left, String right) {
        int[] above = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int[] row = new int[right.length() + 1];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int replaced = above[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[right.length()];
    }
}

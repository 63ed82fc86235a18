package io.github.collapseexecutor.spring.boot.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Guesses which of the known names a user meant to type. */
public final class NearestName {

    private NearestName() {}

    /** Returns the known name that differs in the fewest letters, if that is at most a third of them; of two, the longer one. */
    private static Optional<String> misspelt(String typed, Collection<String> known) {
        String letters = lettersOf(typed);
        return known.stream()
                .min(Comparator.<String>comparingInt(name -> distance(letters, lettersOf(name)))
                        .thenComparing(Comparator.comparingInt(String::length).reversed()))
                .filter(name -> 3 * distance(letters, lettersOf(name))
                        <= lettersOf(name).length());
    }

    /** Returns the shortest known name that has all the typed words; none if there are two of that length. */
    private static Optional<String> shortened(String typed, Collection<String> known) {
        List<String> words = wordsOf(typed);
        List<String> longer = known.stream()
                .filter(name -> wordsOf(name).containsAll(words))
                .sorted(Comparator.comparingInt(name -> wordsOf(name).size()))
                .toList();
        boolean ambiguous = longer.size() > 1
                && wordsOf(longer.get(0)).size() == wordsOf(longer.get(1)).size();
        return ambiguous ? Optional.empty() : longer.stream().findFirst();
    }

    /** Returns {@code ; did you mean …?} for the end of a sentence, or nothing where no name is near. */
    public static String question(String typed, Collection<String> known) {
        return misspelt(typed, known)
                .or(() -> shortened(typed, known))
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
    }

    /** Whether a word is another one with at most two letters wrong, and at most a quarter of them. */
    public static boolean isNear(String typed, String known) {
        return distance(typed, known) <= Math.min(2, known.length() / 4);
    }

    /** The words of a name, be it written with dashes or in camel case. */
    private static List<String> wordsOf(String name) {
        return Pattern.compile("[^a-z0-9]+")
                .splitAsStream(name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** The letters and digits of a name, all of them small. */
    public static String lettersOf(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }

    /** Counts the letters to insert, to delete or to replace, and the neighbours to swap (Damerau and Levenshtein). */
    private static int distance(String left, String right) {
        int[][] rows = new int[left.length() + 1][right.length() + 1];
        for (int i = 0; i <= left.length(); i++) {
            for (int j = 0; j <= right.length(); j++) {
                rows[i][j] = i == 0 || j == 0 ? i + j : least(left, right, i, j, rows);
            }
        }
        return rows[left.length()][right.length()];
    }

    private static int least(String left, String right, int i, int j, int[][] rows) {
        boolean isSame = left.charAt(i - 1) == right.charAt(j - 1);
        int least = Math.min(rows[i - 1][j - 1] + (isSame ? 0 : 1), 1 + Math.min(rows[i - 1][j], rows[i][j - 1]));
        boolean isSwapped = i > 1
                && j > 1
                && left.charAt(i - 1) == right.charAt(j - 2)
                && left.charAt(i - 2) == right.charAt(j - 1);
        return isSwapped ? Math.min(least, rows[i - 2][j - 2] + 1) : least;
    }
}

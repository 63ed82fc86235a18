package io.github.collapseexecutor.jdbc;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the rows of a cell are like. */
enum MatrixRows {
    GOOD,
    WITH_NULLS,
    REPEATED,
    BAD,
    /** Values of another type in each row, and texts that a driver might quote wrongly. */
    ODD;

    private static final List<String> ODD_TEXTS = List.of(
            "",
            "'",
            "\\",
            "\\'",
            "\"",
            "?",
            "$1",
            ":a",
            "--",
            "/*",
            "`",
            "%",
            "{x}",
            "\n",
            "\0",
            "é",
            "\uD83D\uDE00",
            "\uD83D",
            ";");

    /** Rows of this prefix are in the table before. */
    static final String PRESENT = "p";

    static final int PRESENT_ROWS = 8;

    /**
     * Rows for a statement.
     *
     * @param ids the first id to be given by a row; no other cell has one near it
     */
    List<List<@Nullable Object>> of(MatrixStatement statement, int number, long ids, String prefix, Random random) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int row = 0; row < number; row++) {
            String tag = tag(statement, prefix, row, random);
            Object amount = amount(random);
            String parent = random.nextInt(3) == 0 ? null : prefix + random.nextInt(number); // perhaps of a later row
            Long id = random.nextBoolean() ? ids + 1000L * row : null;
            rows.add(statement.parameters().stream()
                    .map(parameter -> switch (parameter) {
                        case "id" -> id;
                        case "tag" -> tag;
                        case "parent" -> parent;
                        default -> amount;
                    })
                    .toList());
        }
        return rows;
    }

    private @Nullable String tag(MatrixStatement statement, String prefix, int row, Random random) {
        String present = PRESENT + random.nextInt(PRESENT_ROWS + 2);
        int choice = random.nextInt(4);
        return switch (this) {
            case GOOD, WITH_NULLS -> statement.changesRows() ? present : prefix + row;
            case REPEATED -> choice == 0 ? present : choice == 1 ? prefix + row / 2 : prefix + row;
            case BAD -> choice == 0 ? null : choice == 1 ? "longer than twenty characters" : prefix + row;
            case ODD ->
                statement.changesRows() ? present : ODD_TEXTS.get(random.nextInt(ODD_TEXTS.size())) + prefix + row;
        };
    }

    private @Nullable Object amount(Random random) {
        int choice = random.nextInt(3);
        int amount = random.nextInt(60);
        return switch (this) {
            case GOOD, REPEATED -> amount;
            case WITH_NULLS -> choice == 0 ? null : amount;
            case BAD -> choice == 0 ? (Object) 99_999_999_999L : amount + 40;
            case ODD ->
                List.<Function<Integer, Object>>of(
                                number -> number,
                                Integer::longValue,
                                Integer::shortValue,
                                Integer::byteValue,
                                number -> BigInteger.valueOf(number),
                                number -> BigDecimal.valueOf(number),
                                number -> new BigDecimal(number + ".50"),
                                number -> number + 0.25,
                                String::valueOf,
                                number -> number + " ",
                                number -> number % 2 == 0,
                                number -> String.valueOf(number).getBytes(StandardCharsets.UTF_8))
                        .get(random.nextInt(12))
                        .apply(amount);
        };
    }
}

package io.github.collapseexecutor.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * One set-up of the matrix.
 *
 * @param bySetter whether rows are given by a setter instead of as values
 * @param keys whether the generated key is asked for
 * @param increment the difference of two generated keys
 * @param commitInStatement whether a batch that is one statement is its own commit, where the database has such
 * @param setting what the table or the session is like beside the rule
 * @param pool what stands between the writer and the driver
 * @param remaking whether the table is another one for the second batch
 */
record MatrixCell(
        MatrixDriver driver,
        List<String> options,
        MatrixStatement statement,
        MatrixRule rule,
        MatrixRows rows,
        boolean bySetter,
        boolean keys,
        int increment,
        boolean commitInStatement,
        MatrixSetting setting,
        MatrixPool pool,
        MatrixRemaking remaking) {

    private static final int[] INCREMENTS = {1, 5};

    private static MatrixCell of(MatrixDriver driver, int[] choice) {
        return new MatrixCell(
                driver,
                driver.optionSets().get(choice[0]),
                List.of(MatrixStatement.values()).get(choice[1]),
                MatrixRule.of(driver.database).get(choice[2]),
                List.of(MatrixRows.values()).get(choice[3]),
                choice[4] == 1,
                choice[5] == 1,
                INCREMENTS[choice[6]],
                choice[7] == 1,
                MatrixSetting.of(driver.database).get(choice[8]),
                List.of(MatrixPool.values()).get(choice[9]),
                List.of(MatrixRemaking.values()).get(choice[10]));
    }

    private static int[] sizes(MatrixDriver driver) {
        return new int[] {
            driver.optionSets().size(),
            MatrixStatement.values().length,
            MatrixRule.of(driver.database).size(),
            MatrixRows.values().length,
            2,
            2,
            INCREMENTS.length,
            driver.database == Database.H2 ? 1 : 2,
            MatrixSetting.of(driver.database).size(),
            MatrixPool.values().length,
            MatrixRemaking.values().length
        };
    }

    private static int[] sizesInEachBuild(MatrixDriver driver) {
        int[] sizes = sizes(driver);
        sizes[1] = MatrixStatement.numberInEachBuild();
        sizes[2] = MatrixRule.numberInEachBuild(driver.database);
        sizes[8] = MatrixSetting.numberInEachBuild(driver.database);
        return sizes;
    }

    /** Whether a row by itself is told what one of a batch cannot be told: a constraint that the server of a foreign table looks at in the commit. */
    private boolean isLeftToTheDatabase() {
        return rule == MatrixRule.FOREIGN
                && (setting == MatrixSetting.DEFERRED || setting == MatrixSetting.DEFERRED_PARENT);
    }

    /** Every cell of a driver, each with one setting, pool and remaking: by chance, but always the same, in the same order. */
    static List<MatrixCell> all(MatrixDriver driver) {
        int[] sizes = sizes(driver);
        List<MatrixCell> cells = new ArrayList<>();
        int[] choice = new int[sizes.length];
        int last = sizes.length - 4;
        Random random = new Random(1);
        int place;
        do {
            for (int byChance = last + 1; byChance < sizes.length; byChance++) {
                choice[byChance] = random.nextInt(sizes[byChance]);
            }
            MatrixCell cell = of(driver, choice);
            if (!cell.isLeftToTheDatabase()) {
                cells.add(cell);
            }
            place = last;
            while (place >= 0 && ++choice[place] == sizes[place]) {
                choice[place--] = 0;
            }
        } while (place >= 0);
        Collections.shuffle(cells, random); // so that each part has some of everything
        return cells;
    }

    /** A cell in which something happens. */
    record Faulty(MatrixCell cell, MatrixFault fault) {}

    /** Each fault of a driver with each kind of rows, in turn with each set of its options, and other settings by chance. */
    static List<Faulty> withFaults(MatrixDriver driver, Random random) {
        int[] sizes = sizesInEachBuild(driver);
        List<Faulty> cells = new ArrayList<>();
        for (MatrixFault fault : MatrixFault.of(driver.database)) {
            for (int rows = 0; rows < sizes[3]; rows++) {
                cells.add(new Faulty(
                        of(driver, new int[] {
                            cells.size() % sizes[0],
                            random.nextInt(sizes[1]),
                            random.nextInt(sizes[2]),
                            rows,
                            random.nextInt(2),
                            random.nextInt(2),
                            0,
                            random.nextInt(sizes[7]),
                            random.nextInt(sizes[8]),
                            0,
                            0
                        }),
                        fault));
            }
        }
        return cells;
    }

    /** Each fault of a driver with each statement, each rule and each kind of rows, and other settings by chance. */
    static List<Faulty> withAllFaults(MatrixDriver driver, Random random) {
        List<Faulty> cells = new ArrayList<>();
        for (MatrixFault fault : MatrixFault.of(driver.database)) {
            for (MatrixCell cell : all(driver)) {
                if (cell.options().isEmpty()
                        && !cell.bySetter()
                        && !cell.keys()
                        && cell.increment() == 1) { // and each way to commit
                    cells.add(new Faulty(
                            new MatrixCell(
                                    driver,
                                    driver.optionSets()
                                            .get(random.nextInt(
                                                    driver.optionSets().size())),
                                    cell.statement(),
                                    cell.rule(),
                                    cell.rows(),
                                    random.nextBoolean(),
                                    random.nextBoolean(),
                                    1,
                                    cell.commitInStatement(),
                                    cell.setting(),
                                    cell.pool(),
                                    MatrixRemaking.NOT),
                            fault));
                }
            }
        }
        return cells;
    }

    /**
     * Cells of a driver in which each two values of any two of its dimensions meet, but for those of the long form. A fifth of them have a pool by
     * chance, and a tenth another table for the second batch: to make one takes longer than to write the rows.
     */
    static List<MatrixCell> pairwise(MatrixDriver driver, Random random) {
        int[] sizes = sizesInEachBuild(driver);
        int pool = sizes.length - 2;
        int remaking = sizes.length - 1;
        Set<List<Integer>> open = new HashSet<>();
        for (int one = 0; one < pool; one++) {
            for (int other = one + 1; other < pool; other++) {
                for (int value = 0; value < sizes[one] * sizes[other]; value++) {
                    open.add(List.of(one, value / sizes[other], other, value % sizes[other]));
                }
            }
        }
        List<MatrixCell> cells = new ArrayList<>();
        while (!open.isEmpty()) {
            int[] best = new int[0];
            Set<List<Integer>> met = Set.of();
            for (int attempt = 0; attempt < 30; attempt++) {
                List<Integer> first = open.iterator().next();
                int[] choice = random.ints(sizes.length, 0, Integer.MAX_VALUE).toArray();
                for (int place = 0; place < sizes.length; place++) {
                    choice[place] %= sizes[place];
                }
                choice[first.get(0)] = first.get(1);
                choice[first.get(2)] = first.get(3);
                Set<List<Integer>> pairs = new HashSet<>();
                for (int one = 0; one < sizes.length; one++) {
                    for (int other = one + 1; other < sizes.length; other++) {
                        List<Integer> pair = List.of(one, choice[one], other, choice[other]);
                        if (open.contains(pair)) {
                            pairs.add(pair);
                        }
                    }
                }
                if (pairs.size() > met.size()) {
                    best = choice;
                    met = pairs;
                }
            }
            open.removeAll(met);
            best[pool] = cells.size() % 5 == 0 ? random.nextInt(sizes[pool]) : 0;
            best[remaking] = cells.size() % 10 == 2 ? random.nextInt(sizes[remaking]) : 0;
            cells.add(of(driver, best));
        }
        return cells;
    }
}

package io.github.collapseexecutor.report;

import java.nio.file.Path;

/**
 * What the report is told on its command line.
 *
 * @param form {@code --form=short} or {@code full}, the default
 * @param parts {@code --parts=}, names with commas between them, or {@code all}, the default
 * @param samples {@code --samples=}, the folder of the samples; by default that above
 * @param out {@code --out=}, the folder that the page goes to; by default {@code target/report}
 */
record ReportOptions(Form form, String parts, Path samples, Path out) {

    /**
     * Reads the arguments of a command line.
     *
     * @throws IllegalArgumentException if one is unknown, or has a value that it cannot have
     */
    static ReportOptions parse(String... arguments) {
        Form form = Form.FULL;
        String parts = "all";
        Path samples = Path.of("..");
        Path out = Path.of("target", "report");
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            String value = argument.substring(equals + 1);
            switch (equals < 0 ? argument : argument.substring(0, equals)) {
                case "--form" -> form = Form.of(value);
                case "--parts" -> parts = value;
                case "--samples" -> samples = Path.of(value);
                case "--out" -> out = Path.of(value);
                default ->
                    throw new IllegalArgumentException("\"" + argument
                            + "\" is no argument: there are --form=short or full, --parts=all or names with commas between"
                            + " them, --samples= and --out=");
            }
        }
        return new ReportOptions(form, parts, samples, out);
    }
}

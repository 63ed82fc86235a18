package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody gets who puts the core, and nothing else, on the module path. */
class ModuleTests {

    private static final String DESCRIPTOR = "module consumer { requires io.github.collapseexecutor.core; }";

    private static final String PROGRAM = """
            package consumer;

            import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
            import io.github.collapseexecutor.core.Bundle;
            import io.github.collapseexecutor.core.CollapseExecutorBlockingSupport;
            import io.github.collapseexecutor.core.Input;
            import java.util.Collection;
            import java.util.List;

            public final class Program extends CollapseExecutorBlockingSupport<String, String, String> {

                @Override
                protected String doExecute(Collection<Input<String>> inputs) {
                    return "answer";
                }

                @Override
                protected void bindingOutput(String output, List<Bundle<String, String>> bundles) {
                    bundles.forEach(bundle -> bundle.bindOutput(output + " to " + bundle.getInput()));
                }

                public static void main(String[] arguments) throws Exception {
                    BlockingCallableGroupCollapseExecutor calls = new BlockingCallableGroupCollapseExecutor();
                    System.out.print(calls.<String>execute("group", () -> new Program().execute("a module")));
                }
            }
            """;

    @TempDir
    Path folder;

    private static Path core() throws URISyntaxException {
        return Path.of(CollapseOptions.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    private String run(String tool, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + tool);
        command.addAll(List.of(arguments));
        Path output = folder.resolve(tool + ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(output);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    @Test
    void aNamedModuleThatRequiresTheCoreAloneCompilesWithoutAWarningAndRuns() throws Exception {
        Path descriptor = Files.writeString(folder.resolve("module-info.java"), DESCRIPTOR);
        Path program = Files.writeString(folder.resolve("Program.java"), PROGRAM);
        Path classes = folder.resolve("classes");
        String warnings = run(
                "javac",
                "-Xlint:all",
                "-Werror",
                "--module-path",
                core().toString(),
                "-d",
                classes.toString(),
                descriptor.toString(),
                program.toString());
        assertThat(warnings).isEmpty();
        String printed = run(
                "java",
                "--module-path",
                core() + File.pathSeparator + classes,
                "--module",
                "consumer/consumer.Program");
        assertThat(printed).isEqualTo("answer to a module");
    }

    @Test
    void theJarHoldsTheLicenseAndTheNotice() throws Exception {
        Path texts = core().resolve("META-INF");
        assertThat(texts.resolve("LICENSE")).content().contains("Apache License");
        assertThat(texts.resolve("NOTICE")).content().startsWith("collapse-executor\n");
    }
}

package io.github.collapseexecutor.spring.boot.writes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.jdbc.WriteOptions;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Each property of a writer becomes the option of the same name. */
class WriterOptionsReaderTests {

    static Stream<String> options() {
        return Stream.of(CollapseExecutorProperties.Writer.class.getRecordComponents())
                .map(RecordComponent::getName)
                .filter(name -> !name.equals("dataSource")); // which is no option of the writer
    }

    @ParameterizedTest
    @MethodSource("options")
    void propertyOfAWriterIsItsOption(String name) throws ReflectiveOperationException {
        Object before = WriteOptions.class.getMethod(name).invoke(WriteOptions.defaults());
        String property = name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        CollapseExecutorProperties properties = new Binder(new MapConfigurationPropertySource(
                        Map.of("collapse.executor.writers.orders." + property, another(name, before))))
                .bind("collapse.executor", CollapseExecutorProperties.class)
                .get();
        WriteOptions options = new WriterOptionsReader(properties).of("orders").build();
        assertThat(WriteOptions.class.getMethod(name).invoke(options)).isNotEqualTo(before);
    }

    private static Object another(String name, Object before) {
        if (name.equals("inTransaction")) {
            return "after-commit";
        }
        if (before instanceof Boolean is) {
            return !is;
        }
        return before == null || before instanceof Duration ? "77s" : 7;
    }
}

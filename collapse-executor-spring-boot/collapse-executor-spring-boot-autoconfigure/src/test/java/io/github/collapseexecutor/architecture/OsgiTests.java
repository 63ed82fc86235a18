package io.github.collapseexecutor.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** The jars as bundles of a real OSGi framework, in which nothing else is installed. */
@OnEachJdk
class OsgiTests {

    @TempDir
    Path folder;

    private Framework framework;

    @BeforeEach
    void start() throws BundleException {
        framework = ServiceLoader.load(FrameworkFactory.class)
                .findFirst()
                .orElseThrow()
                .newFramework(Map.of(
                        Constants.FRAMEWORK_STORAGE, folder.resolve("bundles").toString()));
        framework.start();
    }

    @AfterEach
    void stop() throws Exception {
        framework.stop();
        framework.waitForStop(TimeUnit.SECONDS.toMillis(30));
    }

    private Bundle install(Class<?> type, String name) throws BundleException {
        Path jar = PackedJar.of(type, folder.resolve(name));
        return framework.getBundleContext().installBundle(jar.toUri().toString());
    }

    private Bundle core() throws BundleException {
        return install(BlockingCallableGroupCollapseExecutor.class, "core.jar");
    }

    private Bundle http() throws BundleException {
        return install(HttpCollapseOptions.class, "http.jar");
    }

    @Test
    void coreNeedsNoOtherBundle() throws Exception {
        Bundle core = core();
        core.start();
        assertThat(core.getState()).isEqualTo(Bundle.ACTIVE);
        assertThat(core.getSymbolicName()).isEqualTo("io.github.collapseexecutor.core");
        Class<?> type = core.loadClass(BlockingCallableGroupCollapseExecutor.class.getName());
        Object executor = type.getConstructor().newInstance();
        Callable<String> call = () -> "answer";
        assertThat(type.getMethod("execute", Object.class, Callable.class).invoke(executor, "group", call))
                .isEqualTo("answer");
    }

    @Test
    void httpNeedsTheCoreOnly() throws Exception {
        Bundle core = core();
        Bundle http = http();
        http.start();
        assertThat(http.getState()).isEqualTo(Bundle.ACTIVE);
        Class<?> type = http.loadClass(HttpCollapseOptions.class.getName());
        assertThat(type.getMethod("forPaths", String[].class).invoke(null, (Object) new String[] {"/user/*"}))
                .isNotNull();
        assertThat(http.loadClass(BlockingCallableGroupCollapseExecutor.class.getName()))
                .isSameAs(core.loadClass(BlockingCallableGroupCollapseExecutor.class.getName()));
    }

    @Test
    void rowsAndAnnotationsNeedTheCoreOnly() throws Exception {
        Bundle rows = install(GroupCommit.class, "jdbc.jar");
        Bundle annotations = install(Collapsible.class, "spring.jar");
        core();
        rows.start();
        annotations.start();
        assertThat(rows.getState()).isEqualTo(Bundle.ACTIVE);
        assertThat(annotations.getState()).isEqualTo(Bundle.ACTIVE);
    }

    @Test
    void httpDoesNotResolveWithoutTheCore() throws Exception {
        Bundle http = http();
        assertThatThrownBy(http::start)
                .isInstanceOf(BundleException.class)
                .hasMessageContaining("io.github.collapseexecutor.core");
    }
}

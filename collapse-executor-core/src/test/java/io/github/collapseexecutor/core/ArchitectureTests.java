package io.github.collapseexecutor.core;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The core stands on the JDK alone, in one flat package, and is closed for extension but where it invites it. */
class ArchitectureTests {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.github.collapseexecutor.core");

    @Test
    void theCoreNeedsNothingButTheJdk() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java.lang..",
                        "java.util..",
                        "java.time..",
                        "java.nio.channels..",
                        "java.security..",
                        "io.github.collapseexecutor.core",
                        "org.jspecify.annotations"))
                .check(CORE);
    }

    @Test
    void publicClassesAreFinalOrMadeForExtension() {
        classes()
                .that()
                .arePublic()
                .and()
                .areNotInterfaces()
                .should()
                .haveModifier(JavaModifier.FINAL)
                .orShould()
                .haveSimpleNameEndingWith("Support")
                .check(CORE);
    }

    @Test
    void nothingCanBeSetButTheExecutor() {
        methods()
                .that()
                .arePublic()
                .and()
                .haveNameMatching("set[A-Z].*")
                .should()
                .haveName("setExecutor")
                .check(CORE);
        fields().that().arePublic().should().beFinal().check(CORE);
    }

    @Test
    void theCoreDoesNotLogOrPrint() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .orShould()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(CORE);
    }

    @Test
    void onlyTheSystemsTimeReadsTheClockAndWaits() {
        noClasses()
                .that()
                .doNotHaveSimpleName("SystemScheduler")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(java.util.concurrent.locks.LockSupport.class, "park", Object.class)
                .orShould()
                .callMethod(java.util.concurrent.locks.LockSupport.class, "parkNanos", Object.class, long.class)
                .check(CORE);
    }
}

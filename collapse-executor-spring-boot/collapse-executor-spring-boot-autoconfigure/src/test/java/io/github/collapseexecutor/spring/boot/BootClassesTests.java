package io.github.collapseexecutor.spring.boot;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.collapseexecutor.architecture.LibraryClasses;
import io.github.collapseexecutor.gate.OnEachJdk;
import org.junit.jupiter.api.Test;

/** One class file serves Boot 3.5 and 4.x: it names only what did not move between them. */
@OnEachJdk
class BootClassesTests {

    private static final String PACKAGE = "io.github.collapseexecutor.spring.boot";

    private static final JavaClasses MAIN =
            new ClassFileImporter().withImportOption(new LibraryClasses()).importPackages(PACKAGE);

    @Test
    void ofBootOnlyPackagesThatDidNotMoveAreUsed() {
        DescribedPredicate<JavaClass> unmoved = resideInAnyPackage(
                "org.springframework.boot.actuate.autoconfigure.endpoint.condition",
                "org.springframework.boot.actuate.endpoint..",
                "org.springframework.boot.autoconfigure",
                "org.springframework.boot.autoconfigure.condition",
                "org.springframework.boot.context.properties..",
                "org.springframework.boot.convert",
                "org.springframework.boot.diagnostics",
                "org.springframework.boot.jdbc",
                "org.springframework.boot.origin",
                "org.springframework.boot.sql.init.dependency",
                "org.springframework.boot.web.servlet");
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("org.springframework.boot..")
                        .and(DescribedPredicate.not(unmoved))
                        .and(DescribedPredicate.not(nameMatching(
                                "org\\.springframework\\.boot\\.web\\.server\\.WebServerFactory(Customizer)?"))))
                .check(MAIN);
    }

    @Test
    void onlyTheAutoConfigurationsAndWhatApplicationsCallArePublic() {
        classes()
                .that()
                .resideInAnyPackage(PACKAGE, PACKAGE + ".writes", PACKAGE + ".observe", PACKAGE + ".endpoint")
                .and()
                .haveSimpleNameNotEndingWith("AutoConfiguration")
                .and()
                .doNotHaveSimpleName("CollapseControl")
                .and()
                .doNotHaveSimpleName("CollapseMeters")
                .and()
                .doNotHaveSimpleName("WriteMeters")
                .and()
                .doNotHaveSimpleName("NamedExecutors")
                .and()
                .doNotHaveSimpleName("NamedWriters")
                .and()
                .doNotHaveSimpleName("CollapseSections")
                .and()
                .doNotHaveSimpleName("BatchContext")
                .and()
                .doNotHaveSimpleName("CallContext")
                .and()
                .doNotHaveSimpleName("ObservedBatches")
                .and()
                .doNotHaveSimpleName("PropagatedContext")
                .and()
                .doNotHaveSimpleName("package-info")
                .should()
                .notBePublic()
                .check(MAIN);
        classes()
                .that()
                .arePublic()
                .and()
                .areNotInterfaces()
                .should()
                .haveModifier(JavaModifier.FINAL)
                .check(MAIN);
    }
}

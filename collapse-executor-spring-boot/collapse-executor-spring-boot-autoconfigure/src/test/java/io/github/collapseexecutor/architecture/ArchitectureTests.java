package io.github.collapseexecutor.architecture;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.github.collapseexecutor.gate.OnEachJdk;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.util.MultiValueMap;

/** Dependencies point one way, the rules know no framework, and one class file serves Spring Framework 6.2 and 7.0. */
@OnEachJdk
class ArchitectureTests {

    private static final String ROOT = "io.github.collapseexecutor";

    /** The rules of HTTP and the calls that follow them, without the adapters: from what knows none of the others to what knows all. */
    private static final String[] HTTP = {
        ROOT + ".http.message", ROOT + ".http", ROOT + ".http.rules", ROOT + ".http.dryrun", ROOT + ".http.call"
    };

    /** What the adapters use of all that. */
    private static final String[] HTTP_INSIDE = {
        ROOT + ".http.message", ROOT + ".http.rules", ROOT + ".http.dryrun", ROOT + ".http.call", ROOT + ".http.spring"
    };

    private static final JavaClasses MAIN =
            new ClassFileImporter().withImportOption(new LibraryClasses()).importPackages(ROOT);

    private static final JavaClasses CALLER = new ClassFileImporter().importClasses(Caller.class);

    /** What HttpHeaders has with the same descriptor in 6.2, where it is a Map, and in 7.0, where it is none. */
    private static final Set<String> SAFE_ON_BOTH = Set.of(
            "getFirst",
            "add",
            "set",
            "putIfAbsent",
            "forEach",
            "headerSet",
            "readOnlyHttpHeaders",
            "getValuesAsList",
            "toSingleValueMap",
            "isEmpty",
            "size",
            "clear");

    @Test
    void theRulesKnowTheJdkAndTheCoreOnly() {
        classes()
                .that()
                .resideInAnyPackage(HTTP)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(HTTP)
                        .or(resideInAnyPackage("java..", "org.jspecify.annotations", ROOT + ".core")))
                .check(MAIN);
    }

    /** Each may use those named before it. */
    @Test
    void packagesOfHttpUseThoseBelowOnly() {
        for (int i = 0; i < HTTP.length; i++) {
            String[] above = Arrays.copyOfRange(HTTP, i + 1, HTTP.length);
            noClasses()
                    .that()
                    .resideInAPackage(HTTP[i])
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(above))
                    .check(MAIN);
        }
    }

    /** What is public there for these packages and the adapters, and for nobody else. */
    @Test
    void onlyAdaptersUseTheRulesAndTheCalls() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".http..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(HTTP_INSIDE))
                .check(MAIN);
    }

    /** Threads, connections and texts know nothing of writes; and what is public there is for writes and sequences only. */
    @Test
    void writesUseThePackagesBelowThemAndNobodyElseDoes() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".jdbc.(*)")
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT + ".jdbc"))
                .check(MAIN);
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".jdbc..")
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT + ".jdbc.(*)"))
                .check(MAIN);
    }

    /** So that a reader sees what there is. */
    @Test
    void packagesOfHttpAndOfWritesAreSmall() {
        Map<String, Long> sizes = MAIN.that(resideInAnyPackage(ROOT + ".http..", ROOT + ".jdbc..")).stream()
                .filter(JavaClass::isTopLevelClass)
                .collect(groupingBy(JavaClass::getPackageName, counting()));
        assertThat(sizes)
                .hasSizeGreaterThan(15)
                .allSatisfy((name, size) -> assertThat(size).isLessThanOrEqualTo(40));
    }

    @Test
    void noTwoClassesHaveOneName() {
        Map<String, List<String>> named = MAIN.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(groupingBy(JavaClass::getSimpleName, TreeMap::new, mapping(JavaClass::getName, toList())));
        named.values().removeIf(types -> types.size() == 1);
        assertThat(named).isEmpty();
    }

    @Test
    void sequencesKnowTheJdkAndTheCoreOnly() {
        classes()
                .that()
                .resideInAPackage(ROOT + ".sequence")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java..", "javax.sql..", "org.jspecify.annotations", ROOT + ".sequence", ROOT + ".core"))
                .check(MAIN);
    }

    @Test
    void reactiveExecutorsKnowTheCoreAndReactorOnlyButForTheUserOfAThread() {
        classes()
                .that()
                .resideInAPackage(ROOT + ".reactor")
                .and()
                .haveNameNotMatching(".*UserlessThread.*")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java..", "org.jspecify.annotations", "reactor..", ROOT + ".reactor", ROOT + ".core"))
                .check(MAIN);
    }

    @Test
    void theClusterKnowsTheCoreTheRulesOfHttpAndSpringDataRedisOnly() {
        classes()
                .that()
                .resideInAPackage(ROOT + ".cluster")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java..",
                        "javax.crypto..",
                        "org.jspecify.annotations",
                        "org.springframework.data.redis.connection",
                        "org.reactivestreams",
                        "reactor.core..",
                        ROOT + ".cluster",
                        ROOT + ".http",
                        ROOT + ".core"))
                .check(MAIN);
    }

    @Test
    void adaptersKnowNothingOfSpringBootNorOfOneAnother() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".http..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.springframework.boot..", ROOT + ".spring.."))
                .check(MAIN);
        slices().matching(ROOT + ".http.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(DescribedPredicate.alwaysTrue(), resideInAnyPackage(HTTP_INSIDE))
                .check(MAIN);
    }

    @Test
    void adaptersForUseWithoutSpringKnowNothingOfIt() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        ROOT + ".http.feign..",
                        ROOT + ".http.hc5..",
                        ROOT + ".http.jdk..",
                        ROOT + ".http.okhttp..",
                        ROOT + ".http.servlet..")
                .should()
                .dependOnClassesThat(resideInAPackage("org.springframework.."))
                .check(MAIN);
    }

    @Test
    void theCoreKnowsNothingOfTheOtherModules() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".core..")
                .should()
                .dependOnClassesThat(
                        resideInAPackage(ROOT + "..").and(DescribedPredicate.not(resideInAPackage(ROOT + ".core.."))))
                .check(MAIN);
    }

    /** A thread that inherits keeps the first application's class loader while later ones use the library. */
    @Test
    void threadsAreMadeInOnePlace() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".core")
                .and()
                .doNotHaveSimpleName("CloseAtShutdown") // its thread starts when all others end
                .should()
                .callConstructorWhere(target(owner(assignableTo(Thread.class)))
                        .or(target(owner(assignableTo(ExecutorService.class)))))
                .orShould()
                .callMethodWhere(target(owner(type(Executors.class))))
                .orShould()
                .callMethodWhere(target(nameMatching("(orTimeout|completeOnTimeout|delayedExecutor)")))
                .check(MAIN);
    }

    @Test
    void noPackagesFormACycle() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(MAIN);
    }

    /** A reader looks at a folder as a whole. The core is one idea, with more hidden types than public ones. */
    @Test
    void noPackageButTheCoreHasMoreThan45Files() throws IOException {
        Map<String, Integer> files = new TreeMap<>();
        Path project = Path.of("..", "..").toAbsolutePath().normalize();
        try (Stream<Path> sources = Files.walk(project)) {
            sources.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains(Path.of("src", "main", "java") + File.separator))
                    .forEach(file ->
                            files.merge(project.relativize(file.getParent()).toString(), 1, Integer::sum));
        }
        assertThat(files).hasSizeGreaterThan(30);
        files.keySet()
                .removeIf(folder ->
                        folder.endsWith(Path.of("collapseexecutor", "core").toString()));
        files.values().removeIf(count -> count <= 45);
        assertThat(files).isEmpty();
    }

    @Test
    void roomsOfSpringBootDependOneWay() {
        checkOneWay(
                ROOT + ".spring.boot",
                List.of(
                        ".config",
                        ".registry",
                        ".cluster",
                        ".client",
                        ".server",
                        ".report",
                        "",
                        ".observe",
                        ".writes",
                        ".endpoint"));
    }

    @Test
    void roomsOfAnnotationsDependOneWay() {
        checkOneWay(ROOT + ".spring.annotation", List.of("", ".key", ".caller", ".method", ".config"));
    }

    /** Each package may use those before it only. */
    private static void checkOneWay(String module, List<String> rooms) {
        List<String> packages = rooms.stream().map(module::concat).toList();
        for (int i = 0; i + 1 < packages.size(); i++) {
            noClasses()
                    .that()
                    .resideInAPackage(packages.get(i))
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(
                            packages.subList(i + 1, packages.size()).toArray(String[]::new)))
                    .check(MAIN);
        }
    }

    @Test
    void ofHttpHeadersOnlyWhatBothSpringsHaveIsCalled() {
        classes().should(callOnlyWhatBothSpringsHaveOf(HttpHeaders.class)).check(MAIN);
    }

    @Test
    void aCallThatFailsOnOneSpringIsNoticed() {
        List<String> found = classes()
                .should(callOnlyWhatBothSpringsHaveOf(Headers.class))
                .evaluate(CALLER)
                .getFailureReport()
                .getDetails();
        assertThat(found)
                .hasSize(7)
                .anyMatch(call -> call.contains("addAll("))
                .anyMatch(call -> call.contains("remove("))
                .anyMatch(call -> call.contains("containsKey("))
                .anyMatch(call -> call.contains("get("))
                .anyMatch(call -> call.contains("keySet("))
                .anyMatch(call -> call.contains("entrySet("))
                .anyMatch(call -> call.contains("<init>(" + Headers.class.getName()));
    }

    private static ArchCondition<JavaClass> callOnlyWhatBothSpringsHaveOf(Class<?> headers) {
        return new ArchCondition<>("call only what HttpHeaders has in Spring Framework 6.2 and 7.0") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (JavaCodeUnitAccess<?> access : type.getCodeUnitAccessesFromSelf()) {
                    if (access.getTargetOwner().isEquivalentTo(headers) && !isSafe(access)) {
                        events.add(SimpleConditionEvent.violated(type, access.getDescription()));
                    }
                }
            }
        };
    }

    private static boolean isSafe(JavaCodeUnitAccess<?> access) {
        String name = access.getTarget().getName();
        List<String> parameters = access.getTarget().getRawParameterTypes().stream()
                .map(JavaType::getName)
                .toList();
        boolean typedAccessor =
                name.matches("[gs]et[A-Z].*") && !name.equals("getOrEmpty") && !name.equals("getOrDefault");
        boolean namedList = Set.of("put", "addAll").contains(name)
                && parameters.equals(List.of(String.class.getName(), List.class.getName()));
        boolean emptyHeaders = name.equals("<init>") && parameters.isEmpty();
        // Both have a constructor of a MultiValueMap, but HttpHeaders is one on Spring 6.2 only.
        boolean ofOwnMap = name.equals("<init>")
                && access.getOriginOwner().getSimpleName().equals("NotedHeaders")
                && parameters.equals(List.of(MultiValueMap.class.getName()));
        return SAFE_ON_BOTH.contains(name) || typedAccessor || namedList || emptyHeaders || ofOwnMap;
    }

    /** Shows that the rule finds what it looks for, without the methods that would not compile against Spring 7. */
    static final class Headers extends LinkedHashMap<String, List<String>> {
        private static final long serialVersionUID = 1L;

        Headers() {}

        Headers(Headers other) {
            super(other);
        }

        void addAll(Headers other) {
            putAll(other);
        }
    }

    /** Never run. */
    static final class Caller {
        private Caller() {}

        static boolean call(Headers headers) {
            Headers copy = new Headers();
            copy.addAll(new Headers(headers));
            copy.forEach((name, values) -> {});
            copy.remove("X");
            return copy.containsKey("X")
                    || copy.get("X") == null
                    || copy.keySet().isEmpty()
                    || copy.entrySet().isEmpty();
        }
    }
}

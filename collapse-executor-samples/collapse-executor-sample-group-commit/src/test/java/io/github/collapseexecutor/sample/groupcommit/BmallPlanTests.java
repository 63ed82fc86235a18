package io.github.collapseexecutor.sample.groupcommit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The plan for JMeter fits the shop. */
class BmallPlanTests {

    private static final Pattern PROPERTY = Pattern.compile("\\$\\{__P\\(([^,]+),([^)]*)\\)}");
    private static final Pattern RANDOM = Pattern.compile("\\$\\{__Random\\(([0-9]+),([0-9]+),[a-z_]+\\)}");

    private static Document plan;

    @BeforeAll
    static void parse() throws Exception {
        plan = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File("bmall.jmx"));
    }

    /** Its figures are those of the experiment. */
    @ParameterizedTest
    @CsvSource({
        "ThreadGroup.num_threads, 500",
        "ThreadGroup.ramp_time, 250",
        "LoopController.loops, 800",
        "HTTPSampler.domain, localhost",
        "HTTPSampler.port, 8900",
        "HTTPSampler.method, POST",
        "HTTPSampler.path, /order/submit",
        "Assertion.test_field, Assertion.response_code",
    })
    void planHasTheFiguresOfTheExperiment(String property, String value) throws Exception {
        assertThat(resolved(text("//stringProp[@name='" + property + "']"))).isEqualTo(value);
    }

    @Test
    void answersOtherThan200AreErrors() throws Exception {
        assertThat(text("//ResponseAssertion/collectionProp/stringProp")).isEqualTo("200");
        assertThat(text("//ResponseAssertion/intProp[@name='Assertion.test_type']"))
                .isEqualTo("8"); // equals
        assertThat(text("//ResponseAssertion/@enabled")).isEqualTo("true");
    }

    @Test
    void portIsThatOfTheProfile() throws Exception {
        StandardEnvironment environment = new StandardEnvironment();
        ConfigDataEnvironmentPostProcessor.applyTo(environment, null, null, "bmall");
        assertThat(environment.getProperty("server.port"))
                .isEqualTo(resolved(text("//stringProp[@name='HTTPSampler.port']")));
    }

    @Test
    void shopTakesTheOrderOfThePlanMoreOftenThanBmallHasPieces() throws Exception {
        try (ConfigurableApplicationContext application = SpringApplication.run(
                GroupCommitSampleApplication.class,
                "--server.port=0",
                "--spring.profiles.active=bmall",
                "--spring.datasource.url=jdbc:h2:mem:bmall")) {
            String port = application.getEnvironment().getRequiredProperty("local.server.port");
            URI address =
                    URI.create("http://localhost:" + port + resolved(text("//stringProp[@name='HTTPSampler.path']")));
            HttpRequest order = HttpRequest.newBuilder(address)
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(BodyPublishers.ofString(form()))
                    .build();
            HttpClient jmeter = HttpClient.newHttpClient();
            for (int i = 0; i < 11; i++) {
                HttpResponse<String> answer = jmeter.send(order, BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(200);
            }
            assertThat(application.getBean(Shop.class).sold()).isEqualTo(11);
        }
    }

    /** The parameters as JMeter sends them, of the first of the random numbers. */
    private static String form() throws Exception {
        NodeList arguments =
                (NodeList) xpath().evaluate("//elementProp[@elementType='HTTPArgument']", plan, XPathConstants.NODESET);
        List<String> parameters = new ArrayList<>();
        for (int i = 0; i < arguments.getLength(); i++) {
            String name = xpath().evaluate("stringProp[@name='Argument.name']", arguments.item(i));
            String value = xpath().evaluate("stringProp[@name='Argument.value']", arguments.item(i));
            Matcher random = RANDOM.matcher(value);
            if (random.matches()) {
                assertThat(random.group(1)).isEqualTo(String.valueOf(Shop.FIRST_GOODS));
                assertThat(random.group(2)).isEqualTo(String.valueOf(Shop.LAST_GOODS));
                value = random.group(1);
            }
            parameters.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
        }
        assertThat(parameters).hasSize(3);
        return String.join("&", parameters);
    }

    /** What JMeter makes of a value where no property is given to it. */
    private static String resolved(String value) {
        return PROPERTY.matcher(value).replaceAll("$2");
    }

    private static String text(String path) throws Exception {
        return xpath().evaluate(path, plan);
    }

    private static XPath xpath() {
        return XPathFactory.newInstance().newXPath();
    }
}

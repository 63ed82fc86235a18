package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.lab.LabStep.What;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;

/**
 * The origin of a set-up, byte by byte. Its answers follow from the requests, but for a serial number with each response that is for
 * one caller only.
 */
final class OriginHandler {

    private static final AtomicLong SERIALS = new AtomicLong();

    // immutable
    private final LabSetup setup;

    OriginHandler(LabSetup setup) {
        this.setup = setup;
    }

    /** The steps behind so many redirects, up to the next. */
    private List<LabStep> stepsBehind(int redirects) {
        List<LabStep> steps = new ArrayList<>();
        int passed = 0;
        for (LabStep step : setup.handler().steps()) {
            if (passed == redirects) {
                steps.add(step);
            }
            if (step.what() == What.REDIRECT) {
                passed++;
            }
        }
        return steps;
    }

    private static LabStep.Values valuesOf(OriginRequest request) {
        return name -> switch (name) {
            case "user" -> shown(request.header("X-User"));
            case "query" -> shown(request.query().replaceAll("&?s=serial.*", ""));
            case "q" -> shown(request.query().replaceAll("^(?!q=).*|&.*|q=", ""));
            case "language" -> shown(request.header("Accept-Language"));
            case "token" -> shown(request.header("Authorization"));
            case "method" -> request.method();
            default -> "none";
        };
    }

    private static String shown(Object value) {
        return Objects.toString(value, "none").replaceAll("[^\\w=&;-]", ".");
    }

    /** @param next the path to which a redirect leads */
    OriginResponse answer(OriginRequest request, String next, int redirects, BiFunction<String, String, URI> uris) {
        OriginResponse response = new OriginResponse();
        for (LabStep step : stepsBehind(redirects)) {
            boolean goesOn = response.take(step, step.textFor(valuesOf(request)), request);
            if (step.what() == What.REDIRECT) {
                redirect(response, step, request, next, uris);
            }
            if (!goesOn) {
                break;
            }
        }
        String serial = request.query().replaceAll(".*s=(serial-\\d+).*", "$1");
        if (serial.startsWith("serial-")) {
            response.add("X-Ticket", serial);
        }
        if (response.isForOneOnly(setup.policy())) {
            response.add("X-Serial", serial());
        }
        return response;
    }

    private static String serial() {
        return "serial-%09d".formatted(SERIALS.incrementAndGet());
    }

    private void redirect(
            OriginResponse response,
            LabStep step,
            OriginRequest request,
            String next,
            BiFunction<String, String, URI> uris) {
        response.status = Integer.parseInt(step.name());
        boolean queriesCount = setup.policy().usable().contains("query");
        String query = queriesCount ? request.query() : "";
        String location = next + (query.isEmpty() ? "" : "?" + query);
        boolean freshness = response.headers.stream()
                .anyMatch(header -> List.of("cache-control", "expires")
                        .contains(header.getKey().toLowerCase(Locale.ROOT)));
        boolean passing = List.of("302", "303", "307").contains(step.name()) && !freshness;
        if (queriesCount && (passing || response.isForOneOnly(setup.policy()))) {
            location += (query.isEmpty() ? "?" : "&") + "s=" + serial();
        }
        response.headers.removeIf(header -> header.getKey().equals("Location"));
        response.add(
                "Location",
                step.text().isEmpty()
                        ? location
                        : uris.apply(step.text(), location).toString());
    }
}

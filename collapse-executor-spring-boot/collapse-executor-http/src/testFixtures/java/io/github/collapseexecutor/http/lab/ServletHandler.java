package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.lab.LabHandler.Kind;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Does what a handler of the lab does, by the Servlet API alone. */
final class ServletHandler {

    /** The request attribute that says that half of the steps are done when the request is dispatched. */
    private static final String HALF = "lab.half";

    // immutable
    private final LabHandler handler;
    private final Executor threads;

    ServletHandler(LabHandler handler, Executor threads) {
        this.handler = handler;
        this.threads = threads;
    }

    static LabStep.Values valuesOf(HttpServletRequest request) {
        return name -> switch (name) {
            case "user" -> shown(request.getHeader("X-User"));
            case "query" -> shown(request.getQueryString());
            case "q" -> shown(request.getParameter("q"));
            case "language" -> shown(request.getHeader("Accept-Language"));
            case "token" -> shown(request.getHeader("Authorization"));
            case "added" -> shown(request.getHeader(ServletParts.ADDED));
            case "attribute" -> shown(request.getAttribute(ServletParts.ATTRIBUTE));
            case "method" -> request.getMethod();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static String shown(Object value) {
        return Objects.toString(value, "none").replaceAll("[^\\w=&;-]", ".");
    }

    void service(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        CompletableFuture<?> gathered = (CompletableFuture<?>) request.getAttribute(MvcHandler.GATHERED);
        List<LabStep> steps = handler.steps();
        int half = steps.size() / 2;
        if (request.getAttribute(HALF) != null) {
            run(steps.subList(half, steps.size()), request, response);
            return;
        }
        if (handler.kind() == Kind.DIRECT) {
            gathered.join();
            LabPauses.maybe();
            run(steps, request, response);
            return;
        }
        LabPauses.maybe();
        if (handler.kind() == Kind.IN_TWO_PARTS) {
            request.setAttribute(HALF, true);
        }
        AsyncContext context = half % 2 == 0 ? request.startAsync() : request.startAsync(request, response);
        HttpServletRequest later = (HttpServletRequest) context.getRequest();
        HttpServletResponse laterResponse = (HttpServletResponse) context.getResponse();
        LabTurns turns = new LabTurns();
        context.addListener(turns);
        CompletableFuture<?> unused = gathered.thenRunAsync(
                () -> {
                    LabPauses.maybe();
                    switch (handler.kind()) {
                        case LATER -> {
                            tryToRun(steps, later, laterResponse, turns);
                            LabPauses.maybe();
                            take(turns, context::complete);
                        }
                        case IN_TWO_PARTS -> {
                            tryToRun(steps.subList(0, half), later, laterResponse, turns);
                            LabPauses.maybe();
                            take(turns, context::dispatch);
                        }
                        default -> {
                            List<LabStep> head = steps.stream()
                                    .filter(step -> !step.writes() && isOfHead(step))
                                    .toList();
                            tryToRun(head, later, laterResponse, turns);
                            take(turns, () -> writeWithoutBlocking(steps, later, laterResponse, context));
                        }
                    }
                },
                threads);
        LabPauses.maybe();
    }

    private static void take(LabTurns turns, Runnable action) {
        if (turns.begin()) {
            try {
                action.run();
            } finally {
                turns.end();
            }
        }
    }

    /** A thread of the application's own has nobody to throw to: it answers by itself, as applications do. */
    private static void tryToRun(
            List<LabStep> steps, HttpServletRequest request, HttpServletResponse response, LabTurns turns) {
        try {
            run(steps, request, response, turns);
        } catch (Exception failure) {
            take(turns, () -> {
                if (!response.isCommitted()) {
                    response.setStatus(500);
                }
            });
        }
    }

    private static void writeWithoutBlocking(
            List<LabStep> steps, HttpServletRequest request, HttpServletResponse response, AsyncContext context) {
        List<LabStep> texts = steps.stream().filter(LabStep::writes).toList();
        try {
            ServletOutputStream out = response.getOutputStream();
            out.setWriteListener(new WriteListener() {

                private int next;

                @Override
                public void onWritePossible() throws IOException {
                    while (out.isReady()) {
                        if (next == texts.size()) {
                            context.complete();
                            return;
                        }
                        out.write(bytes(texts.get(next++).textFor(valuesOf(request))));
                        LabPauses.maybe();
                    }
                }

                @Override
                public void onError(Throwable failure) {
                    context.complete();
                }
            });
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            context.complete(); // an error page has been asked for, or a writer, or a charset is unknown to a filter
            // that prints
        }
    }

    /** Whether a step says something of the head, and neither ends the response nor sends a part of it. */
    static boolean isOfHead(LabStep step) {
        return switch (step.what()) {
            case STATUS, SET_HEADER, ADD_HEADER, CONTENT_TYPE, CHARSET, LOCALE, LENGTH, COOKIE, SESSION, READ_BODY ->
                true;
            default -> false;
        };
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static void run(List<LabStep> steps, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        run(steps, request, response, new LabTurns());
    }

    private static void run(
            List<LabStep> steps, HttpServletRequest request, HttpServletResponse response, LabTurns turns)
            throws IOException, ServletException {
        for (LabStep step : steps) {
            if (!turns.begin()) {
                return;
            }
            try {
                if (!run(step, request, response)) {
                    return;
                }
            } finally {
                turns.end();
            }
            LabPauses.maybe();
        }
    }

    /** Does a step, and returns whether others follow. */
    private static boolean run(LabStep step, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        String text = step.textFor(valuesOf(request));
        switch (step.what()) {
            case STATUS -> response.setStatus(step.number());
            case SET_HEADER -> response.setHeader(step.name(), text);
            case ADD_HEADER -> response.addHeader(step.name(), text);
            case CONTENT_TYPE -> response.setContentType(text);
            case CHARSET -> response.setCharacterEncoding(text);
            case LOCALE -> response.setLocale(Locale.forLanguageTag(text));
            case LENGTH -> response.setContentLength(step.number());
            case BUFFER_SIZE -> response.setBufferSize(step.number());
            case WRITE_TEXT -> response.getWriter().write(text);
            case WRITE_BYTES -> response.getOutputStream().write(bytes(text));
            case FLUSH -> response.flushBuffer();
            case FLUSH_BODY -> response.getWriter().flush();
            case CLOSE -> response.getOutputStream().close();
            case CLOSE_WRITER -> response.getWriter().close();
            case RESET -> response.reset();
            case RESET_BUFFER -> response.resetBuffer();
            case REDIRECT -> response.sendRedirect(text);
            case SEND_ERROR -> response.sendError(step.number());
            case THROW_CHECKED -> throw new LabFailure.Checked(text);
            case THROW_UNCHECKED -> throw new LabFailure(text);
            case COOKIE -> response.addCookie(new Cookie(step.name(), text));
            case SESSION -> request.getSession().setAttribute("lab", text);
            case READ_BODY ->
                response.addHeader(
                        "X-Read", Integer.toString(request.getInputStream().readAllBytes().length));
            case VALIDATE -> {
                response.setHeader("ETag", text);
                if (text.equals(request.getHeader("If-None-Match"))) {
                    response.setStatus(304);
                    return false;
                }
            }
            case ENCODE -> throw new AssertionError(step);
        }
        return true;
    }
}

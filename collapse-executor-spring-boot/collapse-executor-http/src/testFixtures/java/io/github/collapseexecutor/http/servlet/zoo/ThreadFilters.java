package io.github.collapseexecutor.http.servlet.zoo;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.MDC;
import org.springframework.context.i18n.LocaleContextHolder;

/** Filters that give their thread something for the time of a request. */
public final class ThreadFilters {

    /** Names the tenant of a request. */
    public static final String TENANT_HEADER = "X-Tenant";

    private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

    private ThreadFilters() {}

    /** The tenant of this thread, as a handler sees it. */
    public static String tenant() {
        return Objects.requireNonNullElse(TENANT.get(), "none");
    }

    /** Sets the tenant, and clears it afterwards. */
    public static final class Tenant implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            TENANT.set(((HttpServletRequest) request).getHeader(TENANT_HEADER));
            try {
                chain.doFilter(request, response);
            } finally {
                TENANT.remove();
            }
        }
    }

    /** Sets the tenant, and leaves it to the next request on the thread to replace it. */
    public static final class ForgetfulTenant implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            TENANT.set(((HttpServletRequest) request).getHeader(TENANT_HEADER));
            chain.doFilter(request, response);
        }
    }

    /** Gives the log the tenant, and records what the log knew before. */
    public static final class LogContext implements Filter {

        /** The key in the log's context. */
        public static final String KEY = "tenant";

        // mutable, thread-safe
        private final Queue<String> left = new ConcurrentLinkedQueue<>();

        /** What requests before have left on the threads. */
        public List<String> left() {
            return List.copyOf(left);
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            String present = MDC.get(KEY);
            if (present != null) {
                left.add(present);
            }
            MDC.put(KEY, ((HttpServletRequest) request).getHeader(TENANT_HEADER));
            try {
                chain.doFilter(request, response);
            } finally {
                MDC.remove(KEY);
            }
        }
    }

    /** Sets the locale of Spring from a header of the application's own. */
    public static final class OwnLocale implements Filter {

        /** Names the language. */
        public static final String HEADER = "X-Language";

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            LocaleContextHolder.setLocale(Locale.forLanguageTag(((HttpServletRequest) request).getHeader(HEADER)));
            try {
                chain.doFilter(request, response);
            } finally {
                LocaleContextHolder.resetLocaleContext();
            }
        }
    }

    /** Opens a unit of work that is bound to the thread, as filters of persistence do. */
    public static final class OpenUnitOfWork implements Filter {

        /** A unit of work, which must not be used after its end. */
        private static final class Unit {

            // mutable
            private volatile boolean open = true;
        }

        private static final ThreadLocal<Unit> PRESENT = new ThreadLocal<>();

        // mutable, thread-safe
        private final Map<Unit, Boolean> units = new ConcurrentHashMap<>();

        /** What a handler finds on its thread. */
        public String found() {
            Unit unit = PRESENT.get();
            return unit == null ? "none" : unit.open ? "open" : "closed";
        }

        /** How many units were opened. */
        public int opened() {
            return units.size();
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            Unit unit = new Unit();
            units.put(unit, true);
            PRESENT.set(unit);
            try {
                chain.doFilter(request, response);
            } finally {
                unit.open = false;
                PRESENT.remove();
            }
        }
    }

    /** Records on which threads it is entered and left. */
    public static final class Passage implements Filter {

        // mutable, thread-safe
        private final Map<String, List<String>> steps = new ConcurrentHashMap<>();

        /** What happened to the request of this number, in order. */
        public List<String> steps(int number) {
            return List.copyOf(steps.getOrDefault(Integer.toString(number), List.of()));
        }

        /** Records a step, for a handler to say where it runs. */
        public void record(HttpServletRequest request, String step) {
            steps.compute(request.getHeader(ZooClient.Call.NUMBER), (number, present) -> {
                List<String> more = present == null ? new ArrayList<>() : new ArrayList<>(present);
                more.add(step + " on " + Thread.currentThread().getName());
                return more;
            });
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            HttpServletRequest present = (HttpServletRequest) request;
            record(present, "entered");
            try {
                chain.doFilter(request, response);
            } finally {
                record(present, "left");
            }
        }
    }
}

package io.github.collapseexecutor.foreign.annotation;

/** What stands on a method beside the annotation of this library, as text of Java. */
enum Layer {
    TRANSACTION("@Transactional(propagation = Propagation.%PROPAGATION%, readOnly = %FLAG%)"),
    CACHEABLE("@Cacheable(\"lab\")"),
    CACHEABLE_SYNC("@Cacheable(cacheNames = \"lab\", sync = true)"),
    CACHE_PUT("@CachePut(\"lab\")"),
    CACHE_EVICT("@CacheEvict(cacheNames = \"lab\", beforeInvocation = %FLAG%)"),
    CACHE_RESULT("@javax.cache.annotation.CacheResult(cacheName = \"lab\")"),
    RETRYABLE("@Retryable(maxAttempts = 2, backoff = @Backoff(delay = 1))"),
    RETRY("@Retry(name = \"lab\"%FALLBACK%)"),
    CIRCUIT_BREAKER("@CircuitBreaker(name = \"lab\"%FALLBACK%)"),
    BULKHEAD("@Bulkhead(name = \"lab\"%FALLBACK%)"),
    RATE_LIMITER("@RateLimiter(name = \"lab\")"),
    TIME_LIMITER("@TimeLimiter(name = \"lab\")"),
    ASYNC("@Async"),
    PRE_AUTHORIZE("@PreAuthorize(\"hasAuthority('READ')\")"),
    POST_AUTHORIZE("@PostAuthorize(\"authentication.name != 'bob'\")"),
    PRE_FILTER(
            "@PreFilter(filterTarget = \"other\", value = \"filterObject == null or filterObject.startsWith(authentication.name)\")"),
    POST_FILTER("@PostFilter(\"true\")"),
    SECURED("@Secured(\"READ\")"),
    VALIDATED("", "@org.springframework.validation.annotation.Validated"),
    TIMED("@Timed(\"lab.timed\")"),
    COUNTED("@Counted(\"lab.counted\")"),
    OBSERVED("@Observed(name = \"lab.observed\")"),
    SCHEDULED("", ""),
    /** Aspects of the application's own. */
    AUDIT("@Backend.Audited"),
    MASK("@Backend.Masked"),
    DENY("@Backend.Guarded");

    final String onMethod;
    final String onClass;

    Layer(String onMethod) {
        this(onMethod, "");
    }

    Layer(String onMethod, String onClass) {
        this.onMethod = onMethod;
        this.onClass = onClass;
    }

    boolean isCache() {
        return name().startsWith("CACHE");
    }

    /** Whether callers get different answers because of it. */
    boolean isSecurity() {
        return name().startsWith("P") || this == SECURED || this == DENY || this == MASK;
    }

    /** Whether it is there for methods that return such. */
    boolean takes(Returned returned, Argument other) {
        return switch (this) {
            case ASYNC -> returned == Returned.FUTURE;
            case TIME_LIMITER -> returned.isFuture();
            case TRANSACTION -> !returned.isMono();
            case CACHEABLE, CACHEABLE_SYNC, CACHE_PUT, CACHE_EVICT, CACHE_RESULT ->
                !returned.isMono()
                        && !returned.isFuture()
                        && !returned.isEntity() // which the first caller may have loaded more of
                        && other != Argument.BY_HASH
                        && other != Argument.ARRAY_AS_OBJECT;
            case PRE_FILTER -> other == Argument.LIST;
            case POST_FILTER -> returned == Returned.LIST;
            case BULKHEAD, RATE_LIMITER, RETRY, CIRCUIT_BREAKER -> !returned.isMono();
            case RETRYABLE -> !returned.isMono() && !returned.isFuture();
            case MASK -> returned == Returned.TEXT;
            default -> true;
        };
    }
}

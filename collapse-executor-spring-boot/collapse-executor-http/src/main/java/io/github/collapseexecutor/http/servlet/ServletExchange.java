package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.call.BoundedBody;
import io.github.collapseexecutor.http.call.FutureExchange;
import io.github.collapseexecutor.http.dryrun.BodyWatch;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request of a server as the rules see it, on whichever thread decides about it: to send it is to have its handler run. It
 * says what becomes of the request, and {@link RequestWay} does that on a thread of the container.
 *
 * <p>The container's objects are used by the thread that the container sent, and by the handler. This class sees the snapshot
 * of the request, the handler's response, and the wait, which dispatches a parked request.
 */
final class ServletExchange implements FutureExchange<ServletAnswer> {

    // immutable
    private final RequestSnapshot snapshot;
    private final RequestWait wait;
    private final ServletHandlerRun run;

    // mutable, confined to the thread that brought the request
    private boolean opened;

    /**
     * Creates an exchange that has not been executed.
     *
     * @param wait ends as soon as it is decided what becomes of the request
     * @param run of the request's own handler
     */
    ServletExchange(RequestSnapshot snapshot, RequestWait wait, ServletHandlerRun run) {
        this.snapshot = snapshot;
        this.wait = wait;
        this.run = run;
    }

    /** What came of the request. */
    void settle(@Nullable ServletAnswer answer, @Nullable Throwable failure) {
        if (answer instanceof ServletCapturedResponse own) {
            own.sharing().pass();
        } else if (answer instanceof ServletAnswer.Shared shared) {
            boolean unused = wait.decide(new RequestWait.Decision.Answered(shared.response()));
        } else if (failure != null) {
            boolean unused = wait.decide(new RequestWait.Decision.Failed(failure));
        }
    }

    @Override
    public HttpRequestView request() {
        return snapshot;
    }

    @Override
    public void opened() {
        opened = true;
    }

    /** Whether this request has opened a batch, which it is to run. */
    boolean hasOpened() {
        return opened;
    }

    @Override
    public CompletableFuture<ServletAnswer> send() {
        if (!wait.decide(new RequestWait.Decision.Run())) {
            run.lost();
        }
        return run.received();
    }

    @Override
    public HttpResponseView headOf(ServletAnswer response) {
        return ((ServletCapturedResponse) response).sharing().head();
    }

    @Override
    public CompletableFuture<BoundedBody<ServletAnswer>> collect(ServletAnswer response, long limit) {
        return ((ServletCapturedResponse) response).sharing().gather(limit);
    }

    @Override
    public ServletAnswer watched(ServletAnswer response, BodyWatch watch) {
        ((ServletCapturedResponse) response).buffer().watch(watch);
        return response;
    }

    @Override
    public ServletAnswer answer(SharedResponse response, SharedResponse.Receiver receiver) {
        ServletCapturedResponse own = run.captured();
        return receiver == SharedResponse.Receiver.LEADER && own != null ? own : new ServletAnswer.Shared(response);
    }

    @Override
    public ServletAnswer withHeader(ServletAnswer response, String name, String value) {
        if (response instanceof ServletCapturedResponse own) {
            own.mark(name, value);
        }
        return response;
    }

    /** There is nothing to release. */
    @Override
    public void close(ServletAnswer response) {}

    /** A handler fails for a reason of its own; only if it is lost, another may do better. */
    @Override
    public boolean isTransportFailure(Throwable failure) {
        return failure instanceof ServletHandlerRun.LostException;
    }
}

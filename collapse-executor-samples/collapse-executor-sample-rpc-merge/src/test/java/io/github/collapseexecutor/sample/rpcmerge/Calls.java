package io.github.collapseexecutor.sample.rpcmerge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.collapseexecutor.sample.rpcmerge.RawServer.Connection;
import io.github.collapseexecutor.sample.rpcmerge.RpcException.Reason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;

/** What tests say about calls, with as much patience as a busy machine may need. */
final class Calls {

    static final MessageType<String, String> ECHO = new MessageType<>(1, "echo", Codec.UTF_8, Codec.UTF_8);
    static final MessageType<String, Long> LENGTH = new MessageType<>(2, "length", Codec.UTF_8, Codec.INT_64);

    private Calls() {}

    static <T> T answer(CompletableFuture<T> call) throws Exception {
        return call.get(30, TimeUnit.SECONDS);
    }

    static Throwable failure(CompletableFuture<?> call) {
        Throwable thrown = catchThrowable(() -> call.get(30, TimeUnit.SECONDS));
        assertThat(thrown).as("what a call fails with").isInstanceOf(ExecutionException.class);
        return thrown.getCause();
    }

    static AbstractThrowableAssert<?, ? extends Throwable> assertFailed(CompletableFuture<?> call, Reason reason) {
        Throwable failure = failure(call);
        assertThat(failure).isInstanceOf(RpcException.class);
        assertThat(((RpcException) failure).reason()).isEqualTo(reason);
        return assertThat(failure);
    }

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Keeps the client's thread busy, so that what is sent meanwhile has to wait. */
    static CountDownLatch holdUp(RpcClient client, RawServer server, Connection connection) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<String> first = client.call(server.address(), ECHO, "first");
        CompletableFuture<Void> unused = first.thenRun(() -> {
            held.countDown();
            await(goOn);
        });
        connection.write(RawServer.frame(RawServer.reply(connection.readFrame().get(0), "first")));
        await(held);
        return goOn;
    }
}

package io.github.collapseexecutor.sample.advanced.readme;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractFutureStub;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What docs/grpc.md shows, with a server and a stub of gRPC over TCP. */
class GrpcExamplesTests {

    private static final MethodDescriptor<String, String> FIND = MethodDescriptor.<String, String>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("users.Users/Find")
            .setRequestMarshaller(new Text())
            .setResponseMarshaller(new Text())
            .build();

    /** A stub as protoc generates it, but that its messages are texts. */
    private static final class UsersStub extends AbstractFutureStub<UsersStub> {

        UsersStub(Channel channel, CallOptions options) {
            super(channel, options);
        }

        @Override
        protected UsersStub build(Channel channel, CallOptions options) {
            return new UsersStub(channel, options);
        }

        ListenableFuture<String> find(String ids) {
            return ClientCalls.futureUnaryCall(getChannel().newCall(FIND, getCallOptions()), ids);
        }

        ListenableFuture<User> user(long id) {
            return Futures.transform(
                    find(Long.toString(id)), found -> usersIn(found).get(id), Runnable::run);
        }

        ListenableFuture<Map<Long, User>> users(Collection<Long> ids) {
            String all = ids.stream().map(String::valueOf).collect(Collectors.joining(","));
            return Futures.transform(find(all), GrpcExamplesTests::usersIn, Runnable::run);
        }
    }

    private static final class Text implements MethodDescriptor.Marshaller<String> {

        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Map<Long, User> usersIn(String ids) {
        return Arrays.stream(ids.split(","))
                .map(Long::valueOf)
                .collect(Collectors.toMap(Function.identity(), id -> new User(id, "user " + id)));
    }

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> arrived = new CompletableFuture<>();
    private final CompletableFuture<Void> cancelled = new CompletableFuture<>();
    /** Each call is answered once this is complete, with its failure if it has one. */
    private final CompletableFuture<Void> gate = new CompletableFuture<>();

    private final FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(
            CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build());

    private Server server;
    private ManagedChannel channel;
    private UsersStub stub;

    @BeforeEach
    void start() throws IOException {
        server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(ServerServiceDefinition.builder("users.Users")
                        .addMethod(FIND, ServerCalls.asyncUnaryCall(this::answer))
                        .build())
                .build()
                .start();
        channel = Grpc.newChannelBuilder("localhost:" + server.getPort(), InsecureChannelCredentials.create())
                .build();
        stub = new UsersStub(channel, CallOptions.DEFAULT);
    }

    private void answer(String ids, StreamObserver<String> caller) {
        calls.add(ids);
        ((ServerCallStreamObserver<String>) caller).setOnCancelHandler(() -> cancelled.complete(null));
        arrived.complete(null);
        CompletableFuture<Void> unused = gate.whenComplete((nothing, failure) -> {
            if (failure != null) {
                caller.onError(failure);
            } else {
                caller.onNext(ids);
                caller.onCompleted();
            }
        });
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.shutdownNow();
    }

    // readme:begin grpc-stage
    static <R> CompletionStage<R> stageOf(Callable<ListenableFuture<R>> rpc) throws Exception {
        ListenableFuture<R> call = Context.ROOT.call(rpc);
        CompletableFuture<R> stage = new CompletableFuture<>();
        ListenableFuture<Boolean> answered = Futures.transform(call, stage::complete, Runnable::run);
        ListenableFuture<Boolean> ended =
                Futures.catching(answered, Throwable.class, stage::completeExceptionally, Runnable::run);
        // Ends the call once the last caller has left.
        CompletableFuture<R> unused = stage.whenComplete((result, failure) -> ended.cancel(true));
        return stage;
    }
    // readme:end

    private CompletableFuture<User> user7() {
        // readme:begin grpc-call
        CompletableFuture<User> user = executor.execute("user 7", () -> stageOf(() -> stub.user(7)));
        // readme:end
        return user;
    }

    private static Stream<User> answers(List<CompletableFuture<User>> callers) {
        return callers.stream().map(CompletableFuture::join);
    }

    @Test
    void callersShareACall() {
        List<CompletableFuture<User>> callers =
                Stream.generate(this::user7).limit(200).toList();
        gate.complete(null);
        assertThat(answers(callers)).hasSize(200).containsOnly(new User(7, "user 7"));
        assertThat(calls).containsExactly("7");
    }

    @Test
    void callersShareABulkCall() {
        // readme:begin grpc-batch
        FutureCollapseExecutor<Long, User> users = CollapseExecutors.futureByKey(
                ids -> stageOf(() -> stub.users(ids)), MissingKeyPolicy.NULL, CollapseOptions.defaults());
        // readme:end
        List<CompletableFuture<User>> callers =
                LongStream.range(0, 200).mapToObj(users::execute).toList();
        gate.complete(null);
        assertThat(answers(callers).map(User::id))
                .isEqualTo(LongStream.range(0, 200).boxed().toList());
        assertThat(calls).hasSizeLessThanOrEqualTo(50);
    }

    @Test
    void aBlockingStubNeedsNoStage() throws Exception {
        BlockingCallableGroupCollapseExecutor blocking = new BlockingCallableGroupCollapseExecutor();
        gate.complete(null);
        String found = blocking.execute(
                "user 7",
                () -> Context.ROOT.call(() -> ClientCalls.blockingUnaryCall(channel, FIND, CallOptions.DEFAULT, "7")));
        assertThat(found).isEqualTo("7");
    }

    @Test
    void theLastCallerThatLeavesCancelsTheCall() throws Exception {
        CompletableFuture<User> first = user7();
        CompletableFuture<User> second = user7();
        arrived.get();
        first.cancel(true);
        assertThat(cancelled).isNotDone();
        second.cancel(true);
        cancelled.get();
        assertThat(calls).hasSize(1);
    }

    @Test
    void aCallerOfThisServerThatHangsUpTakesNoOtherWithIt() throws Exception {
        Context.CancellableContext request = Context.current().withCancellation();
        CompletableFuture<User> leader = request.call(this::user7);
        CompletableFuture<User> follower = user7();
        arrived.get();
        request.cancel(Status.CANCELLED.asException());
        gate.complete(null);
        assertThat(follower.get()).isEqualTo(new User(7, "user 7"));
        assertThat(leader.get()).isEqualTo(new User(7, "user 7"));
    }

    @Test
    void eachCallerGetsTheStatus() {
        List<CompletableFuture<User>> callers = List.of(user7(), user7());
        gate.completeExceptionally(Status.NOT_FOUND.asException());
        assertThat(callers)
                .allSatisfy(caller -> assertThat(catchThrowable(caller::get))
                        .isInstanceOf(ExecutionException.class)
                        .cause()
                        .isInstanceOfSatisfying(
                                StatusRuntimeException.class,
                                failure -> assertThat(failure.getStatus().getCode())
                                        .isEqualTo(Status.Code.NOT_FOUND)));
        assertThat(calls).hasSize(1);
    }
}

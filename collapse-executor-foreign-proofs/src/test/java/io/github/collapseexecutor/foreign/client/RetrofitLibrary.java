package io.github.collapseexecutor.foreign.client;

import io.github.collapseexecutor.foreign.client.Question.Reading;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import kotlin.ResultKt;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import okhttp3.ResponseBody;
import org.jspecify.annotations.Nullable;
import retrofit2.Call;
import retrofit2.CallAdapter;
import retrofit2.Response;
import retrofit2.Retrofit;
import retrofit2.adapter.rxjava3.RxJava3CallAdapterFactory;
import retrofit2.http.GET;
import retrofit2.http.Header;
import retrofit2.http.Streaming;
import retrofit2.http.Url;

/** Retrofit over OkHttp, with each of its adapters. */
final class RetrofitLibrary implements Library {

    /** The API that is called. */
    interface Texts {

        @GET
        Call<ResponseBody> call(@Url String url, @Header("Authorization") String user);

        @Streaming
        @GET
        Call<ResponseBody> streamed(@Url String url, @Header("Authorization") String user);

        @GET
        CompletableFuture<Response<ResponseBody>> future(@Url String url, @Header("Authorization") String user);

        @GET
        Single<Response<ResponseBody>> single(@Url String url, @Header("Authorization") String user);

        @Streaming
        @GET
        Flowable<Response<ResponseBody>> flowable(@Url String url, @Header("Authorization") String user);

        /** As Kotlin compiles a function that suspends. */
        @Nullable @GET
        Object suspending(
                @Url String url,
                @Header("Authorization") String user,
                Continuation<? super Response<ResponseBody>> done);
    }

    private enum Form {
        CALL,
        STREAMED,
        FUTURE,
        SINGLE,
        FLOWABLE,
        SUSPENDING
    }

    /** How calls of RxJava are made. */
    private enum Rx {
        ENQUEUED,
        SYNCHRONOUS,
        SCHEDULED;

        CallAdapter.Factory factory() {
            return switch (this) {
                case ENQUEUED -> RxJava3CallAdapterFactory.create();
                case SYNCHRONOUS -> RxJava3CallAdapterFactory.createSynchronous();
                case SCHEDULED -> RxJava3CallAdapterFactory.createWithScheduler(Schedulers.io());
            };
        }
    }

    @Override
    public Asker make(Draw draw) throws Exception {
        Closing closing = new Closing();
        Form form = draw.pick(List.of(Form.values()));
        Rx rx = draw.pick(List.of(Rx.values()));
        Retrofit retrofit = new Retrofit.Builder()
                .baseUrl("http://127.0.0.1:1/")
                .client(OkHttpLibrary.client(draw, closing))
                .addCallAdapterFactory(rx.factory())
                .validateEagerly(true)
                .build();
        return new OfRetrofit(retrofit.create(Texts.class), form, closing);
    }

    /** Where a function goes on that has been suspended. */
    private static final class Resumed implements Continuation<Response<ResponseBody>> {

        // immutable
        private final CompletableFuture<Object> result = new CompletableFuture<>();

        @Override
        public CoroutineContext getContext() {
            return EmptyCoroutineContext.INSTANCE;
        }

        @Override
        public void resumeWith(Object outcome) {
            result.complete(outcome);
        }

        Object result() throws Exception {
            Object outcome = result.get();
            ResultKt.throwOnFailure(outcome);
            return outcome;
        }
    }

    private record OfRetrofit(Texts texts, Form form, Closing closing) implements Asker {

        @Override
        public void ask(URI uri, Reply reply) throws Exception {
            Response<?> response =
                    asked(uri.toString(), "Bearer " + reply.question().user());
            reply.status(response.code());
            response.headers().forEach(header -> reply.header(header.getFirst(), header.getSecond()));
            try (ResponseBody body = response.isSuccessful() ? (ResponseBody) response.body() : response.errorBody()) {
                if (body == null) {
                    return;
                }
                if (reply.question().reading() == Reading.TEXT) {
                    reply.text(body.string());
                } else if (!reply.hasEnough()) {
                    reply.read(body.byteStream());
                }
            }
        }

        private Response<?> asked(String url, String user) throws Exception {
            return switch (form) {
                case CALL -> texts.call(url, user).execute();
                case STREAMED -> texts.streamed(url, user).execute();
                case FUTURE -> of(texts.future(url, user));
                case SINGLE -> texts.single(url, user).blockingGet();
                case FLOWABLE -> texts.flowable(url, user).blockingSingle();
                case SUSPENDING -> suspending(url, user);
            };
        }

        private Response<?> suspending(String url, String user) throws Exception {
            Resumed resumed = new Resumed();
            Object result = texts.suspending(url, user, resumed);
            return (Response<?>) (result == IntrinsicsKt.getCOROUTINE_SUSPENDED() ? resumed.result() : result);
        }

        private static Response<ResponseBody> of(CompletableFuture<Response<ResponseBody>> future) throws Exception {
            try {
                return future.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }

        @Override
        public int connectionsInUse() {
            return closing.inUse();
        }

        @Override
        public void close() {
            closing.close();
        }
    }
}

package io.github.collapseexecutor.sample.kotlin

import io.github.collapseexecutor.core.CollapseExecutors
import io.github.collapseexecutor.core.CollapseOptions
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor
import io.github.collapseexecutor.core.JoinMode
import io.github.collapseexecutor.core.MissingKeyPolicy
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.future.await
import kotlinx.coroutines.future.future
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test

/** What docs/kotlin.md shows: coroutines that suspend share calls, leave alone, and cancel the call as the last. */
class SuspendingFunctionsTests {

    data class User(val id: Long, val name: String)

    /** Another service that takes many keys at once, and notes each call. */
    class Client {
        val calls = CopyOnWriteArrayList<Collection<Long>>()

        suspend fun usersByIds(ids: Collection<Long>): Map<Long, User?> {
            calls.add(ids.toList())
            delay(100)
            return ids.filter { it >= 0 }.associateWith { User(it, "user $it") }
        }
    }

    private val client = Client()

    // readme:begin kotlin-batch
    val scope = CoroutineScope(SupervisorJob() + Dispatchers.IO)

    val users = CollapseExecutors.futureByKey<Long, User?>(
        { ids -> scope.future { client.usersByIds(ids) } }, MissingKeyPolicy.NULL, CollapseOptions.defaults())

    suspend fun user(id: Long): User? = users.execute(id).await()
    // readme:end

    private val executor = FutureCallableGroupCollapseExecutor(
        CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build())

    // readme:begin kotlin-call
    suspend fun <R : Any> FutureCallableGroupCollapseExecutor.await(group: Any, call: suspend () -> R): R =
        execute(group) { scope.future { call() } }.await()
    // readme:end

    // readme:begin kotlin-flow
    fun Flow<Long>.users(): Flow<User?> = map { id -> users.execute(id) }.buffer(64).map { it.await() }
    // readme:end

    @AfterEach
    fun end() = scope.cancel()

    @Test
    fun coroutinesShareBulkCalls() = runBlocking<Unit> {
        val all = withTimeout(60_000) { (0L until 200L).map { id -> async(Dispatchers.Default) { user(id) } }.awaitAll() }
        assertThat(all.map { it?.name }).isEqualTo((0L until 200L).map { "user $it" })
        assertThat(client.calls).hasSizeLessThanOrEqualTo(50)
        assertThat(user(-1)).isNull()
    }

    @Test
    fun idsOfAFlowShareBulkCalls() = runBlocking<Unit> {
        val found = withTimeout(60_000) { (0L until 200L).asFlow().users().toList() }
        assertThat(found.map { it?.name }).describedAs("in the order of the ids").isEqualTo((0L until 200L).map { "user $it" })
        assertThat(client.calls).hasSizeLessThanOrEqualTo(50)
    }

    @Test
    fun coroutinesShareWhatAFlowEmits() = runBlocking<Unit> {
        val answer = CompletableDeferred<Unit>()
        val collected = AtomicInteger()
        val prices = flow {
            collected.incrementAndGet()
            emit("7.50")
            answer.await()
            emit("8.00")
        }
        // readme:begin kotlin-flow-list
        suspend fun prices(): List<String> = executor.await("prices") { prices.toList() }
        // readme:end
        val callers = List(200) { async(Dispatchers.Default) { prices() } }
        awaitCallers(200)
        answer.complete(Unit)
        assertThat(callers.awaitAll()).hasSize(200).containsOnly(listOf("7.50", "8.00"))
        assertThat(collected).hasValue(1)
    }

    @Test
    fun coroutinesShareACall() = runBlocking<Unit> {
        val calls = AtomicInteger()
        val answer = CompletableDeferred<String>()
        val callers = List(200) {
            async(Dispatchers.Default) {
                executor.await("price") {
                    calls.incrementAndGet()
                    answer.await()
                }
            }
        }
        awaitCallers(200)
        answer.complete("7.50")
        assertThat(callers.awaitAll()).hasSize(200).containsOnly("7.50")
        assertThat(calls).hasValue(1)
    }

    @Test
    fun aCancelledCoroutineLeavesAlone() = runBlocking<Unit> {
        val answer = CompletableDeferred<String>()
        val leader = async { executor.await("price") { answer.await() } }
        val follower = async { executor.await("price") { "a call of its own" } }
        awaitCallers(2)
        leader.cancel()
        awaitCallers(1)
        answer.complete("7.50")
        assertThat(follower.await()).isEqualTo("7.50")
    }

    @Test
    fun theLastCoroutineThatIsCancelledCancelsTheCall() = runBlocking<Unit> {
        val begun = CompletableDeferred<Unit>() // a call that is cancelled before does not begin
        val cancelled = CompletableDeferred<Boolean>()
        val callers = List(2) {
            async {
                executor.await("price") {
                    begun.complete(Unit)
                    try {
                        CompletableDeferred<String>().await()
                    } catch (e: CancellationException) {
                        cancelled.complete(true)
                        throw e
                    }
                }
            }
        }
        awaitCallers(2)
        withTimeout(60_000) { begun.await() }
        callers.forEach { it.cancel() }
        assertThat(withTimeout(60_000) { cancelled.await() }).isTrue()
    }

    @Test
    fun aFailureIsThrownAsItWas() = runBlocking<Unit> {
        val failure = runCatching { executor.await<String>("price") { throw IllegalStateException("closed") } }
        assertThat(failure.exceptionOrNull()).isInstanceOf(IllegalStateException::class.java).hasMessage("closed")
        assertThat(executor.await("price") { "7.50" }).describedAs("the scope goes on").isEqualTo("7.50")
    }

    private suspend fun awaitCallers(count: Int) =
        withTimeout(60_000) {
            while (executor.counts().callers() != count) {
                yield()
            }
        }
}

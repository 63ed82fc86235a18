package io.github.collapseexecutor.sample.kotlin

import io.github.collapseexecutor.core.JoinMode
import io.github.collapseexecutor.spring.annotation.CollapseBatch
import io.github.collapseexecutor.spring.annotation.Collapsible
import io.github.collapseexecutor.spring.annotation.config.EnableCollapsing
import java.io.IOException
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.coroutineContext
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.asContextElement
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.core.SpringVersion
import reactor.util.context.Context

/** Annotated functions that suspend. */
class AnnotatedFunctionsTests {

    data class User(val id: Long, val name: String)

    /** What an application may put into the context of its coroutines. */
    data class Tenant(val name: String) : AbstractCoroutineContextElement(Tenant) {
        companion object Key : CoroutineContext.Key<Tenant>
    }

    /** A bean whose calls end when the test says so. */
    open class Users {
        open val calls = CopyOnWriteArrayList<Any>()
        open val gate = CompletableDeferred<Unit>()
        open val cancelled = CompletableDeferred<Boolean>()

        // readme:begin kotlin-annotations
        @Collapsible(join = [JoinMode.IN_FLIGHT])
        open suspend fun price(id: Long): String? = priceOf(id)

        @CollapseBatch(method = "findAll")
        open suspend fun find(id: Long): User? = findAll(listOf(id))[id]

        open suspend fun findAll(ids: Collection<Long>): Map<Long, User> = usersOf(ids)
        // readme:end

        @Collapsible(join = [JoinMode.IN_FLIGHT])
        open suspend fun ofTenant(id: Long): String = "${coroutineContext[Tenant]?.name} ${priceOf(id)}"

        @Collapsible(join = [JoinMode.IN_FLIGHT])
        open suspend fun ofThread(id: Long): String = "${LOCAL.get()} ${priceOf(id)}"

        @Collapsible(join = [JoinMode.IN_FLIGHT], key = "#id % 10")
        open suspend fun byKey(id: Long): String? = priceOf(id)

        @Collapsible(join = [JoinMode.IN_FLIGHT])
        open suspend fun broken(id: Long): String {
            priceOf(id)
            throw IOException("broken")
        }

        @Collapsible(join = [JoinMode.IN_FLIGHT])
        open suspend fun endless(id: Long): String {
            calls.add(id)
            try {
                return CompletableDeferred<String>().await()
            } catch (e: CancellationException) {
                cancelled.complete(true)
                throw e
            }
        }

        private suspend fun priceOf(id: Long): String? {
            calls.add(id)
            gate.await()
            return if (id < 0) null else "price $id"
        }

        private suspend fun usersOf(ids: Collection<Long>): Map<Long, User> {
            calls.add(ids.toSet())
            gate.await()
            return ids.filter { it >= 0 }.associateWith { User(it, "user $it") }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCollapsing
    open class Application {
        @Bean open fun users() = Users()
    }

    private val context = AnnotationConfigApplicationContext(Application::class.java)
    private val users = context.getBean(Users::class.java)

    @AfterEach
    fun close() = context.close()

    /** Each coroutine has made its call when this returns, because the call is where it suspends first. */
    private fun <T> CoroutineScope.call(
        elements: CoroutineContext = CoroutineName("a coroutine"), call: suspend () -> T): Deferred<T> =
        async(elements, CoroutineStart.UNDISPATCHED) { call() }

    private fun <T> together(block: suspend CoroutineScope.() -> T): T = runBlocking {
        withTimeout(60_000) { block() }
    }

    /** The build runs these tests on two generations of Spring. */
    @Test
    fun springIsTheOneThatIsExpected() {
        assertThat(SpringVersion.getVersion()).startsWith(System.getProperty("expected.spring.version"))
    }

    @Test
    fun identicalCallsShareOne() = together<Unit> {
        val same = List(50) { call { users.price(7) } }
        val other = call { users.price(8) }
        val none = List(2) { call { users.price(-1) } }
        users.gate.complete(Unit)
        assertThat(same.awaitAll()).containsOnly("price 7")
        assertThat(other.await()).isEqualTo("price 8")
        assertThat(none.awaitAll()).containsOnlyNulls()
        assertThat(users.calls).containsExactlyInAnyOrder(7L, 8L, -1L)
    }

    @Test
    fun callsForSingleItemsBecomeOneOfTheBatchFunction() = together<Unit> {
        val first = call { users.find(0) }
        val others = (1L..50L).map { id -> call { users.find(id) } }
        val none = call { users.find(-1) }
        users.gate.complete(Unit)
        assertThat(first.await()).isEqualTo(User(0, "user 0"))
        assertThat(others.awaitAll().map { it?.id }).isEqualTo((1L..50L).toList())
        assertThat(none.await()).isNull()
        assertThat(users.calls.size).isLessThanOrEqualTo(10)
    }

    @Test
    fun elementsOfTheApplicationKeepCallersApart() = together<Unit> {
        val a = List(2) { call(Tenant("a")) { users.ofTenant(7) } }
        val b = call(Tenant("b")) { users.ofTenant(7) }
        users.gate.complete(Unit)
        assertThat(a.awaitAll()).containsOnly("a price 7")
        assertThat(b.await()).isEqualTo("b price 7")
        assertThat(users.calls).hasSize(2)
    }

    @Test
    fun threadLocalsOfCoroutinesKeepCallersApart() = together<Unit> {
        val a = call(LOCAL.asContextElement("a")) { users.ofThread(7) }
        val b = call(LOCAL.asContextElement("b")) { users.ofThread(7) }
        users.gate.complete(Unit)
        assertThat(listOf(a, b).awaitAll()).containsExactly("a price 7", "b price 7")
    }

    @Test
    fun reactorContextsKeepCallersApart() = together<Unit> {
        val a = call(ReactorContext(Context.of("tenant", "a"))) { users.price(7) }
        val b = call(ReactorContext(Context.of("tenant", "b"))) { users.price(7) }
        users.gate.complete(Unit)
        assertThat(listOf(a, b).awaitAll()).containsOnly("price 7")
        assertThat(users.calls).hasSize(2)
    }

    @Test
    fun aKeySaysWhatCounts() = together<Unit> {
        val both = listOf(call { users.byKey(7) }, call { users.byKey(17) })
        users.gate.complete(Unit)
        assertThat(both.awaitAll()).containsOnly("price 7")
    }

    @Test
    fun aFailureIsThrownAsItWas() = together<Unit> {
        val failures = List(2) { call { runCatching { users.broken(7) }.exceptionOrNull() } }
        users.gate.complete(Unit)
        assertThat(failures.awaitAll()).allSatisfy { assertThat(it).isInstanceOf(IOException::class.java).hasMessage("broken") }
        assertThat(users.calls).hasSize(1)
    }

    @Test
    fun aCancelledCoroutineLeavesAloneAndTheLastCancelsTheCall() = together<Unit> {
        val callers = List(2) { call { users.endless(7) } }
        callers[0].cancel()
        callers[0].join()
        assertThat(users.cancelled.isCompleted).isFalse()
        callers[1].cancel()
        assertThat(users.cancelled.await()).isTrue()
        assertThat(users.calls).hasSize(1)
    }

    private companion object {
        val LOCAL = ThreadLocal<String>()
    }
}

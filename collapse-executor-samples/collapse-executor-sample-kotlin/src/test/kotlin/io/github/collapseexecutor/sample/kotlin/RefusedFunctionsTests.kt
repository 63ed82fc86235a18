package io.github.collapseexecutor.sample.kotlin

import io.github.collapseexecutor.spring.annotation.CollapseBatch
import io.github.collapseexecutor.spring.annotation.config.EnableCollapsing
import kotlin.reflect.KClass
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import org.springframework.context.annotation.Configuration

/** Annotated functions whose batch function Kotlin hides: the start fails and says why. */
class RefusedFunctionsTests {

    @JvmInline value class Id(val value: Long)

    open class OfValueClass {
        @CollapseBatch(method = "findAll") open fun find(id: Id): String = findAll(listOf(id)).getValue(id)

        open fun findAll(ids: List<Id>): Map<Id, String> = ids.associateWith { "user ${it.value}" }
    }

    open class Internal {
        @CollapseBatch(method = "findAll") open fun find(id: Long): String = findAll(listOf(id)).getValue(id)

        internal open fun findAll(ids: List<Long>): Map<Long, String> = ids.associateWith { "user $it" }
    }

    open class WithTenant {
        @CollapseBatch(method = "findAll") open fun find(id: Long, tenant: Long): String = "user $id of $tenant"

        open fun findAll(ids: List<Long>, tenant: Id): Map<Long, String> =
            ids.associateWith { "user $it of ${tenant.value}" }
    }

    @Configuration(proxyBeanMethods = false) @EnableCollapsing open class Application

    private fun assertRefused(bean: KClass<*>, vararg parts: String) {
        assertThatThrownBy { AnnotationConfigApplicationContext(Application::class.java, bean.java).close() }
            .rootCause()
            .hasMessageContainingAll(*parts)
    }

    @Test
    fun anItemOfAValueClassIsNamed() =
        assertRefused(OfValueClass::class, "an item cannot be of a value class: give the function its value")

    @Test
    fun anInternalBatchFunctionIsNamed() =
        assertRefused(Internal::class, "Kotlin has named findAll findAll\$", "make it public")

    @Test
    fun aBatchFunctionWithAParameterOfAValueClassIsNamed() =
        assertRefused(WithTenant::class, "Kotlin has named findAll findAll-", "no parameter of a value class")
}

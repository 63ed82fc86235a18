package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.spring.annotation.CallerIdentity;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.SimpleThreadScope;

/** The annotated methods of the documentation answer, as for a request. */
class AnnotationExamplesTests {

    @Test
    void annotatedMethodsAnswer() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.getBeanFactory().registerScope("request", new SimpleThreadScope());
            context.register(
                    AnnotationExamples.Application.class,
                    AnnotationExamples.Identities.class,
                    AnnotationExamples.Forms.class,
                    AnnotationExamples.Prices.class);
            context.refresh();
            AnnotationExamples.Prices prices = context.getBean(AnnotationExamples.Prices.class);
            assertThat(AopUtils.isAopProxy(prices)).isTrue();
            assertThat(prices.price("tea")).isEqualTo("the price of tea");
            assertThat(prices.total(new AnnotationExamples.Order(7))).isEqualTo("the total of 7");
            assertThat(prices.name("en", 7L)).isEqualTo("7 in en");
            assertThat(context.getBean(CallerIdentity.class).current()).isEqualTo("shop");
        }
    }
}

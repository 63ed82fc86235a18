package io.github.collapseexecutor.spring.boot.config;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Decides about {@link ConditionalOnSwitches}. A value that is neither on nor off stops the start, as it does where it is bound. */
final class SwitchesCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnSwitches.class);
        Binder binder = Binder.get(context.getEnvironment());
        String[] switches =
                metadata.getAnnotations().get(ConditionalOnSwitches.class).getStringArray("value");
        for (String name : switches) {
            String property = CollapseExecutorProperties.PREFIX + "." + name;
            if (!binder.bind(property, Boolean.class).orElse(true)) {
                return ConditionOutcome.noMatch(message.because(property + " is off"));
            }
        }
        return ConditionOutcome.match(message.because("no switch is off"));
    }
}

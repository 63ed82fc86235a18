package io.github.collapseexecutor.spring.annotation.method;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** What calls must have in common to share, in Spring's expression language over the arguments. */
record KeyExpression(Method method, SpelExpression expression) {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final Object NO_ROOT = new Object();

    /**
     * Parses a key. A variable that does not exist would be null for every call, and all calls would share: it is refused.
     */
    static KeyExpression of(AnnotatedMethod method, String source) {
        SpelExpression expression = parsed(method, "key", source);
        Map<String, ResolvableType> known = variables(method);
        check(method, source, expression.getAST(), true, known.keySet());
        checkMembers(method, source, expression.getAST(), known);
        return new KeyExpression(method.method(), expression);
    }

    /** Parses an expression on an answer. */
    static SpelExpression parsed(AnnotatedMethod method, String attribute, String source) {
        try {
            return new SpelExpressionParser().parseRaw(source);
        } catch (ParseException | IllegalStateException e) {
            throw method.refused(
                    attribute + " = \"" + source + "\" does not parse: " + e.getMessage(),
                    "Correct the expression, for example " + (attribute.equals("key") ? "\"#p0\"." : "\"id\"."),
                    e);
        }
    }

    /** The variables that there are, each with the declared type of its parameter. */
    private static Map<String, ResolvableType> variables(AnnotatedMethod method) {
        Map<String, ResolvableType> known = new LinkedHashMap<>();
        String[] names = method.parameterNames();
        List<ResolvableType> types = method.parameterTypes();
        for (int i = 0; i < types.size(); i++) {
            if (names != null && i < names.length) {
                known.put("#" + names[i], types.get(i));
            }
            known.put("#p" + i, types.get(i));
            known.put("#a" + i, types.get(i));
        }
        return known;
    }

    private static void check(AnnotatedMethod method, String source, SpelNode node, boolean first, Set<String> known) {
        if (node instanceof VariableReference variable && !known.contains(variable.toStringAST())) {
            throw method.refused(
                    "key = \"" + source + "\" names " + variable.toStringAST()
                            + ", and there is no parameter of this name",
                    "Use one of " + String.join(", ", known)
                            + (method.parameterNames() == null ? "; for names, compile with -parameters." : "."));
        }
        if (first && (node instanceof PropertyOrFieldReference || node instanceof MethodReference)) {
            throw method.refused(
                    "key = \"" + source + "\" reads " + node.toStringAST() + " of no object",
                    "Begin with an argument, for example \"#p0\" or \"#p0." + node.toStringAST() + "\".");
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            boolean ofAnElement = node instanceof Projection || node instanceof Selection;
            boolean ofTheOneBefore = node instanceof CompoundExpression && i > 0;
            check(method, source, node.getChild(i), !ofAnElement && !ofTheOneBefore, known);
        }
    }

    /** An expression that reads what its argument does not have would fail at each call. */
    private static void checkMembers(
            AnnotatedMethod method, String source, SpelNode node, Map<String, ResolvableType> known) {
        if (node instanceof CompoundExpression && node.getChild(0) instanceof VariableReference variable) {
            ResolvableType declared = known.get(variable.toStringAST());
            Class<?> type = declared == null ? null : declared.resolve();
            for (int i = 1; i < node.getChildCount() && type != null; i++) {
                SpelNode step = node.getChild(i);
                if (KeyMembers.isAbsent(step, type)) {
                    throw method.refused(
                            "key = \"" + source + "\" reads " + step.toStringAST() + ", and a " + type.getTypeName()
                                    + " has no such " + (step instanceof MethodReference ? "method" : "property"),
                            "Read one of " + KeyMembers.known(type) + ".");
                }
                type = KeyMembers.typeOf(step, type);
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            checkMembers(method, source, node.getChild(i), known);
        }
    }

    @Nullable Object valueOf(@Nullable Object[] arguments) {
        return expression.getValue(new MethodBasedEvaluationContext(NO_ROOT, method, arguments, NAMES));
    }
}

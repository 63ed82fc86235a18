package io.github.collapseexecutor.mutations;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.util.TreePath;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A change of one method or field, in the words of mutation testing. A {@linkplain Places place} is named, and local variables never are:
 *
 * <ul>
 *   <li>{@code returns true}: that is all that the method does;
 *   <li>{@code without fill()}: what stands in the place is left out: a statement of its block, an argument or another item of its list, an
 *       operand of its operation, a call of its chain;
 *   <li>{@code < becomes <=}, {@code isFull() becomes false}, {@code size() becomes it - 1}, {@code max() becomes its argument 1}: an
 *       operator or expression is another one, in which {@code it} is what stood there, and {@code its} names a place in that.
 * </ul>
 */
final class Change {

    private static final Set<String> SEPARATORS = Set.of(",", "|", "&&", "||", "+");
    private static final Pattern OPERATOR = Pattern.compile("[-+*/%<>=!&|^]+");
    private static final Pattern REFERENCE = Pattern.compile(
            "\\bits ((?:\\d+\\w\\w )?(?:(?:argument|operand) \\d+|(?:new )?\\w+(?:\\(\\))?|[^\\w\\s]+))|\\bit\\b");
    private static final Pattern NO_CODE = Pattern.compile("\"[^\"]*\"|" + REFERENCE);
    private static final Pattern VARIABLE = Pattern.compile("(?<![\\w.])[a-z]\\w*+(?!\\()");

    // immutable
    private final SourceTree source;
    private final List<TreePath> members;
    private final Places places;

    Change(SourceTree source, List<TreePath> members) {
        this.source = source;
        this.members = members;
        this.places = new Places(source, members);
    }

    /** @throws IllegalArgumentException if the words are no change, or do not fit in one place */
    String changed(String words) {
        if (words.startsWith("returns ")) {
            return source.replaced(body(), "{ return " + withoutLocals(words.substring("returns ".length())) + "; }");
        }
        if (words.startsWith("without ")) {
            return without(places.find(words.substring("without ".length())));
        }
        String[] sides = words.split(" becomes ", 2);
        if (sides.length < 2) {
            throw new IllegalArgumentException(
                    "\"" + words + "\" must be \"returns …\", \"without …\" or \"… becomes …\"");
        }
        TreePath place = places.find(sides[0]);
        String text = REFERENCE
                .matcher(withoutLocals(sides[1]))
                .replaceAll(reference -> Matcher.quoteReplacement(referred(reference, place.getLeaf())));
        return becomes(place, text);
    }

    private String referred(MatchResult reference, Tree tree) {
        String words = reference.group(1);
        return source.text(words == null ? tree : places.find(words, tree).getLeaf());
    }

    private String withoutLocals(String text) {
        Matcher variable = VARIABLE.matcher(NO_CODE.matcher(text).replaceAll(""));
        while (variable.find()) {
            if (places.isLocal(variable.group())) {
                throw new IllegalArgumentException(
                        "\"" + text + "\" must not name the local variable " + variable.group());
            }
        }
        return text;
    }

    private Tree body() {
        if (members.size() == 1 && members.get(0).getLeaf() instanceof MethodTree method) {
            return method.getBody();
        }
        throw new IllegalArgumentException("\"returns\" must have one method, but there are " + members.size());
    }

    private String without(TreePath path) {
        Tree tree = path.getLeaf();
        Tree around = path.getParentPath().getLeaf();
        if (tree instanceof StatementTree || around instanceof LambdaExpressionTree) {
            return source.replaced(tree, "{}");
        }
        if (around instanceof ExpressionStatementTree
                || around instanceof ParenthesizedTree
                || around.getKind() == Tree.Kind.LOGICAL_COMPLEMENT) {
            return without(path.getParentPath());
        }
        List<Tree> siblings = SourceTree.children(around);
        int i = siblings.indexOf(tree);
        if (i > 0 && areListed(siblings.get(i - 1), tree)) {
            return source.replaced(source.end(siblings.get(i - 1)), source.end(tree), "");
        }
        if (i + 1 < siblings.size() && areListed(tree, siblings.get(i + 1))) {
            return source.replaced(source.begin(tree), source.begin(siblings.get(i + 1)), "");
        }
        if (tree instanceof MethodInvocationTree call && call.getMethodSelect() instanceof MemberSelectTree link) {
            return source.replaced(tree, source.text(link.getExpression()));
        }
        throw new IllegalArgumentException(source.text(tree) + " cannot be left out of " + source.text(around));
    }

    private boolean areListed(Tree left, Tree right) {
        return SEPARATORS.contains(source.codeBetween(source.end(left), source.begin(right)));
    }

    private String becomes(TreePath path, String text) {
        Tree tree = path.getLeaf();
        if (tree instanceof BinaryTree operation && OPERATOR.matcher(text).matches()) {
            return source.replaced(
                    source.end(operation.getLeftOperand()),
                    source.begin(operation.getRightOperand()),
                    " " + text + " ");
        }
        if (tree instanceof StatementTree) {
            return source.replaced(tree, text + ";");
        }
        Tree around = path.getParentPath().getLeaf();
        boolean binds =
                around instanceof BinaryTree || around instanceof UnaryTree || around instanceof MemberSelectTree;
        return source.replaced(tree, binds && text.contains(" ") ? "(" + text + ")" : text);
    }
}

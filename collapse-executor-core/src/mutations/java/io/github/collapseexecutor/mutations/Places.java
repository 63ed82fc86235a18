package io.github.collapseexecutor.mutations;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The places in a method or field, by their names. A call is {@code fill()} or {@code new Row()}, an operation its operator, a statement
 * its first word, an assignment {@code assignment of open}, anything else the last word of its text: {@code null}, {@code VARY}. Local
 * variables have no names. A part of a call, operation or statement has a second one: {@code argument 2}, {@code operand 1},
 * {@code receiver} or {@code condition}.
 *
 * <p>Where several places have a name, words tell them apart: {@code condition of if}, {@code true of release()}, {@code if with VARY},
 * which is the innermost one around, and {@code 2nd if}.
 */
final class Places extends TreePathScanner<@Nullable Void, @Nullable Void> {

    private static final Pattern WORDS =
            Pattern.compile("(?:(\\d+)(?:st|nd|rd|th) )?(assignment of \\w+|.+?)(?: (of|with) (.+))?");
    private static final Pattern OWN_NAME = Pattern.compile("\\.?(if|try|\\w+|::\\w+|[^\\w({\\[;]+)?.*");

    /** A place with one of its names, and that of which it is an argument, an operand, the receiver or the condition. */
    private record Place(
            TreePath path, String name, @Nullable Tree whole) {

        Tree tree() {
            return path.getLeaf();
        }

        boolean isIn(Tree around) {
            return StreamSupport.stream(path.getParentPath().spliterator(), false)
                    .anyMatch(outer -> outer == around);
        }

        boolean isOf(Tree around) {
            return whole == null ? isIn(around) : whole == around;
        }
    }

    // immutable
    private final SourceTree source;
    private final Set<String> locals;
    // mutable, confined to the constructor
    private final List<Place> places = new ArrayList<>();

    Places(SourceTree source, List<TreePath> members) {
        this.source = source;
        this.locals = members.stream()
                .flatMap(member -> SourceTree.variablesIn(member.getLeaf()).stream())
                .collect(Collectors.toSet());
        members.forEach(member -> scan(member, null));
    }

    boolean isLocal(String name) {
        return locals.contains(name);
    }

    /** @throws IllegalArgumentException if the words name no place, or several */
    TreePath find(String words) {
        return find(words, place -> true);
    }

    /** The place within another one. */
    TreePath find(String words, Tree whole) {
        return find(words, place -> place.isOf(whole));
    }

    private TreePath find(String words, Predicate<Place> condition) {
        List<Place> found = all(words).stream().filter(condition).toList();
        if (found.size() == 1) {
            return found.get(0).path;
        }
        throw new IllegalArgumentException("\"" + words + "\" must be one place, but is "
                + (found.isEmpty()
                        ? "none of "
                                + new TreeSet<>(places.stream().map(Place::name).toList())
                        : found.stream()
                                .map(place -> source.line(place.tree()) + ": " + source.text(place.tree()))
                                .toList()));
    }

    private List<Place> all(String words) {
        Matcher parts = WORDS.matcher(words);
        if (!parts.matches()) {
            return List.of();
        }
        List<Place> found = places.stream()
                .filter(place -> place.name.equals(parts.group(2)))
                .toList();
        if (parts.group(3) != null) {
            List<Place> others = all(parts.group(4));
            found = parts.group(3).equals("of") ? within(found, others) : around(found, others);
        }
        int ordinal = parts.group(1) == null ? 0 : Integer.parseInt(parts.group(1));
        return ordinal == 0 ? found : found.stream().skip(ordinal - 1L).limit(1).toList();
    }

    private static List<Place> within(List<Place> places, List<Place> wholes) {
        return places.stream()
                .filter(place -> wholes.stream().anyMatch(whole -> place.isOf(whole.tree())))
                .toList();
    }

    private static List<Place> around(List<Place> places, List<Place> parts) {
        List<Place> around = places.stream()
                .filter(place -> parts.stream().anyMatch(part -> part.isIn(place.tree())))
                .toList();
        return around.stream()
                .filter(place -> around.stream().noneMatch(other -> other.isIn(place.tree())))
                .toList();
    }

    @Override
    public @Nullable Void scan(@Nullable Tree tree, @Nullable Void nothing) {
        if (tree != null && source.begin(tree) >= 0) {
            TreePath path = new TreePath(getCurrentPath(), tree);
            String name = name(path);
            if (!name.isEmpty()) {
                places.add(new Place(path, name, null));
            }
            addRole(path);
        }
        return super.scan(tree, null);
    }

    private String name(TreePath path) {
        Tree tree = path.getLeaf();
        Tree around = path.getParentPath().getLeaf();
        if (isLink(tree, around)
                || isMethod(tree, around)
                || tree instanceof VariableTree
                || tree instanceof ModifiersTree
                || (tree instanceof IdentifierTree && isLocal(tree.toString()))) {
            return "";
        }
        if (tree instanceof MethodInvocationTree call) {
            return lastWord(call.getMethodSelect()) + "()";
        }
        if (tree instanceof NewClassTree creation) {
            return "new " + lastWord(creation.getIdentifier()) + "()";
        }
        if (tree instanceof AssignmentTree || tree instanceof CompoundAssignmentTree) {
            Tree variable = SourceTree.children(tree).get(0);
            return isLocal(variable.toString()) ? "assignment" : "assignment of " + lastWord(variable);
        }
        return tree instanceof LiteralTree
                ? source.text(tree)
                : OWN_NAME.matcher(source.ownText(tree)).replaceFirst("$1");
    }

    private static String lastWord(Tree tree) {
        return tree instanceof MemberSelectTree select
                ? select.getIdentifier().toString()
                : tree.toString().replaceFirst("<.*", "");
    }

    /** Whether a && b in a && b && c, which is one operation. */
    private static boolean isLink(Tree tree, Tree around) {
        return tree instanceof BinaryTree
                && around instanceof BinaryTree chain
                && chain.getLeftOperand() == tree
                && chain.getKind() == tree.getKind();
    }

    private static boolean isMethod(Tree tree, Tree around) {
        return around instanceof MethodInvocationTree call && call.getMethodSelect() == tree;
    }

    private void addRole(TreePath path) {
        TreePath part = path;
        while (part.getParentPath().getLeaf() instanceof ParenthesizedTree) {
            part = part.getParentPath();
        }
        TreePath whole = part.getParentPath();
        Tree around = whole.getParentPath().getLeaf();
        while (isLink(whole.getLeaf(), around) || isMethod(whole.getLeaf(), around)) {
            whole = whole.getParentPath();
            around = whole.getParentPath().getLeaf();
        }
        String role = path.getLeaf() instanceof ParenthesizedTree ? "" : role(part.getLeaf(), whole.getLeaf());
        if (!role.isEmpty()) {
            places.add(new Place(path, role, whole.getLeaf()));
        }
    }

    private static String role(Tree part, Tree whole) {
        if (whole instanceof MethodInvocationTree call) {
            boolean isReceiver =
                    call.getMethodSelect() instanceof MemberSelectTree select && select.getExpression() == part;
            return isReceiver ? "receiver" : numbered("argument ", call.getArguments(), part);
        }
        if (whole instanceof NewClassTree creation) {
            return numbered("argument ", creation.getArguments(), part);
        }
        if (whole instanceof BinaryTree operation) {
            return numbered("operand ", operands(operation), part);
        }
        boolean asks =
                whole instanceof IfTree || whole instanceof WhileLoopTree || whole instanceof ConditionalExpressionTree;
        return asks && SourceTree.children(whole).get(0) == part ? "condition" : "";
    }

    private static String numbered(String role, List<? extends Tree> parts, Tree part) {
        return parts.contains(part) ? role + (parts.indexOf(part) + 1) : "";
    }

    private static List<Tree> operands(BinaryTree operation) {
        Tree left = operation.getLeftOperand();
        List<Tree> operands = new ArrayList<>(isLink(left, operation) ? operands((BinaryTree) left) : List.of(left));
        operands.add(operation.getRightOperand());
        return operands;
    }
}

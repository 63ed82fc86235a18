package io.github.collapseexecutor.mutations;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** A Java source, its syntax tree, and the text of each part. */
final class SourceTree {

    // immutable
    private final String source;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;

    SourceTree(String source) {
        this.source = source;
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Source.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, problem -> {}, List.of("-proc:none"), null, List.of(file));
        try {
            unit = task.parse().iterator().next();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        positions = Trees.instance(task).getSourcePositions();
    }

    /**
     * The methods and fields of a class that have a name; {@code new} is that of constructors.
     *
     * @throws IllegalArgumentException if there are none
     */
    List<TreePath> members(String type, String name) {
        List<TreePath> members = new ArrayList<>();
        new TreePathScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void visitClass(ClassTree tree, @Nullable Void nothing) {
                if (tree.getSimpleName().contentEquals(type)) {
                    tree.getMembers().forEach(member -> members.add(new TreePath(getCurrentPath(), member)));
                }
                return super.visitClass(tree, null);
            }
        }.scan(unit, null);
        List<TreePath> found = members.stream()
                .filter(member -> nameOf(member.getLeaf()).equals(name))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("there is none of that name, but "
                    + members.stream().map(member -> nameOf(member.getLeaf())).toList());
        }
        return found;
    }

    private static String nameOf(Tree member) {
        if (member instanceof MethodTree method) {
            return method.getName().toString().replace("<init>", "new");
        }
        return member instanceof VariableTree field ? field.getName().toString() : "";
    }

    static List<String> variablesIn(Tree member) {
        List<String> names = new ArrayList<>();
        new TreeScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void visitVariable(VariableTree tree, @Nullable Void nothing) {
                if (tree != member) {
                    names.add(tree.getName().toString());
                }
                return super.visitVariable(tree, null);
            }
        }.scan(member, null);
        return names;
    }

    /** The parts of a part, in the order of the text. */
    static List<Tree> children(Tree tree) {
        List<Tree> children = new ArrayList<>();
        tree.accept(
                new TreeScanner<@Nullable Void, @Nullable Void>() {
                    @Override
                    public @Nullable Void scan(@Nullable Tree child, @Nullable Void nothing) {
                        if (child != null) {
                            children.add(child);
                        }
                        return null;
                    }
                },
                null);
        return children;
    }

    /** What is left of a part without its own parts, spaces and comments: of a sum the plus. */
    String ownText(Tree tree) {
        StringBuilder text = new StringBuilder();
        int from = begin(tree);
        for (Tree child : children(tree)) {
            if (begin(child) >= from) {
                text.append(codeBetween(from, begin(child)));
                from = end(child);
            }
        }
        return text.append(codeBetween(from, end(tree))).toString();
    }

    String codeBetween(int from, int to) {
        return source.substring(from, to).replaceAll("(?s)/\\*.*?\\*/|//[^\n]*|\\s+", "");
    }

    String text(Tree tree) {
        return source.substring(begin(tree), end(tree));
    }

    int begin(Tree tree) {
        return (int) positions.getStartPosition(unit, tree);
    }

    int end(Tree tree) {
        return (int) positions.getEndPosition(unit, tree);
    }

    long line(Tree tree) {
        return unit.getLineMap().getLineNumber(begin(tree));
    }

    String replaced(Tree tree, String by) {
        return replaced(begin(tree), end(tree), by);
    }

    String replaced(int from, int to, String by) {
        return source.substring(0, from) + by + source.substring(to);
    }
}

package io.github.collapseexecutor.jdbc.sequence;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;

/**
 * Names of database objects that may stand in a statement as they are, because nothing but a name can be in them.
 *
 * <p>Most databases take no parameter where a table or a sequence is named. So a name is an identifier, or one in the
 * database's quotes, with at most a schema before it; letter case is the database's business as in any statement.
 * Public for other packages of the library only.
 */
public final class SequenceName {

    private static final Pattern UNQUOTED =
            Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]*(\\.[\\p{L}_][\\p{L}\\p{N}_$]*)?");

    private static final String PART = "([\\p{L}_][\\p{L}\\p{N}_$]*|Q[^Q'\\\\]+Q)";

    private SequenceName() {}

    /**
     * Returns the name, if it is one.
     *
     * @param what names the argument in the message
     * @param quote what stands around a name that is no plain identifier
     */
    public static String checked(String what, String name, char quote) {
        if (UNQUOTED.matcher(requireNonNull(name, what)).matches()) {
            return name;
        }
        String part = PART.replace('Q', quote);
        if (name.matches(part + "(\\." + part + ")?")) {
            return name;
        }
        throw new IllegalArgumentException(what + " is '" + name + "': it must be an identifier or one within " + quote
                + ", with at most a schema before it, for example shop.order_id");
    }
}

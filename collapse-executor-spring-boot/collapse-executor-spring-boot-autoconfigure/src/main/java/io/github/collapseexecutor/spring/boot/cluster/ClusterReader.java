package io.github.collapseexecutor.spring.boot.cluster;

import static io.github.collapseexecutor.spring.boot.config.OptionsReader.setAt;

import io.github.collapseexecutor.cluster.ClusterOptions;
import io.github.collapseexecutor.core.InvalidOptionException;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.CollapseFailureAnalyzer;
import io.github.collapseexecutor.spring.boot.config.InvalidCollapsePropertyException;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Builds the options of sharing across instances from {@code collapse.executor.cluster}. */
public final class ClusterReader {

    private static final String PREFIX = OptionsReader.CLUSTER + ".prefix";

    /** What Spring leaves in a value where there is nothing to put in its place. Everybody could know such a secret. */
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^{}]+)}");

    /** Stands in for a secret that is not there, so that the other values can be checked. */
    private static final String NO_SECRET = "no secret is set, nothing is shared";

    private ClusterReader() {}

    /**
     * The options; a value that is not allowed stops the start. Two applications may have a secret and a Redis in common, from a
     * configuration that is common to all. So the names of each begin with its own.
     *
     * @param application its name; empty if it has none
     */
    public static ClusterOptions options(CollapseExecutorProperties.Cluster section, String application) {
        String secret = section.secret();
        ClusterOptions.Builder options =
                at(OptionsReader.SECRET, secret == null ? NO_SECRET : secret, ClusterOptions::builder);
        List<byte[]> others = new ArrayList<>();
        if (section.otherSecrets() != null) {
            for (String other : section.otherSecrets()) {
                others.add(other.getBytes(StandardCharsets.UTF_8));
                ClusterOptions.Builder unused =
                        at(OptionsReader.OTHER_SECRETS, other, checked -> options.otherSecrets(others));
            }
        }
        setAt(OptionsReader.CLUSTER + ".version", section.version(), options::version);
        if (section.prefix() != null) {
            setAt(PREFIX, section.prefix(), options::prefix);
        } else if (!application.isBlank()) {
            options.prefix("collapse:" + URLEncoder.encode(application, StandardCharsets.UTF_8));
        } else if (secret != null) {
            throw new InvalidCollapsePropertyException(
                    PREFIX,
                    "",
                    "neither it nor spring.application.name is set, so that this application would share with every other one that"
                            + " has the same secret and Redis",
                    "Set spring.application.name, or " + PREFIX + ", the same for all instances.");
        }
        setAt(OptionsReader.CLUSTER + ".max-delay", section.maxDelay(), options::maxDelay);
        setAt(OptionsReader.CLUSTER + ".lease", section.lease(), options::lease);
        setAt(OptionsReader.CLUSTER + ".max-wait", section.maxWait(), options::maxWait);
        setAt(OptionsReader.CLUSTER + ".max-wait-ratio", section.maxWaitRatio(), options::maxWaitRatio);
        setAt(OptionsReader.CLUSTER + ".join", section.join(), options::joinMode);
        setAt(
                OptionsReader.CLUSTER + ".max-result-size",
                section.maxResultSize(),
                size -> options.maxResultSize(bytes(size)));
        return options.build();
    }

    /** Returns what would stop the start if calls were shared; null if nothing would. Nobody reads the section while nothing is. */
    public static @Nullable String mistake(CollapseExecutorProperties.Cluster section, String application) {
        try {
            ClusterOptions unused = options(section, application);
            return null;
        } catch (InvalidCollapsePropertyException e) {
            return e.property() + " is not used, because no call is shared, and would stop the start if one was: "
                    + e.reason() + ". " + e.action();
        }
    }

    /** A refusal must not show the secret. */
    private static ClusterOptions.Builder at(
            String property, String secret, Function<byte[], ClusterOptions.Builder> use) {
        Matcher variable = VARIABLE.matcher(secret);
        if (variable.find()) {
            throw new InvalidCollapsePropertyException(
                    property,
                    CollapseFailureAnalyzer.HIDDEN,
                    "it names " + variable.group() + ", which is not set",
                    "Set " + variable.group(1) + " to at least 16 random bytes, the same for all instances.");
        }
        try {
            return use.apply(secret.getBytes(StandardCharsets.UTF_8));
        } catch (InvalidOptionException e) {
            throw new InvalidCollapsePropertyException(
                    property,
                    CollapseFailureAnalyzer.HIDDEN,
                    e.requirement(),
                    "Set another one, the same for all instances.",
                    e);
        }
    }

    private static int bytes(DataSize size) {
        return (int) Math.max(-1, Math.min(Integer.MAX_VALUE, size.toBytes()));
    }
}

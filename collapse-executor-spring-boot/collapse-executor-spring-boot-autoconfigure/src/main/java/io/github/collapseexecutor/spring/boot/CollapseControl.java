package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import io.github.collapseexecutor.spring.boot.cluster.InstanceSharing;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The switch for an incident: has requests pass uncollapsed, at once and without a restart.
 *
 * <pre>{@code
 * control.pause("rest-template");
 * control.resume("rest-template");
 * }</pre>
 *
 * <p>A section is named as in the YAML: {@code rest-template}, {@code web-client}, {@code servlet} or {@code webflux}; a group by its place under
 * {@code collapse-groups}, from 0. Annotated methods are switched by the name of their executor, {@code users.byId} for example. {@link #pauseSharing} switches the sharing with other instances by itself.
 *
 * <p>Each change holds for all adapters of a section, also for those that are made later, until it is taken back or the application
 * ends. Requests that were gathered before end as they would have. All methods are thread-safe.
 */
public final class CollapseControl {

    private static final Log logger = LogFactory.getLog(CollapseControl.class);

    // immutable
    private final HttpSections sections;
    private final ObjectProvider<CollapsingControl> annotated;
    private final ObjectProvider<InstanceSharing> sharing;

    CollapseControl(
            HttpSections sections,
            ObjectProvider<CollapsingControl> annotated,
            ObjectProvider<InstanceSharing> sharing) {
        this.sections = sections;
        this.annotated = annotated;
        this.sharing = sharing;
    }

    /**
     * Returns the sections that have adapters.
     *
     * @return their names
     */
    public List<String> sections() {
        return sections.all().stream().map(HttpSections.Section::name).toList();
    }

    /**
     * Returns the executors of annotated methods.
     *
     * @return their names
     */
    public List<String> executors() {
        CollapsingControl present = annotated();
        return present == null ? List.of() : present.executors();
    }

    private @Nullable CollapsingControl annotated() {
        return annotated.getIfAvailable();
    }

    /** The control of annotated methods, if it has an executor of this name and there is no section of it. */
    private @Nullable CollapsingControl annotatedWith(String name) {
        CollapsingControl present = annotated();
        return present != null
                        && sections.find(name) == null
                        && present.executors().contains(name)
                ? present
                : null;
    }

    /**
     * Has the requests of a section, or the calls of annotated methods, pass uncollapsed.
     *
     * @param section which section or executor
     * @throws IllegalArgumentException if there is none of this name
     */
    public void pause(String section) {
        CollapsingControl methods = annotatedWith(section);
        if (methods != null) {
            methods.pause(section);
        } else {
            controlOf(section).pause();
        }
        log(section, true);
    }

    private static void log(String what, boolean paused) {
        logger.info("Collapsing of " + what
                + (paused ? " is paused: nothing is shared until it is resumed" : " is resumed"));
    }

    /**
     * Has the requests of one group pass uncollapsed.
     *
     * @param section which section
     * @param group which of its groups, from 0
     * @throws IllegalArgumentException if there is no such section or group
     */
    public void pause(String section, int group) {
        controlOf(section).pause(groupOf(section, group));
        log(section + ", group " + group + ",", true);
    }

    /**
     * Ends the pause of a section, or of annotated methods. Groups that were paused by themselves stay paused.
     *
     * @param section which section or executor
     * @throws IllegalArgumentException if there is none of this name
     */
    public void resume(String section) {
        CollapsingControl methods = annotatedWith(section);
        if (methods != null) {
            methods.resume(section);
        } else {
            controlOf(section).resume();
        }
        log(section, false);
    }

    /**
     * Ends the pause of one group. In a section that is paused as a whole, the group stays paused with it.
     *
     * @param section which section
     * @param group which of its groups, from 0
     * @throws IllegalArgumentException if there is no such section or group
     */
    public void resume(String section, int group) {
        controlOf(section).resume(groupOf(section, group));
        log(section + ", group " + group + ",", false);
    }

    /**
     * Tells whether a section as a whole, or the executor of annotated methods, is paused.
     *
     * @param section which section or executor
     * @return whether it is
     * @throws IllegalArgumentException if there is none of this name
     */
    public boolean isPaused(String section) {
        CollapsingControl methods = annotatedWith(section);
        return methods != null ? methods.isPaused(section) : controlOf(section).isPaused();
    }

    /**
     * Tells whether the requests of a group pass uncollapsed.
     *
     * @param section which section
     * @param group which of its groups, from 0
     * @return whether the group is paused, by itself or with its section
     * @throws IllegalArgumentException if there is no such section or group
     */
    public boolean isPaused(String section, int group) {
        return controlOf(section).isPaused(groupOf(section, group));
    }

    /**
     * Forgets which requests are sent at once because the last response to their like could not be shared: the next of them are
     * gathered again.
     *
     * @param section which section
     * @throws IllegalArgumentException if there is none of this name
     */
    public void forgetPassingKeys(String section) {
        controlOf(section).forgetPassingKeys();
    }

    /**
     * Has this instance make its calls without the other instances, while its own callers go on to share. Calls that wait for other instances go on.
     *
     * @throws IllegalArgumentException if nothing is shared with other instances
     */
    public void pauseSharing() {
        presentSharing().pause(true);
        log("calls with other instances", true);
    }

    /**
     * Ends the pause of the sharing with other instances.
     *
     * @throws IllegalArgumentException if nothing is shared with other instances
     */
    public void resumeSharing() {
        presentSharing().pause(false);
        log("calls with other instances", false);
    }

    /**
     * Tells whether this instance makes its calls without the other instances because of {@link #pauseSharing}.
     *
     * @return whether it does
     * @throws IllegalArgumentException if nothing is shared with other instances
     */
    public boolean isSharingPaused() {
        return presentSharing().isPaused();
    }

    private InstanceSharing presentSharing() {
        InstanceSharing present = sharing.getIfAvailable();
        if (present == null) {
            throw new IllegalArgumentException("Nothing is shared with other instances: set " + OptionsReader.SECRET
                    + ", and cluster: true where calls are to be shared");
        }
        return present;
    }

    private HttpCollapseControl controlOf(String section) {
        return present(section).control();
    }

    private CollapseRule groupOf(String section, int group) {
        List<CollapseRule> rules = present(section).http().rules();
        if (group < 0 || group >= rules.size()) {
            throw new IllegalArgumentException("Section " + section + " has no group " + group + ": "
                    + (rules.isEmpty()
                            ? "it has no groups"
                            : "name one from 0 to " + (rules.size() - 1) + ", its place under collapse-groups"));
        }
        return rules.get(group);
    }

    private HttpSections.Section present(String section) {
        HttpSections.Section present = sections.find(section);
        if (present == null) {
            throw new IllegalArgumentException(
                    executors().contains(section)
                            ? section
                                    + " is the executor of annotated methods, which has neither groups nor passing keys"
                            : "There is no section " + section + ": name one of "
                                    + Stream.concat(sections().stream(), executors().stream())
                                            .collect(Collectors.joining(", ")));
        }
        return present;
    }
}

package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseControl;
import java.util.List;

/**
 * The switch for an incident: has requests pass uncollapsed, at once and without a restart.
 *
 * <pre>{@code
 * control.pause("rest-template");
 * control.resume("rest-template");
 * }</pre>
 *
 * <p>A section is named as in the YAML: {@code rest-template}, {@code web-client} or {@code servlet}; a group by its place under
 * {@code collapse-groups}, from 0. Each change holds for all adapters of a section, also for those that are made later, until it is
 * taken back or the application ends. Requests that were gathered before end as they would have. All methods are thread-safe.
 */
public final class CollapseControl {

    // immutable
    private final HttpSections sections;

    CollapseControl(HttpSections sections) {
        this.sections = sections;
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
     * Has the requests of a section pass uncollapsed.
     *
     * @param section which section
     * @throws IllegalArgumentException if there is none of this name
     */
    public void pause(String section) {
        controlOf(section).pause();
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
    }

    /**
     * Ends the pause of a section. Groups that were paused by themselves stay paused.
     *
     * @param section which section
     * @throws IllegalArgumentException if there is none of this name
     */
    public void resume(String section) {
        controlOf(section).resume();
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
                    "There is no section " + section + ": name one of " + String.join(", ", sections()));
        }
        return present;
    }
}

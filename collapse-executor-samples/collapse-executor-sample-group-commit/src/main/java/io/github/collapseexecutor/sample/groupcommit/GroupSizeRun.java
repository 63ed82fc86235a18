package io.github.collapseexecutor.sample.groupcommit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** So many users write so many rows each: one by one, in groups with a window of two sizes, and in groups without one. */
@Component
@Lazy
class GroupSizeRun implements Experiment {

    /** The part of the requests that is made before, so that all of the shop is compiled. */
    private static final int WARM_UP_PART = 20;

    // immutable
    private final ShopUnderLoad shop;
    private final Disks disks;
    private final RowGroups groups;
    private final LoadResult result;
    private final int users;
    private final int requests;

    GroupSizeRun(
            ShopUnderLoad shop,
            Disks disks,
            RowGroups groups,
            LoadResult result,
            @Value("${load.requests}") String requests) {
        this.shop = shop;
        this.disks = disks;
        this.groups = groups;
        this.result = result;
        if (!requests.matches("[1-9][0-9]{0,5}:[1-9][0-9]{0,5}")) {
            throw new IllegalArgumentException(
                    "load.requests is \"" + requests
                            + "\": it must be a number of users and of the requests of each, from 1 to 999999, such as 700:1000");
        }
        String[] parts = requests.split(":", -1);
        this.users = Integer.parseInt(parts[0]);
        this.requests = Integer.parseInt(parts[1]);
    }

    @Override
    public boolean run() throws IOException, InterruptedException {
        Disk first = disks.all().get(0);
        for (GroupSizeRow.Kind kind : GroupSizeRow.Kind.values()) {
            measure(first, kind, Math.max(1, requests / WARM_UP_PART));
        }
        List<GroupSizeRow> rows = new ArrayList<>();
        for (Disk disk : disks.all()) {
            for (GroupSizeRow.Kind kind : GroupSizeRow.Kind.values()) {
                GroupSizeRow row = measure(disk, kind, requests);
                rows.add(row);
                System.out.println(row);
            }
        }
        shop.tidyUp();
        return result.write(
                GroupSizeRow.page(result.machine(), users, requests, rows),
                rows.stream().map(GroupSizeRow::measurement).toList());
    }

    private GroupSizeRow measure(Disk disk, GroupSizeRow.Kind kind, int each) throws InterruptedException {
        kind.gathering().ifPresent(groups::use);
        LoadScenario.Way way = kind.gathering().isPresent() ? LoadScenario.Way.COLLAPSED : LoadScenario.Way.PLAIN;
        return new GroupSizeRow(kind, shop.measure(disk, LoadScenario.ROWS, way, load -> load.ask(users, each)));
    }
}

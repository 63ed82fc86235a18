package io.github.collapseexecutor.foreign.writes;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One set-up, drawn from a seed.
 *
 * @param layers from the driver outwards
 */
record WriteSetUp(
        long seed,
        Server server,
        Shape shape,
        List<Layer> layers,
        Fault fault,
        int stepsBeforeFault,
        boolean bySetter,
        boolean commitInStatement,
        int rows) {

    static WriteSetUp of(Server server, long seed) {
        Random random = new Random(seed * 31 + server.name().hashCode());
        random.nextLong();
        List<Shape> shapes = Shape.of(server);
        Shape shape = shapes.get(random.nextInt(shapes.size()));
        List<Layer> layers = new ArrayList<>();
        int depth = random.nextInt(4);
        for (int layer = 0; layer < depth; layer++) {
            Layer next = Layers.ALL.get(random.nextInt(Layers.ALL.size()));
            boolean isOneMore = layers.contains(next)
                    || (next.isPool() && layers.stream().anyMatch(Layer::isPool))
                    || (next.isInnermost() && layers.stream().anyMatch(Layer::isInnermost));
            if (next.takes(shape) && !isOneMore) {
                layers.add(next.isInnermost() ? 0 : layers.size(), next);
            }
        }
        List<Fault> faults = List.of(Fault.values());
        Fault drawn = faults.get(random.nextInt(faults.size()));
        Fault fault = random.nextInt(3) == 0 && shape.hasTransactions() ? drawn : Fault.NONE;
        return new WriteSetUp(
                seed,
                server,
                shape,
                layers,
                fault,
                random.nextInt(6),
                random.nextInt(3) == 0,
                random.nextBoolean(),
                4 + random.nextInt(6));
    }

    @Override
    public String toString() {
        return "seed " + seed + " " + server + " [" + shape.name() + ": " + shape.sql()
                + (shape.key().isEmpty() ? "" : " keys")
                + "] "
                + layers.stream()
                        .map(layer -> layer.getClass().getSimpleName().replace("Layer", ""))
                        .toList()
                + " " + fault + (fault == Fault.NONE ? "" : " after " + stepsBeforeFault)
                + (bySetter ? " by setter" : "") + (commitInStatement ? " commitInStatement" : "");
    }
}

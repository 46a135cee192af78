/**
 * Settings for connections that run the queue's statements. Each statement looks up a few rows by
 * index. A plan made while the table is small or its statistics are old may read the whole table,
 * and is kept until the next analyze, long after a burst has filled the table. For the same reason,
 * a statement that orders its rows gets the index with that order, and not another one that looks
 * as good while the table is empty. The estimates for a batch can also start the JIT compiler,
 * which takes a hundred times longer than the statement.
 */
export const queueSettings = { enable_seqscan: "off", enable_sort: "off", jit: "off" } as const;

/**
 * Settings for the connections that run the queue's statements. Every one of them looks up a few rows by an index. A plan is made when
 * the table is small or its statistics are old and then kept: it may read the whole table, and does so until the next analyze, long
 * after a burst has filled it. And the estimates for a batch can wake the JIT compiler, which takes a hundred times longer
 * than the statement.
 */
export const queueSettings = { enable_seqscan: "off", jit: "off" } as const;

import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ActivityRange } from "#lib/schema/watch/activity.ts";

type Latency = { readonly p50Ms: number; readonly p95Ms: number } | null;

/** The runs in a time range. */
export type PlotsView = {
  readonly range: ActivityRange;
  readonly bucketMs: number;
  readonly total: number;
  readonly failed: number;
  readonly retrying: number;
  readonly successRate: number | null;
  readonly latency: Latency;
  /** Oldest first. */
  readonly buckets: readonly {
    readonly startMs: number;
    readonly runs: number;
    readonly failed: number;
    readonly latency: Latency;
  }[];
};

/** Reads another range. */
export type ReadPlots = (range: ActivityRange) => Promise<CommandResult<PlotsView>>;

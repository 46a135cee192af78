/** The measurements of a process, as data that its supervisor can merge, in the form of `prom-client`. */
export type MetricValues = readonly MeasuredMetric[];

export type MeasuredMetric = {
  readonly name: string;
  readonly help: string;
  readonly type: unknown;
  readonly aggregator: unknown;
  readonly values: readonly Sample[];
};

export type Sample = {
  readonly value: number;
  readonly labels: object;
  /** Omitted: the name of the metric. */
  readonly metricName?: string;
};

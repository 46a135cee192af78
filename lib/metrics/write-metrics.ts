import { AggregatorRegistry, Registry } from "prom-client";
import type { MetricValues } from "./metric-values.ts";

/** Prometheus asks for OpenMetrics. `curl` and `promtool check metrics` read the older text format. */
export type MetricsFormat = "openmetrics" | "text";

/** The metrics of several processes as one text. Each has its process's name as the label `process`. */
export async function writeMetrics(
  processes: ReadonlyMap<string, MetricValues>,
  format: MetricsFormat,
): Promise<string> {
  const labeled = [...processes].map(([process, metrics]) =>
    metrics.map((metric) => ({
      ...metric,
      name: format === "openmetrics" ? familyOf(metric.name, metric.type) : metric.name,
      values: metric.values.map((value) => ({ ...value, labels: { process, ...value.labels } })),
    })),
  );
  const known = labeled.map((metrics) => metrics.filter(({ values }) => values.length > 0));
  const { OPENMETRICS_CONTENT_TYPE, PROMETHEUS_CONTENT_TYPE } = Registry;
  const merged = AggregatorRegistry.aggregate(known);
  merged.setContentType(
    format === "openmetrics" ? OPENMETRICS_CONTENT_TYPE : PROMETHEUS_CONTENT_TYPE,
  );
  return await merged.metrics();
}

/** A counter's family has no suffix in OpenMetrics. `prom-client` adds it to each of its samples. */
function familyOf(name: string, type: unknown): string {
  return type === "counter" ? name.replace(/_total$/, "") : name;
}

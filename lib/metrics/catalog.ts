/**
 * All metrics, and where they come from. docs/metrics.md has the same table, and the dashboard and
 * the alert rules in `deploy/` use no others: tests compare them. No label names a hook, an action,
 * or an account: there may be any number of them.
 */
type MetricDefinition = {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly labels?: readonly string[];
  /** Upper bounds, in seconds. */
  readonly buckets?: readonly number[];
};

/** From a millisecond to a minute. */
const quick = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** From a few milliseconds to a day, because retries may wait for hours. */
const long = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200, 86_400,
];

export const metricCatalog = {
  catchment_catch_requests_total: {
    type: "counter",
    help: "Requests to catch URLs by outcome. The code is the error code of rejected ones.",
    labels: ["outcome", "code"],
  },
  catchment_store_seconds: {
    type: "histogram",
    help: "Time from the arrival of a delivery until it was stored.",
    labels: ["outcome"],
    buckets: quick,
  },
  catchment_publish_requests_total: {
    type: "counter",
    help: "Requests that publish events by the status of their response.",
    labels: ["status"],
  },
  catchment_published_events_total: { type: "counter", help: "Events stored by the API." },
  catchment_publish_seconds: {
    type: "histogram",
    help: "Time from the arrival of a request that publishes until its events were stored.",
    buckets: quick,
  },
  catchment_first_call_seconds: {
    type: "histogram",
    help: "Time from the arrival of a delivery or an event until the first call of a run began.",
    labels: ["kind"],
    buckets: long,
  },
  catchment_run_seconds: {
    type: "histogram",
    help: "Time from the arrival of a delivery or an event until a run ended, with its retries.",
    labels: ["kind", "state"],
    buckets: long,
  },
  catchment_attempts_total: {
    type: "counter",
    help: "Attempts of runs by what came of them. The kind send is a subscription's.",
    labels: ["kind", "outcome"],
  },
  catchment_calls_total: {
    type: "counter",
    help: "Outgoing calls by the class of their status, or by the reason of their failure.",
    labels: ["kind", "outcome"],
  },
  catchment_call_seconds: {
    type: "histogram",
    help: "Duration of outgoing calls.",
    labels: ["kind"],
    buckets: quick,
  },
  catchment_runs_in_flight: { type: "gauge", help: "Runs that a worker works on now." },
  catchment_queue_runs: {
    type: "gauge",
    help: "Runs in the queue by state: due, scheduled for later, or leased by a worker.",
    labels: ["state"],
  },
  catchment_queue_oldest_due_seconds: {
    type: "gauge",
    help: "How long the oldest due run has been waiting.",
  },
  catchment_job_turns_total: {
    type: "counter",
    help: "Turns of background jobs by outcome: worked, idle, or failed.",
    labels: ["job", "outcome"],
  },
  catchment_job_seconds_total: {
    type: "counter",
    help: "Time that background jobs worked.",
    labels: ["job"],
  },
  catchment_pool_connections: {
    type: "gauge",
    help: "Database connections of a pool by state: busy or idle.",
    labels: ["pool", "state"],
  },
  catchment_pool_waiting: {
    type: "gauge",
    help: "Statements that wait for a connection of a pool.",
    labels: ["pool"],
  },
  catchment_database_up: { type: "gauge", help: "1 if the database answered this scrape." },
  catchment_database_bytes: { type: "gauge", help: "Size of the database on its disk." },
  catchment_oldest_delivery_seconds: {
    type: "gauge",
    help: "Age of the oldest week of deliveries that is stored.",
  },
  catchment_retention_seconds: {
    type: "gauge",
    help: "Configured age at which deliveries are deleted. 0: they are kept.",
  },
  catchment_disk_free_bytes: { type: "gauge", help: "Free space on the embedded database's disk." },
  catchment_disk_size_bytes: { type: "gauge", help: "Size of the embedded database's disk." },
  catchment_disk_reserve_bytes: {
    type: "gauge",
    help: "Free space below which deliveries are rejected.",
  },
  catchment_spool_waiting_deliveries: {
    type: "gauge",
    help: "Accepted deliveries that wait in the spool until the database is back.",
  },
  catchment_spool_waiting_bytes: { type: "gauge", help: "Size of what waits in the spool." },
  catchment_spool_limit_bytes: {
    type: "gauge",
    help: "Size of the spool at which deliveries are rejected.",
  },
  catchment_spool_oldest_seconds: {
    type: "gauge",
    help: "How long the oldest delivery has been waiting in the spool. 0: none waits.",
  },
  catchment_spool_set_aside: {
    type: "gauge",
    help: "What couldn't be stored for good and waits for the operator.",
  },
  catchment_spool_deliveries_total: {
    type: "counter",
    help: "Deliveries of the spool by outcome: spooled, drained, or set_aside.",
    labels: ["outcome"],
  },
  catchment_web_requests_total: {
    type: "counter",
    help: "Requests to the dashboard and the REST API by the class of their status.",
    labels: ["status"],
  },
  catchment_web_request_seconds: {
    type: "histogram",
    help: "Duration of requests to the dashboard and the REST API.",
    buckets: quick,
  },
  catchment_process_up: {
    type: "gauge",
    help: "1 if the process answered this scrape, 0 if it is down or the dashboard's is asleep.",
  },
  catchment_process_starts_total: {
    type: "counter",
    help: "How often a process was started, crashes included.",
  },
  catchment_process_cpu_seconds_total: {
    type: "counter",
    help: "CPU time of a process.",
    labels: ["mode"],
  },
  catchment_process_resident_memory_bytes: { type: "gauge", help: "Resident memory of a process." },
  catchment_process_heap_used_bytes: { type: "gauge", help: "Used JavaScript heap of a process." },
  catchment_event_loop_lag_p50_seconds: {
    type: "gauge",
    help: "Median delay of the event loop since the last scrape.",
  },
  catchment_event_loop_lag_p99_seconds: {
    type: "gauge",
    help: "99th percentile of the event loop's delay since the last scrape.",
  },
  catchment_event_loop_lag_max_seconds: {
    type: "gauge",
    help: "Longest delay of the event loop since the last scrape.",
  },
  catchment_event_loop_busy_ratio: {
    type: "gauge",
    help: "Share of the time since the last scrape in which the event loop was busy.",
  },
  catchment_gc_seconds_total: {
    type: "counter",
    help: "Time spent in garbage collection.",
    labels: ["kind"],
  },
  catchment_build_info: {
    type: "gauge",
    help: "1, with the versions.",
    labels: ["version", "node"],
  },
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof metricCatalog;

export function definitionOf(name: MetricName): MetricDefinition {
  return metricCatalog[name];
}

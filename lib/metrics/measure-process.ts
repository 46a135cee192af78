import { monitorEventLoopDelay, PerformanceObserver, performance } from "node:perf_hooks";
import type { Meter } from "./meter.ts";

/** Sampling the event loop this often costs an idle process nothing that can be measured. */
const resolutionMs = 20;
const nanoseconds = 1e9;

/** Memory, CPU time, garbage collection, and the event loop of this process. */
export function measureProcess(meter: Meter): void {
  meter.readCounter("catchment_process_cpu_seconds_total", (counter) => {
    const { user, system } = process.cpuUsage();
    counter.inc({ mode: "user" }, user / 1e6);
    counter.inc({ mode: "system" }, system / 1e6);
  });
  meter.gauge("catchment_process_resident_memory_bytes", (gauge) =>
    gauge.set(process.memoryUsage.rss()),
  );
  meter.gauge("catchment_process_heap_used_bytes", (gauge) =>
    gauge.set(process.memoryUsage().heapUsed),
  );
  measureEventLoop(meter);
  measureCollections(meter);
}

function measureEventLoop(meter: Meter): void {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  // A sample includes the time that the timer itself waits.
  const toLag = (ns: number) => Math.max(0, ns / nanoseconds - resolutionMs / 1_000) || 0;
  meter.gauge("catchment_event_loop_lag_p50_seconds", (gauge) =>
    gauge.set(toLag(delays.percentile(50))),
  );
  meter.gauge("catchment_event_loop_lag_p99_seconds", (gauge) =>
    gauge.set(toLag(delays.percentile(99))),
  );
  // The last of them, so it begins the next interval.
  meter.gauge("catchment_event_loop_lag_max_seconds", (gauge) => {
    gauge.set(toLag(delays.max));
    delays.reset();
  });
  let last = performance.eventLoopUtilization();
  meter.gauge("catchment_event_loop_busy_ratio", (gauge) => {
    const now = performance.eventLoopUtilization();
    gauge.set(performance.eventLoopUtilization(now, last).utilization);
    last = now;
  });
}

/** The kinds of V8's collections: `perf_hooks.constants`. */
const kinds = new Map([
  [1, "minor"],
  [4, "major"],
  [8, "incremental"],
  [16, "weak"],
]);

type Collection = { readonly detail: { readonly kind: number } };

function measureCollections(meter: Meter): void {
  const seconds = meter.counter("catchment_gc_seconds_total");
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as unknown as Collection).detail;
      seconds(entry.duration / 1_000, kinds.get(kind) ?? "other");
    }
  });
  observer.observe({ entryTypes: ["gc"] });
}

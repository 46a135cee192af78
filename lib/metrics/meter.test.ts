import { expect, test } from "vitest";
import { metricCatalog } from "./catalog.ts";
import { Meter } from "./meter.ts";
import { writeMetrics } from "./write-metrics.ts";

function measured(): Meter {
  const meter = new Meter();
  const count = meter.counter("catchment_catch_requests_total");
  count(2, "accepted", "");
  count(1, "rejected", "hook_not_found");
  count(1, "accepted", "");
  const seconds = meter.histogram("catchment_store_seconds");
  for (const value of [0.0005, 0.001, 0.004, 100]) seconds.observe(value, "accepted");
  meter.gauge("catchment_pool_waiting").set({ pool: "catch" }, 3);
  return meter;
}

test("the metrics of several processes are one text, told apart by the label process", async () => {
  const processes = new Map([
    ["catch-1", await measured().read()],
    ["catch-2", await measured().read()],
  ]);
  const text = await writeMetrics(processes, "text");
  const lines = text.split("\n");
  for (const process of ["catch-1", "catch-2"])
    expect(lines).toEqual(
      expect.arrayContaining([
        `catchment_catch_requests_total{process="${process}",outcome="accepted",code=""} 3`,
        `catchment_catch_requests_total{process="${process}",outcome="rejected",code="hook_not_found"} 1`,
        `catchment_store_seconds_bucket{process="${process}",le="0.001",outcome="accepted"} 2`,
        `catchment_store_seconds_bucket{process="${process}",le="60",outcome="accepted"} 3`,
        `catchment_store_seconds_bucket{process="${process}",le="+Inf",outcome="accepted"} 4`,
        `catchment_store_seconds_count{process="${process}",outcome="accepted"} 4`,
        `catchment_pool_waiting{process="${process}",pool="catch"} 3`,
      ]),
    );
  expect(lines.filter((line) => line.startsWith("# TYPE catchment_store_seconds "))).toHaveLength(
    1,
  );
});

test("OpenMetrics names a counter's family without its suffix, and ends with EOF", async () => {
  const text = await writeMetrics(new Map([["catch", await measured().read()]]), "openmetrics");
  expect(text).toContain("# TYPE catchment_catch_requests counter\n");
  expect(text).toContain('catchment_catch_requests_total{process="catch",outcome="accepted",');
  expect(text).not.toContain("_total_total");
  expect(text.endsWith("\n# EOF\n")).toBe(true);
});

test("reading twice changes nothing", async () => {
  const meter = measured();
  expect(await meter.read()).toEqual(await meter.read());
});

test("every metric is named as Prometheus asks, and none has an id as a label", () => {
  for (const [name, definition] of Object.entries(metricCatalog)) {
    const { type, labels = [] } = { labels: [], ...definition };
    expect(name).toMatch(/^catchment_[a-z0-9_]+$/);
    expect(name.endsWith("_total")).toBe(type === "counter");
    if (type === "histogram") expect(name).toMatch(/_seconds$/);
    expect(labels.filter((label) => /hook|account|action|_id$/.test(label))).toEqual([]);
  }
});

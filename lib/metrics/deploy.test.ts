import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { definitionOf, type MetricName, metricCatalog } from "./catalog.ts";

const read = (path: string) =>
  readFileSync(new URL(`../../deploy/${path}`, import.meta.url), "utf8");

type Dashboard = { readonly panels: readonly { readonly targets?: readonly { expr: string }[] }[] };
type Rules = {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
};

const dashboard = JSON.parse(read("grafana/catchment.json")) as Dashboard;
const rules = parse(read("prometheus/alerts.yaml")) as Rules;
const expressions = {
  dashboard: dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  rules: rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
};

/** A histogram has samples of three names. */
function findMetric(sample: string): MetricName | undefined {
  const names = Object.keys(metricCatalog) as MetricName[];
  const base = sample.replace(/_(bucket|sum|count)$/, "");
  return names.find((name) =>
    definitionOf(name).type === "histogram" ? name === base && sample !== base : name === sample,
  );
}

test.each(Object.entries(expressions))(
  "the %s name only metrics and labels that exist",
  (_, all) => {
    expect(all.length).toBeGreaterThan(10);
    for (const expr of all)
      for (const [, sample = "", selector = ""] of expr.matchAll(
        /(catchment_\w+)(?:\{([^}]*)\})?/g,
      )) {
        const name = findMetric(sample);
        expect(name, sample).toBeDefined();
        if (name === undefined) continue;
        const { labels = [] } = definitionOf(name);
        const used = [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label);
        expect([
          sample,
          used.filter((label) => ![...labels, "instance", "process"].includes(label ?? "")),
        ]).toEqual([sample, []]);
      }
  },
);

test("the dashboard shows what most alerts are about", () => {
  const shown = expressions.dashboard.join("\n");
  const named = expressions.rules.flatMap((expr) => expr.match(/catchment_\w+/g) ?? []);
  const missing = [...new Set(named)].filter((name) => !shown.includes(name));
  expect(missing).toEqual([
    "catchment_build_info",
    "catchment_process_starts_total",
    "catchment_database_up",
  ]);
});

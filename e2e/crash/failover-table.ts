import type {
  Acknowledged,
  Change,
  FailoverKind,
  FailoverResult,
} from "./run-failover-scenario.ts";

const kinds: readonly FailoverKind[] = ["switchover", "kill"];
const columns: readonly Acknowledged[] = ["deliveries", "events", "steps"];

/** The figures behind the verdicts. */
export function describeFailover(result: FailoverResult): readonly string[] {
  const { acknowledged, statuses, changes } = result;
  const responses = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  return [
    `acknowledged: ${columns.map((name) => `${acknowledged[name]} ${name}`).join(", ")}`,
    `responses to deliveries: ${responses.join(", ")}`,
    ...toTable(changes),
  ];
}

/** Seconds until each kind of request was acknowledged again: median and longest. */
function toTable(changes: readonly Change[]): readonly string[] {
  const rows = kinds.map((kind) => {
    const own = changes.filter((change) => change.kind === kind);
    const cells = columns.map((name) => summarize(own.map(({ gapsMs }) => gapsMs[name])));
    return [`${own.length} × ${kind}`, ...cells];
  });
  const table = [["seconds until acknowledging again", ...columns], ...rows];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  return table.map((row) => row.map((cell, at) => cell.padEnd(widths?.[at] ?? 0)).join("  "));
}

function summarize(gapsMs: readonly number[]): string {
  const sorted = gapsMs.toSorted((one, other) => one - other);
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  const longest = sorted.at(-1);
  if (median === undefined || longest === undefined) return "-";
  return `median ${toSeconds(median)}, longest ${toSeconds(longest)}`;
}

function toSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

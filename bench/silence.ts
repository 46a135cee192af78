import { parseArgs } from "node:util";
import { checkSilence } from "#lib/core/watch/silence/check-silence.ts";
import { outageHours, simulateAll } from "#lib/core/watch/silence/testing/simulate.ts";
import { buildTimeline, hourMs } from "#lib/core/watch/silence/timeline.ts";

/**
 * Ten rhythms and three outages, for many seeds: the time to find each outage, and false alarms per
 * hook and four weeks. Nothing is measured, so the figures are the same everywhere.
 */
const { values } = parseArgs({ options: { seeds: { type: "string", default: "20" } } });
const seeds = Number(values.seeds);
const results = Array.from({ length: seeds }, (_, seed) => simulateAll(seed + 1)).flat();
const byRhythm = Map.groupBy(results, ({ rhythm }) => rhythm);

const rows = [...byRhythm].map(([rhythm, runs]) => {
  const alarms = runs.map(({ falseAlarms }) => falseAlarms);
  return {
    rhythm,
    "usual gap": minutes(median(runs.map(({ usualGap }) => usualGap))),
    "false alarms a month": (sum(alarms) / seeds).toFixed(2),
    "months with more than one": `${alarms.filter((count) => count > 1).length} of ${seeds}`,
    ...Object.fromEntries(
      outageHours.map((hours, at) => [`${hours} h`, showFound(runs, hours, at)]),
    ),
  };
});
process.stdout.write(`${seeds} seeds. Found after (median; within twice the usual gap):\n`);
console.table(rows);
process.stdout.write(`A look at a hook takes ${measureLookMs().toFixed(1)} ms of a core.\n`);

function showFound(runs: typeof results, hours: number, at: number): string {
  const due = runs.filter(({ usualGap }) => hours * 60 > 2 * usualGap);
  if (due.length === 0) return "shorter than two gaps";
  const found = due.flatMap(({ foundAfter, usualGap }) => {
    const after = foundAfter[at];
    return after === null || after === undefined ? [] : [{ after, ratio: after / usualGap }];
  });
  const inTime = found.filter(({ after, ratio }) => ratio <= 2 || after <= 10);
  return `${minutes(median(found.map(({ after }) => after)))}; ${inTime.length} of ${due.length}`;
}

function minutes(count: number): string {
  return count < 180 ? `${count} min` : `${(count / 60).toFixed(1)} h`;
}

function median(counts: readonly number[]): number {
  return counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? Number.NaN;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Eight weeks with 40 deliveries an hour. CPU time, so that other load doesn't count. */
function measureLookMs(): number {
  const [looks, hours] = [200, 8 * 168];
  const everyThirdMinute = 0o11111111111111111111n;
  const untilMs = hours * hourMs;
  const input = {
    hours: Array.from({ length: hours }, (_, at) => ({
      hourMs: at * hourMs,
      accepted: 40,
      minutes: everyThirdMinute,
    })),
    listeningHours: [],
    fromMs: 0,
    untilMs,
  };
  const look = () => checkSilence(buildTimeline(input), { expectEveryMinutes: null }, 0);
  for (let warm = 0; warm < 20; warm += 1) look();
  const before = process.cpuUsage();
  for (let done = 0; done < looks; done += 1) look();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / looks;
}

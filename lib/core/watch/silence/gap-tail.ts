/**
 * False alarms that a hook may have in four weeks, on average. A hook with few deliveries may have
 * more, because every outage of it would be found late otherwise.
 */
function allowFalseAlarms(gapsInFourWeeks: number): number {
  return 0.15 * (20 / Math.max(20, gapsInFourWeeks)) ** 0.4;
}

/**
 * The tail of the distribution is estimated from as many of the longest gaps. What is regular shows
 * in few of them: four weeks have 28 nights.
 */
const tailSizes = [40, 20, 12];
const maxGaps = 41;

/**
 * The length of a gap that a hook's rhythm exceeds less than twice a year. Gaps are measured in
 * expected deliveries, so that a night is as short as its traffic.
 *
 * Peaks over threshold: the longest gaps exceed a high quantile by an exponentially distributed
 * amount, whose mean they show. For deliveries that are independent of each other, this is the
 * Poisson bound: the mean is 1. Bursts have a longer one, and a batch that comes by the clock has
 * nearly none.
 */
export function boundGap(gaps: readonly number[], weeks: number): number {
  // Typed arrays sort numbers several times faster.
  const sorted = [...Float64Array.from(gaps).sort().slice(-maxGaps)].reverse();
  const sizes = tailSizes.map((size) => Math.min(size, Math.ceil(gaps.length / 2)));
  const falseAlarms = allowFalseAlarms((gaps.length * 4) / weeks);
  return Math.min(
    ...sizes.map((size) => extrapolate(sorted, size, (size * 4) / weeks / falseAlarms)),
  );
}

/** The length that as few of the longest gaps exceed. */
function extrapolate(sorted: readonly number[], size: number, rarity: number): number {
  const threshold = sorted[size] ?? 0;
  const excess = estimateMean(sorted.slice(0, size).map((gap) => gap - threshold));
  return threshold + excess * Math.log(Math.max(Math.E, rarity));
}

/**
 * The likeliest mean of exponentially distributed values, plus half its standard error. How large the
 * first quarter of the values is doesn't matter (as if censored): outages, holidays, and mornings
 * after a change of the clocks are no part of the rhythm.
 */
function estimateMean(sorted: readonly number[]): number {
  const censored = Math.floor(sorted.length / 4);
  const seen = sorted.slice(censored);
  const total = seen.reduce((sum, value) => sum + value, censored * (seen[0] ?? 0));
  return (total / Math.max(1, seen.length)) * (1 + 0.5 / Math.sqrt(Math.max(1, seen.length)));
}

import { boundGap } from "./gap-tail.ts";
import { type Timeline, weekMinutes } from "./timeline.ts";

/** Why a hook isn't watched yet. */
export type UnknownRhythm = {
  readonly kind: "unknown";
  /** never: nothing was accepted yet. */
  readonly reason: "never" | "too_new" | "too_few";
};

/** When a hook's deliveries usually come, and how long it may be silent. */
export type KnownRhythm = {
  readonly kind: "known";
  /** Expected arrivals in a minute, for each hour of the week in UTC. */
  readonly rates: Float64Array;
  /** The silence that is unusual, in expected arrivals. */
  readonly bound: number;
  /** For each quarter of an hour of the week, the longest silence in minutes that is usual then. */
  readonly usualSilences: Float64Array;
};

type Rhythm = UnknownRhythm | KnownRhythm;

/** Two weekends, so that one is not taken for an outage. */
const minHistoryMinutes = 2 * weekMinutes;
const minArrivals = 10;
/** A week's own level counts as much as this many independent arrivals of the average week. */
const levelPrior = 20;
const maxLevel = 2;
/** From this many independent arrivals on, each hour of the day speaks for itself, and of the week. */
const arrivalsForHoursOfDay = 168;
const arrivalsForHoursOfWeek = 1_000;
/** An hour with less than this share of the average is quiet. */
const quietShare = 0.1;
const minBusyGaps = 20;
export const slotMinutes = 15;
const slots = weekMinutes / slotMinutes;
/**
 * Deliveries that are usual within 75 minutes are usual now. Clocks that change for daylight saving
 * move a rhythm by an hour, so its time zone needn't be known.
 */
const neighborSlots = 5;

/** Learns from all whole minutes of the timeline. Minutes without listening count for nothing. */
export function learnRhythm(timeline: Timeline): Rhythm {
  const { arrivals } = timeline;
  const [first, last] = [arrivals.indexOf(1), arrivals.lastIndexOf(1)];
  if (first === -1) return { kind: "unknown", reason: "never" };
  if (arrivals.length - first < minHistoryMinutes) return { kind: "unknown", reason: "too_new" };
  const span = { first, last };
  const counts = countHours(timeline, span);
  if (sum(counts.arrived) < minArrivals) return { kind: "unknown", reason: "too_few" };
  const rates = learnRates(counts);
  const levels = learnLevels(timeline, span, rates, levelPrior * counts.clumping);
  const gaps = listGaps(timeline, span, rates, levels);
  const weeks = (last + 1 - first) / weekMinutes;
  // The last week may have had a holiday.
  const level = Math.max(...levels.slice(0, 2));
  return {
    kind: "known",
    rates: rates.map((rate) => rate * level),
    bound: boundGap(gaps, Math.max(1, weeks)),
    usualSilences: learnUsualSilences(timeline, span),
  };
}

/** The hour of the week of a minute since 1970, in UTC. The first is a Thursday's. */
export function hourOfWeek(minute: number): number {
  return Math.floor((minute % weekMinutes) / 60);
}

type Span = { readonly first: number; readonly last: number };

/** Arrivals per minute of listening, by hour of the week. */
function learnRates({ arrived, listened, clumping }: ReturnType<typeof countHours>): Float64Array {
  const total = sum(arrived);
  const mean = total / sum(listened);
  const independent = total / clumping;
  const byHour = rateBy(arrived, listened, (hour) => hour % 24);
  const byDay = rateBy(arrived, listened, (hour) => Math.floor(hour / 24));
  return arrived.map((count, hour) => {
    const own = count / Math.max(1, listened[hour] ?? 0);
    const usual = ((byHour[hour % 24] ?? 0) * (byDay[Math.floor(hour / 24)] ?? 0)) / mean;
    const weekly = blend(usual, own, independent / arrivalsForHoursOfWeek);
    return blend(mean, weekly, independent / arrivalsForHoursOfDay);
  });
}

function blend(shared: number, own: number, trust: number): number {
  const share = Math.min(1, trust);
  return (1 - share) * shared + share * own;
}

function rateBy(arrived: Float64Array, listened: Float64Array, group: (hour: number) => number) {
  const [counts, minutes] = [new Float64Array(24), new Float64Array(24)];
  for (const [hour, count] of arrived.entries()) {
    const at = group(hour);
    counts[at] = (counts[at] ?? 0) + count;
    minutes[at] = (minutes[at] ?? 0) + (listened[hour] ?? 0);
  }
  return counts.map((count, at) => count / Math.max(1, minutes[at] ?? 0));
}

/**
 * Minutes with arrivals and minutes of listening, by hour of the week. `clumping` is how many
 * arrivals come together: how much more the same hour varies between weeks than it would if they
 * were independent.
 */
function countHours({ firstMinute, arrivals, listening }: Timeline, { first, last }: Span) {
  const [arrived, listened] = [new Float64Array(168), new Float64Array(168)];
  const [squares, weeks] = [new Float64Array(168), new Float64Array(168)];
  let inHour = 0;
  for (let at = first; at <= last; at += 1) {
    const hour = hourOfWeek(firstMinute + at);
    inHour += arrivals[at] ?? 0;
    listened[hour] = (listened[hour] ?? 0) + (listening[at] ?? 0);
    if (at !== last && hourOfWeek(firstMinute + at + 1) === hour) continue;
    arrived[hour] = (arrived[hour] ?? 0) + inHour;
    squares[hour] = (squares[hour] ?? 0) + inHour ** 2;
    weeks[hour] = (weeks[hour] ?? 0) + 1;
    inHour = 0;
  }
  let [variance, mean] = [0, 0];
  for (const [hour, count] of arrived.entries()) {
    const times = weeks[hour] ?? 0;
    if (times < 2) continue;
    variance += ((squares[hour] ?? 0) - count ** 2 / times) / (times - 1);
    mean += count / times;
  }
  return { arrived, listened, clumping: Math.max(1, variance / Math.max(mean, 1e-9)) };
}

/** How busy each week was, compared with the average week. The newest comes first. */
function learnLevels(
  timeline: Timeline,
  { first, last }: Span,
  rates: Float64Array,
  prior: number,
): number[] {
  const levels: number[] = [];
  for (let end = last; end >= first; end -= weekMinutes) {
    let [arrived, expected] = [0, 0];
    for (let at = Math.max(first, end - weekMinutes + 1); at <= end; at += 1) {
      arrived += timeline.arrivals[at] ?? 0;
      expected += expectAt(timeline, rates, at);
    }
    const level = (arrived + prior) / (expected + prior);
    levels.push(Math.min(maxLevel, Math.max(1 / maxLevel, level)));
  }
  return levels;
}

/**
 * The gaps between arrivals, in expected arrivals. Those that contain quiet hours, such as nights, are
 * left out if there are others: `usualSilences` knows them, and a change of the clocks or a holiday
 * makes them longer.
 */
function listGaps(
  timeline: Timeline,
  { first, last }: Span,
  rates: Float64Array,
  levels: readonly number[],
): number[] {
  const quiet = (sum(rates) / rates.length) * quietShare;
  const [busy, others]: [number[], number[]] = [[], []];
  let [expected, hasQuiet] = [0, false];
  for (let at = first + 1; at <= last; at += 1) {
    const level = levels[Math.floor((last - at) / weekMinutes)] ?? 1;
    const rate = rates[hourOfWeek(timeline.firstMinute + at)] ?? 0;
    if (timeline.listening[at] === 1) expected += rate * level;
    if (rate < quiet) hasQuiet = true;
    if (timeline.arrivals[at] !== 1) continue;
    (hasQuiet ? others : busy).push(expected);
    [expected, hasQuiet] = [0, false];
  }
  return busy.length >= minBusyGaps ? busy : [...busy, ...others];
}

function expectAt({ firstMinute, listening }: Timeline, rates: Float64Array, at: number): number {
  return (listening[at] ?? 0) * (rates[hourOfWeek(firstMinute + at)] ?? 0);
}

function learnUsualSilences(timeline: Timeline, { first, last }: Span): Float64Array {
  const { firstMinute } = timeline;
  const ages = maxAges(timeline, { first, last });
  const base = Math.floor((firstMinute + first) / slotMinutes);
  return Float64Array.from({ length: slots }, (_, slot) => {
    const perWeek: number[] = [];
    const start = (((slot - base) % slots) + slots) % slots;
    for (let at = start - slots; at < ages.length + slots; at += slots) {
      const usual = maxAround(ages, at);
      if (usual > 0) perWeek.push(usual);
    }
    perWeek.sort((a, b) => b - a);
    // One week may have had a holiday or an outage.
    return (perWeek.length >= 4 ? perWeek[1] : perWeek[0]) ?? 0;
  });
}

function maxAround(ages: Float64Array, at: number): number {
  let max = 0;
  const end = Math.min(ages.length - 1, at + neighborSlots);
  for (let each = Math.max(0, at - neighborSlots); each <= end; each += 1)
    max = Math.max(max, ages[each] ?? 0);
  return max;
}

/** The longest silence in minutes that was reached within each quarter of an hour. */
function maxAges({ firstMinute, arrivals, listening }: Timeline, { first, last }: Span) {
  const base = Math.floor((firstMinute + first) / slotMinutes);
  const ages = new Float64Array(Math.floor((firstMinute + last) / slotMinutes) - base + 1);
  let age = 0;
  for (let at = first; at <= last; at += 1) {
    age += listening[at] ?? 0;
    const slot = Math.floor((firstMinute + at) / slotMinutes) - base;
    ages[slot] = Math.max(ages[slot] ?? 0, age);
    if (arrivals[at] === 1) age = 0;
  }
  return ages;
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

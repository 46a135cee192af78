/** Ten kinds of hooks, as times of their deliveries. All are made from a seed. */
export type SimulatedRhythm = {
  readonly name: string;
  /** The times of all deliveries of the span, in minutes since 1970. Not sorted. */
  readonly arrive: (span: Span, random: () => number) => number[];
  /** Whether its gaps are within the hours in which it delivers, such as office hours. */
  readonly isActive: (minute: number) => boolean;
};

type Span = { readonly fromMinute: number; readonly untilMinute: number };

const hour = 60;
const day = 24 * hour;
const week = 7 * day;
/** 2026-10-25, 01:00 UTC: clocks in Berlin go back. */
const summerTimeEnds = Date.UTC(2026, 9, 25, 1) / 60_000;
/** Two public holidays in a row. */
const holiday = { from: Date.UTC(2026, 9, 29) / 60_000, until: Date.UTC(2026, 9, 31) / 60_000 };

const always = () => true;

export const simulatedRhythms: readonly SimulatedRhythm[] = [
  { name: "steady", arrive: atRate(() => 40), isActive: always },
  { name: "office hours", arrive: atRate((at) => (isOffice(at) ? 20 : 0)), isActive: isOffice },
  {
    name: "weekends off",
    arrive: atRate((at) => (isWeekend(at) ? 0 : 12 + 8 * dayCurve(at))),
    isActive: (at) => !isWeekend(at),
  },
  { name: "hourly batch", arrive: inBatches(hour, 5, 2, 40, 2), isActive: always },
  { name: "nightly batch", arrive: inBatches(day, 150, 10, 200, 15), isActive: always },
  { name: "bursty", arrive: inBursts(3 * hour, 30, 10), isActive: always },
  { name: "sparse", arrive: atRate(() => 5 / (week / hour)), isActive: always },
  {
    name: "growing",
    arrive: (span, random) =>
      atRate((at) => 6 * 2 ** ((at - span.fromMinute) / (2 * week)))(span, random),
    isActive: always,
  },
  {
    name: "holiday",
    arrive: atRate((at) => (isOffice(at) && !isHoliday(at) ? 20 : 0)),
    isActive: (at) => isOffice(at) && !isHoliday(at),
  },
  {
    name: "daylight saving",
    arrive: (span, random) => [
      ...atRate((at) => (isOffice(toBerlin(at)) ? 20 : 0))(span, random),
      ...inBatches(day, 150, 5, 50, 5)(span, random).map((at) => at - (toBerlin(at) - at)),
    ],
    isActive: (at) => isOffice(toBerlin(at)),
  },
];

function toBerlin(minute: number): number {
  return minute + (minute < summerTimeEnds ? 2 * hour : hour);
}

/** 1970-01-01 was a Thursday. */
function isWeekend(minute: number): boolean {
  const weekday = Math.floor(minute / day) % 7;
  return weekday === 2 || weekday === 3;
}

function isOffice(minute: number): boolean {
  const inDay = minute % day;
  return !isWeekend(minute) && inDay >= 8 * hour && inDay < 18 * hour;
}

function isHoliday(minute: number): boolean {
  return minute >= holiday.from && minute < holiday.until;
}

function dayCurve(minute: number): number {
  return Math.sin(((minute % day) / day - 0.25) * 2 * Math.PI);
}

/** Independent deliveries. `perHour` is evaluated each minute. */
function atRate(perHour: (minute: number) => number): SimulatedRhythm["arrive"] {
  return ({ fromMinute, untilMinute }, random) => {
    const times: number[] = [];
    for (let minute = fromMinute; minute < untilMinute; minute += 1) {
      const rate = perHour(minute) / 60;
      if (rate === 0) continue;
      for (let at = exponential(random) / rate; at < 1; at += exponential(random) / rate)
        times.push(minute + at);
    }
    return times;
  };
}

/** Batches by the clock, each `jitter` minutes early or late. */
function inBatches(
  every: number,
  at: number,
  jitter: number,
  size: number,
  length: number,
): SimulatedRhythm["arrive"] {
  return ({ fromMinute, untilMinute }, random) => {
    const times: number[] = [];
    for (let start = fromMinute + at; start < untilMinute; start += every) {
      const own = start + (random() * 2 - 1) * jitter;
      const count = Math.max(1, Math.round(size * (0.5 + random())));
      for (let each = 0; each < count; each += 1) times.push(own + random() * length);
    }
    return times;
  };
}

function inBursts(meanGap: number, meanSize: number, length: number): SimulatedRhythm["arrive"] {
  return ({ fromMinute, untilMinute }, random) => {
    const times: number[] = [];
    let start = fromMinute + exponential(random) * meanGap;
    for (; start < untilMinute; start += exponential(random) * meanGap) {
      const count = 1 + Math.floor(exponential(random) * meanSize);
      for (let each = 0; each < count; each += 1) times.push(start + random() * length);
    }
    return times;
  };
}

function exponential(random: () => number): number {
  return -Math.log(1 - random());
}

/** mulberry32: small, and the same numbers for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

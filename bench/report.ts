import type { PgbenchResult } from "./measure/pgbench.ts";
import type { Memory } from "./measure/sample-tree.ts";
import { describeVerification, type VerificationCost } from "./measure/verification.ts";
import type { MachineNoise } from "./measure/watch-machine.ts";
import type { IsolationMeasurement, Measurement, Round, TogetherMeasurement } from "./rounds.ts";

export type Report = {
  readonly machine: {
    readonly at: string;
    readonly node: string;
    readonly system: string;
    readonly cpus: number;
    readonly cpu: string;
    readonly memoryGb: number;
  };
  readonly rounds: readonly Round[];
  readonly summary: Summary;
  /** Paced at `pace` deliveries a second. */
  readonly sustained: TogetherMeasurement;
  readonly pace: number;
  readonly verification: VerificationCost;
};

/** Medians of the rounds; ratios are medians of each round's own ratio. */
export type Summary = {
  readonly bare: Measurement;
  readonly pgbench: PgbenchResult | null;
  readonly catching: Measurement;
  readonly together: TogetherMeasurement;
  readonly isolation: IsolationMeasurement;
  readonly ratios: {
    readonly catchToBare: number;
    readonly catchToPgbench: number | null;
    readonly busyToIdleP99: number;
  };
};

export function summarizeRounds(rounds: readonly Round[]): Summary {
  const pgbench = rounds.flatMap((round) => (round.pgbench === null ? [] : [round.pgbench]));
  const ratio = (of: (round: Round) => number) => median(rounds.map(of));
  return {
    bare: medianOf(rounds.map((round) => round.bare)),
    pgbench: pgbench.length === 0 ? null : medianOf(pgbench),
    catching: medianOf(rounds.map((round) => round.catching)),
    together: medianOf(rounds.map((round) => round.together)),
    isolation: medianOf(rounds.map((round) => round.isolation)),
    ratios: {
      catchToBare: ratio(({ catching, bare }) => catching.perSecond / bare.perSecond),
      catchToPgbench:
        pgbench.length === 0
          ? null
          : ratio((round) => round.catching.perSecond / (round.pgbench?.perSecond ?? Number.NaN)),
      busyToIdleP99: ratio(({ isolation }) => isolation.busyP99 / isolation.idleP99),
    },
  };
}

/** The same shape with the median of every number in it. */
function medianOf<T>(values: readonly T[]): T {
  const [first] = values;
  if (typeof first === "number") return median(values as readonly number[]) as T;
  if (typeof first !== "object" || first === null) return first as T;
  const entries = Object.keys(first).map((key) => [
    key,
    medianOf(values.map((value) => (value as Record<string, unknown>)[key])),
  ]);
  return Object.fromEntries(entries) as T;
}

function median(values: readonly number[]): number {
  const sorted = values.filter((value) => typeof value === "number").sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function describeReport({
  machine,
  summary,
  sustained,
  pace,
  verification,
  rounds,
}: Report): string {
  const { bare, pgbench, catching, together, isolation, ratios } = summary;
  const keepsUp =
    sustained.callsPerSecond >= 0.95 * sustained.perSecond &&
    sustained.backlog <= sustained.perSecond;
  return [
    "",
    `${machine.cpus} × ${machine.cpu}, ${machine.memoryGb} GB, Node ${machine.node}; medians of ${rounds.length}`,
    "",
    row("", "req/s", "p50 ms", "p99 ms", "CPU µs a request"),
    row("bare node:http", ...rates(bare)),
    ...(pgbench === null
      ? []
      : [row("pgbench -c64", whole(pgbench.perSecond), ms(pgbench.p50), ms(pgbench.p99), "")]),
    row("catch", ...rates(catching)),
    row("catch + worker + sink, flooded", ...rates(together)),
    row(`catch + worker + sink at ${pace}/s`, ...rates(sustained)),
    "",
    `Flooded: ${whole(together.callsPerSecond)} calls/s meanwhile, ${whole(together.backlog)} runs left, finished in ${together.drainSeconds.toFixed(1)} s: ${whole(together.workedThroughPerSecond)}/s in all.`,
    `At ${pace}/s: ${whole(sustained.callsPerSecond)} calls/s, ${whole(sustained.backlog)} runs open at the end (${keepsUp ? "it keeps up" : "it falls behind"}).`,
    `Memory without PostgreSQL: ${describeMemory(together)}; catch alone: ${describeMemory(catching)}; with pages being made: ${describeMemory(isolation)}.`,
    `500 deliveries/s: p99 ${ms(isolation.idleP99)} ms; with ${isolation.pagesPerSecond.toFixed(0)} pages/s ${ms(isolation.busyP99)} ms${isolation.pageFailures > 0 ? ` (${isolation.pageFailures} pages failed)` : ""}.`,
    `Machine noise: with catch ${describeNoise(catching.noise)}; at 500/s ${describeNoise(isolation.idleNoise)}; with pages ${describeNoise(isolation.busyNoise)}.`,
    `Load generator: ${bare.generatorCpuPerRequest} µs a request against node:http, ${catching.generatorCpuPerRequest} against catch.`,
    "",
    describeVerification(verification),
    "",
    ...targets([
      [
        "verifying a Stripe delivery < 20 µs",
        `${stripeMicroseconds(verification).toFixed(1)} µs`,
        stripeMicroseconds(verification) < 20,
      ],
      [
        "a malformed header < 5 ms",
        `${verification.worstMalformed.milliseconds.toFixed(2)} ms`,
        verification.worstMalformed.milliseconds < 5,
      ],
      ["catch ≥ 0.20 of bare node:http", ratios.catchToBare.toFixed(2), ratios.catchToBare >= 0.2],
      ...(ratios.catchToPgbench === null
        ? []
        : [
            [
              "catch ≥ 0.7 of pgbench",
              ratios.catchToPgbench.toFixed(2),
              ratios.catchToPgbench >= 0.7,
            ] as const,
          ]),
      [
        "catch p99 < 25 ms at 64 connections",
        `${ms(catching.latency.p99)} ms`,
        catching.latency.p99 < 25,
      ],
      [
        "catch + worker + sink ≥ 5,000/s",
        `${whole(sustained.callsPerSecond)}/s`,
        keepsUp && sustained.callsPerSecond >= 5_000,
      ],
      ["memory < 350 MB", `${together.memory.sharedOnceMb} MB`, together.memory.sharedOnceMb < 350],
      [
        "memory < 350 MB with pages being made",
        `${isolation.memory.sharedOnceMb} MB`,
        isolation.memory.sharedOnceMb < 350,
      ],
      [
        "a busy page raises p99 at most twofold",
        ratios.busyToIdleP99.toFixed(2),
        ratios.busyToIdleP99 <= 2,
      ],
      [
        "every request accepted",
        whole(refusals(summary) + sustained.rejected),
        refusals(summary) + sustained.rejected === 0,
      ],
    ]),
  ].join("\n");
}

function stripeMicroseconds({ kinds }: VerificationCost): number {
  return kinds[0]?.microseconds ?? Number.NaN;
}

function refusals({ catching, together, bare }: Summary): number {
  return catching.rejected + together.rejected + bare.rejected;
}

function rates({
  perSecond,
  latency,
  cpuPerRequest,
}: Measurement): [string, string, string, string] {
  const cpu = Object.entries(cpuPerRequest).map(
    ([role, microseconds]) => `${role} ${microseconds}`,
  );
  return [whole(perSecond), ms(latency.p50), ms(latency.p99), cpu.join(", ")];
}

function describeMemory({ memory }: { readonly memory: Memory }): string {
  const parts = Object.entries(memory.byRole).map(([role, mb]) => `${role} ${Math.round(mb)}`);
  return `${memory.sumMb} MB resident (${parts.join(", ")}), ${memory.sharedOnceMb} MB with shared pages counted once`;
}

function describeNoise({ stolen, flush }: MachineNoise): string {
  const share = stolen === null ? "" : `${Math.round(stolen * 100)} % of the CPU taken by others, `;
  return `${share}flushing 8 KiB took ${ms(flush.p50)} ms (p99 ${ms(flush.p99)}, longest ${whole(flush.max)})`;
}

function targets(
  rows: readonly (readonly [what: string, figure: string, isMet: boolean])[],
): string[] {
  return rows.map(([what, figure, isMet]) => `${isMet ? "✓" : "✗"} ${what}: ${figure}`);
}

function row(what: string, perSecond: string, p50 = "", p99 = "", cpu = ""): string {
  return `${what.padEnd(32)}${perSecond.padStart(9)}${p50.padStart(9)}${p99.padStart(9)}  ${cpu}`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function ms(value: number): string {
  return value.toFixed(1);
}

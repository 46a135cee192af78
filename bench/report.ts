import type { PgbenchResult } from "./measure/pgbench.ts";
import type { Memory } from "./measure/sample-tree.ts";
import { describeVerification, type VerificationCost } from "./measure/verification.ts";
import type { MachineNoise } from "./measure/watch-machine.ts";
import { describeBudget, figuresOfBudget } from "./outcome/budget.ts";
import { median, medianOf } from "./outcome/medians.ts";
import type { Figures, Machine } from "./outcome/results.ts";
import { formatTable } from "./outcome/table.ts";
import { peerKinds } from "./peers/peer-kinds.ts";
import {
  type IsolationMeasurement,
  type Measurement,
  type PeerMeasurement,
  processorTime,
  type Round,
  type TogetherMeasurement,
} from "./rounds/rounds.ts";

export type Report = {
  readonly rounds: readonly Round[];
  readonly summary: Summary;
  /** The measurement paced at `pace` deliveries a second. */
  readonly sustained: TogetherMeasurement;
  readonly pace: number;
  readonly verification: VerificationCost;
};

/** Medians of the rounds; ratios are medians of each round's own ratio. */
type Summary = {
  readonly bare: Measurement;
  readonly pgbench: PgbenchResult | null;
  readonly peers: Readonly<Record<string, PeerMeasurement>>;
  readonly catching: Measurement;
  readonly together: TogetherMeasurement;
  readonly isolation: IsolationMeasurement;
  readonly ratios: {
    readonly catchToBare: number;
    readonly catchToPgbench: number | null;
    /** Our throughput divided by each peer's, by the peer's name. */
    readonly togetherToPeers: Readonly<Record<string, number>>;
    /** Our processor time per delivery divided by each peer's. */
    readonly processorToPeers: Readonly<Record<string, number>>;
    /** The ratio of the worst round. */
    readonly busyToIdleP99: number;
  };
};

export function summarizeRounds(rounds: readonly Round[]): Summary {
  const ratio = (of: (round: Round) => number) => median(rounds.map(of));
  const medianIfAny = <T>(of: (round: Round) => T | null) => {
    const values = rounds.map(of).filter((value) => value !== null);
    return values.length === 0 ? null : medianOf(values);
  };
  const ratioIfAny = (of: (round: Round) => number | null) => {
    const ratios = rounds.map(of).filter((value) => value !== null);
    return ratios.length === 0 ? null : median(ratios);
  };
  return {
    bare: medianOf(rounds.map((round) => round.bare)),
    pgbench: medianIfAny(({ pgbench }) => pgbench),
    peers: medianOf(rounds.map((round) => round.peers)),
    catching: medianOf(rounds.map((round) => round.catching)),
    together: medianOf(rounds.map((round) => round.together)),
    isolation: medianOf(rounds.map((round) => round.isolation)),
    ratios: {
      catchToBare: ratio(({ catching, bare }) => catching.perSecond / bare.perSecond),
      catchToPgbench: ratioIfAny(
        ({ catching, pgbench }) => pgbench && catching.perSecond / pgbench.perSecond,
      ),
      togetherToPeers: medianOf(
        rounds.map(({ together, peers }) =>
          mapValues(peers, (peer) => together.workedThroughPerSecond / peer.workedThroughPerSecond),
        ),
      ),
      processorToPeers: medianOf(
        rounds.map(({ together, peers }) =>
          mapValues(peers, (peer) => processorTime(together) / processorTime(peer)),
        ),
      ),
      busyToIdleP99: Math.max(
        ...rounds.map(({ isolation }) => isolation.busyP99 / isolation.idleP99),
      ),
    },
  };
}

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** The figures by which two runs are compared. */
export function figuresOf({ summary, sustained }: Report): Figures {
  const { bare, pgbench, peers, catching, together, isolation, ratios } = summary;
  const ifAny = (name: string, value: number | null | undefined): Record<string, number> =>
    value === null || value === undefined ? {} : { [name]: value };
  return {
    "bare node:http, per second": bare.perSecond,
    ...ifAny("pgbench, per second", pgbench?.perSecond),
    "catch, per second": catching.perSecond,
    "catch p50, ms": catching.latency.p50,
    "catch p99, ms": catching.latency.p99,
    "catch to bare": ratios.catchToBare,
    ...ifAny("catch to pgbench", ratios.catchToPgbench),
    "worked through, per second": together.workedThroughPerSecond,
    "processor µs a delivery": processorTime(together),
    ...Object.fromEntries(
      Object.entries(peers).flatMap(([name, peer]) => [
        [`${name}, per second`, peer.workedThroughPerSecond],
        [`worked through to ${name}`, ratios.togetherToPeers[name] ?? Number.NaN],
        [`${name}, processor µs a delivery`, processorTime(peer)],
        [`processor time to ${name}`, ratios.processorToPeers[name] ?? Number.NaN],
      ]),
    ),
    "sustained, calls per second": sustained.callsPerSecond,
    ...figuresOfBudget(together.budget),
    "p99 at 500/s, ms": isolation.idleP99,
    "p99 at 500/s with busy pages, ms": isolation.busyP99,
    "memory, dashboard asleep, MB": together.memory.sharedOnceMb,
    "memory, dashboard in use, MB": isolation.memory.sharedOnceMb,
  };
}

export function describeReport(machine: Machine, report: Report): string {
  const { summary, sustained, pace, verification, rounds } = report;
  const { bare, pgbench, peers, catching, together, isolation } = summary;
  const busy = rounds.map(
    (round) => `${ms(round.isolation.idleP99)} → ${ms(round.isolation.busyP99)}`,
  );
  return [
    "",
    `${machine.cpus} × ${machine.cpu}, ${machine.memoryGb} GB, Node ${machine.node}; medians of ${rounds.length}`,
    "",
    formatTable(
      ["", "req/s", "p50 ms", "p99 ms", "CPU µs a request"],
      [
        ["bare node:http", ...rates(bare)],
        ...(pgbench === null
          ? []
          : [["pgbench -c64", whole(pgbench.perSecond), ms(pgbench.p50), ms(pgbench.p99)]]),
        ["catch", ...rates(catching)],
        ["catch + worker + sink, flooded", ...rates(together)],
        [`catch + worker + sink at ${pace}/s`, ...rates(sustained)],
        ...Object.entries(peers).map(([name, peer]) => [`${name} + sink, flooded`, ...rates(peer)]),
      ],
    ),
    ...describePeers(summary),
    "",
    describeBudget(together.budget),
    "",
    `Flooded: ${whole(together.callsPerSecond)} calls/s meanwhile, ` +
      `${whole(together.backlog)} runs left, finished in ` +
      `${together.drainSeconds.toFixed(1)} s: ` +
      `${whole(together.workedThroughPerSecond)}/s in all.`,
    `At ${pace}/s: ${whole(sustained.callsPerSecond)} calls/s, ${whole(sustained.backlog)} ` +
      `runs open at the end (${keepsUp(sustained) ? "it keeps up" : "it falls behind"}).`,
    `Memory without PostgreSQL: ${describeMemory(together)}; catch alone: ` +
      `${describeMemory(catching)}; with pages being made: ${describeMemory(isolation)}.`,
    "500 deliveries/s, p99 of each round without → with " +
      `${isolation.pagesPerSecond.toFixed(0)} pages/s: ${busy.join(", ")} ` +
      `ms${isolation.pageFailures > 0 ? ` (${isolation.pageFailures} pages failed)` : ""}.`,
    `Machine noise: with catch ${describeNoise(catching.noise)}; at 500/s ` +
      `${describeNoise(isolation.idleNoise)}; with pages ` +
      `${describeNoise(isolation.busyNoise)}.`,
    `Load generator: ${bare.generatorCpuPerRequest} µs a request against ` +
      `node:http, ${catching.generatorCpuPerRequest} against catch.`,
    "",
    describeVerification(verification),
    "",
    ...describeTargets(report),
  ].join("\n");
}

/** The table of each peer's throughput, its processor time, and the data that it keeps. */
function describePeers({ peers, ratios, together }: Summary): string[] {
  if (Object.keys(peers).length === 0) return [];
  const times = (ratio: number | undefined) => `${(ratio ?? Number.NaN).toFixed(2)} ×`;
  const row = (
    measured: Measurement & { readonly workedThroughPerSecond: number },
    [throughput, processor]: readonly [string, string],
  ) => [
    whole(measured.workedThroughPerSecond),
    throughput,
    ms(measured.latency.p99),
    whole(processorTime(measured)),
    processor,
  ];
  const rows = peerKinds.flatMap(({ name, keeps }) => {
    const peer = peers[name];
    if (peer === undefined) return [];
    const toPeer = [
      times(ratios.togetherToPeers[name]),
      times(ratios.processorToPeers[name]),
    ] as const;
    return [[name, ...row(peer, toPeer), keeps]];
  });
  const own = "the delivery, its verdict, run, attempt, request, and response, searchable";
  const ours = ["Catchment", ...row(together, ["", ""]), own];
  const head = [
    "worked through",
    "per second",
    "ours to it",
    "p99 ms",
    "CPU µs a delivery",
    "ours to it",
    "what it keeps",
  ];
  return ["", formatTable(head, [ours, ...rows])];
}

function describeTargets({ summary, sustained, verification }: Report): string[] {
  const { catching, together, isolation, ratios } = summary;
  const { catchToPgbench, togetherToPeers, processorToPeers } = ratios;
  const stripe = verification.kinds[0]?.microseconds ?? Number.NaN;
  const malformed = verification.worstMalformed.milliseconds;
  const [asleep, inUse] = [together.memory.sharedOnceMb, isolation.memory.sharedOnceMb];
  const rejected =
    catching.rejected + together.rejected + summary.bare.rejected + sustained.rejected;
  const rows: readonly (readonly [what: string, figure: string, isMet: boolean])[] = [
    ["verifying a Stripe delivery < 20 µs", `${stripe.toFixed(1)} µs`, stripe < 20],
    ["a malformed header < 5 ms", `${malformed.toFixed(2)} ms`, malformed < 5],
    ["catch ≥ 9,000/s", `${whole(catching.perSecond)}/s`, catching.perSecond >= 9_000],
    ["catch ≥ 0.20 of bare node:http", ratios.catchToBare.toFixed(2), ratios.catchToBare >= 0.2],
    ...(catchToPgbench === null
      ? []
      : [["catch ≥ 0.45 of pgbench", catchToPgbench.toFixed(2), catchToPgbench >= 0.45] as const]),
    [
      "catch p99 < 25 ms at 64 connections",
      `${ms(catching.latency.p99)} ms`,
      catching.latency.p99 < 25,
    ],
    [
      "worked through, flooded ≥ 5,000/s",
      `${whole(together.workedThroughPerSecond)}/s`,
      together.workedThroughPerSecond >= 5_000,
    ],
    [
      "sustained ≥ 4,500/s",
      `${whole(sustained.callsPerSecond)}/s`,
      keepsUp(sustained) && sustained.callsPerSecond >= 4_500,
    ],
    ...peerKinds.flatMap(({ name, target }) => {
      const ratio = togetherToPeers[name];
      if (ratio === undefined || target === null) return [];
      const what = `worked through ≥ ${target} × ${name}`;
      return [[what, `${ratio.toFixed(2)} ×`, ratio >= target] as const];
    }),
    ...peerKinds.flatMap(({ name, processorTarget: target }) => {
      const ratio = processorToPeers[name];
      if (ratio === undefined || target === null) return [];
      const what = `processor time ≤ ${target} × ${name}`;
      return [[what, `${ratio.toFixed(2)} ×`, ratio <= target] as const];
    }),
    ["memory ≤ 512 MB with the dashboard asleep", `${asleep} MB`, asleep <= 512],
    ["memory ≤ 640 MB with pages being made", `${inUse} MB`, inUse <= 640],
    [
      "busy pages raise p99 at most twofold, in every round",
      ratios.busyToIdleP99.toFixed(2),
      ratios.busyToIdleP99 <= 2,
    ],
    ["every request accepted", whole(rejected), rejected === 0],
  ];
  return rows.map(([what, figure, isMet]) => `${isMet ? "✓" : "✗"} ${what}: ${figure}`);
}

function keepsUp({ callsPerSecond, perSecond, backlog }: TogetherMeasurement): boolean {
  return callsPerSecond >= 0.95 * perSecond && backlog <= perSecond;
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

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function ms(value: number): string {
  return value.toFixed(1);
}

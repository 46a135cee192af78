import type { KillTarget } from "./kill-plan.ts";

export type Mutant = {
  readonly title: string;
  /**
   * The module that every process of the server loads first, with Node's own `--import`: the
   * product has no switch for it.
   */
  readonly module: string;
  readonly targets: readonly KillTarget[];
  readonly kills: number;
  readonly ratePerSecond: number;
  readonly sinkDelayMs: number;
  /** The calls that its worker makes at a time, if there are other limits than the product's. */
  readonly slots?: number;
  /** The invariant that must be seen to break. */
  readonly breaks: "I1" | "I3" | "I8";
};

/** More than twice as much as the worker's slots work through, so that hundreds of runs wait in its memory. */
export const waitingLoad = {
  module: locate("few-slots.ts"),
  targets: ["worker"],
  kills: 2,
  ratePerSecond: 400,
  sinkDelayMs: 250,
  slots: 40,
} as const satisfies Omit<Mutant, "title" | "breaks">;

/** Servers that break a promise. A harness that misses one of them proves nothing. */
export const mutants = {
  ackBeforeStore: {
    title: "a delivery is acknowledged before it is stored",
    module: locate("ack-before-store.ts"),
    targets: ["catch"],
    kills: 2,
    ratePerSecond: 0,
    sinkDelayMs: 0,
    breaks: "I1",
  },
  doneBeforeSend: {
    title: "a run is recorded as done before its call is made",
    module: locate("done-before-send.ts"),
    targets: ["worker"],
    kills: 2,
    ratePerSecond: 800,
    sinkDelayMs: 25,
    breaks: "I3",
  },
  handOverBeforeCommit: {
    title: "a run is handed over to the worker before its delivery is committed",
    module: locate("hand-over-before-commit.ts"),
    targets: ["catch"],
    kills: 5,
    ratePerSecond: 800,
    sinkDelayMs: 0,
    breaks: "I3",
  },
  countWaiting: {
    title: "an attempt is counted for runs that waited in the memory of a killed worker",
    ...waitingLoad,
    module: locate("count-waiting.ts"),
    breaks: "I8",
  },
  commitWithoutSync: {
    title: "PostgreSQL reports a commit before it has written it (synchronous_commit = off)",
    module: locate("commit-without-sync.ts"),
    targets: ["postgres"],
    kills: 3,
    ratePerSecond: 0,
    sinkDelayMs: 0,
    breaks: "I1",
  },
} as const satisfies Record<string, Mutant>;

export type MutantName = keyof typeof mutants;

function locate(file: string): string {
  return new URL(`./mutants/${file}`, import.meta.url).href;
}

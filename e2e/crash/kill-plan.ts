import type { TreeProcess } from "#e2e/harness/process-tree.ts";

/**
 * The processes killed at once. `everything` is the whole tree with PostgreSQL. `application`
 * leaves PostgreSQL behind as an orphan for the next start. The others are parts that the
 * supervisor has to restart.
 */
export type KillTarget = "everything" | "application" | "catch" | "worker" | "postgres";

export const allTargets: readonly KillTarget[] = [
  "everything",
  "worker",
  "postgres",
  "application",
  "catch",
];

type PlannedKill = {
  readonly target: KillTarget;
  /** The time in milliseconds that the load runs undisturbed before the kill. */
  readonly afterMs: number;
};

const usualSpread = { fromMs: 200, toMs: 1_500 };

/**
 * Plans the kills. The same seed gives the same plan. Each target comes once before any is
 * repeated.
 */
export function planKills(
  count: number,
  targets: readonly KillTarget[],
  seed: number,
  { fromMs, toMs } = usualSpread,
): PlannedKill[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => ({
    target: targets[index % targets.length] ?? "everything",
    afterMs: fromMs + Math.floor(random() * (toMs - fromMs)),
  }));
}

export function isHit(target: KillTarget, { role }: TreeProcess): boolean {
  switch (target) {
    case "everything":
      return true;
    case "application":
      return role !== "postgres";
    default:
      return role === target;
  }
}

/** True if the harness has to start the server again, as its operator would. */
export function endsSupervisor(target: KillTarget): boolean {
  return target === "everything" || target === "application";
}

/** mulberry32: enough for offsets. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

import { readFileSync } from "node:fs";
import { listTree, readCpuMs, type TreeProcess } from "#e2e/harness/process-tree.ts";

/** The usage of each process of a tree so far. */
type TreeSample = readonly {
  readonly pid: number;
  readonly role: TreeProcess["role"];
  readonly cpuMs: number;
  readonly rssMb: number;
  /**
   * The part of `rssMb` that other processes share (mostly the Node binary). Null if the system
   * doesn't report it.
   */
  readonly sharedMb: number | null;
}[];

export async function sampleTree(rootPid: number): Promise<TreeSample> {
  const tree = await listTree(rootPid);
  return tree.map(({ pid, role, rssMb }) => ({
    pid,
    role,
    rssMb,
    cpuMs: readCpuMs(pid) ?? 0,
    sharedMb: readSharedMb(pid),
  }));
}

function readSharedMb(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    const sizes = text.matchAll(/^Shared_(?:Clean|Dirty):\s+(\d+) kB/gm);
    return [...sizes].reduce((sum, [, kb]) => sum + Number(kb), 0) / 1024;
  } catch {
    return null;
  }
}

/**
 * Microseconds of CPU time for each of `count` requests, by role. Processes that ended since are
 * missing.
 */
export function cpuPerRequest(
  before: TreeSample,
  after: TreeSample,
  count: number,
): Record<string, number> {
  const spentBefore = new Map(before.map(({ pid, cpuMs }) => [pid, cpuMs]));
  const used: Record<string, number> = {};
  for (const { pid, role, cpuMs } of after) {
    const microseconds = (cpuMs - (spentBefore.get(pid) ?? 0)) * 1000;
    used[role] = (used[role] ?? 0) + microseconds / Math.max(1, count);
  }
  return Object.fromEntries(
    Object.entries(used).map(([role, value]) => [role, Math.round(value * 10) / 10]),
  );
}

export type Memory = {
  /** Resident memory by role. */
  readonly byRole: Readonly<Record<string, number>>;
  readonly sumMb: number;
  /** The sum with shared pages counted once, for the process that has most of them. */
  readonly sharedOnceMb: number;
};

/**
 * The memory in megabytes, without PostgreSQL: its processes count shared pages many times over.
 */
export function memoryOf(sample: TreeSample): Memory {
  const own = sample.filter(({ role }) => role !== "postgres");
  const byRole: Record<string, number> = {};
  for (const { role, rssMb } of own) byRole[role] = Math.round((byRole[role] ?? 0) + rssMb);
  const sum = (of: (process: TreeSample[number]) => number) =>
    Math.round(own.reduce((total, item) => total + of(item), 0));
  const maxShared = Math.max(0, ...own.map(({ sharedMb }) => sharedMb ?? 0));
  return {
    byRole,
    sumMb: sum(({ rssMb }) => rssMb),
    sharedOnceMb: Math.round(sum(({ rssMb, sharedMb }) => rssMb - (sharedMb ?? 0)) + maxShared),
  };
}

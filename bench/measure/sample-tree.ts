import { readFileSync } from "node:fs";
import { listTree, readCpuMs, type TreeProcess } from "#e2e/harness/process-tree.ts";

/** What each process of a tree has used so far. */
export type TreeSample = readonly {
  readonly pid: number;
  readonly role: TreeProcess["role"];
  readonly cpuMs: number;
  readonly rssMb: number;
  /** As `rssMb`, with what several processes share counted once; null where the system doesn't tell. */
  readonly pssMb: number | null;
}[];

export async function sampleTree(rootPid: number): Promise<TreeSample> {
  const tree = await listTree(rootPid);
  return tree.map(({ pid, role, rssMb }) => ({
    pid,
    role,
    rssMb,
    cpuMs: readCpuMs(pid) ?? 0,
    pssMb: readPssMb(pid),
  }));
}

function readPssMb(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? Number.NaN) / 1024;
  } catch {
    return null;
  }
}

/** Microseconds of processor time for each of `count` requests, by role. What a process did that has ended since is missing. */
export function cpuPerRequest(before: TreeSample, after: TreeSample, count: number): Record<string, number> {
  const spentBefore = new Map(before.map(({ pid, cpuMs }) => [pid, cpuMs]));
  const used: Record<string, number> = {};
  for (const { pid, role, cpuMs } of after) {
    const microseconds = (cpuMs - (spentBefore.get(pid) ?? 0)) * 1000;
    used[role] = (used[role] ?? 0) + microseconds / Math.max(1, count);
  }
  return Object.fromEntries(Object.entries(used).map(([role, value]) => [role, Math.round(value * 10) / 10]));
}

export type Memory = {
  /** Resident, by role. */
  readonly byRole: Readonly<Record<string, number>>;
  readonly sumMb: number;
  /** With what they share (the Node binary, mostly) counted once; 0 where that is not known. */
  readonly sharedOnceMb: number;
};

/** In megabytes. PostgreSQL's is left out: its processes count what they share many times over. */
export function memoryOf(sample: TreeSample): Memory {
  const own = sample.filter(({ role }) => role !== "postgres");
  const byRole: Record<string, number> = {};
  for (const { role, rssMb } of own) byRole[role] = Math.round((byRole[role] ?? 0) + rssMb);
  const sum = (of: (process: TreeSample[number]) => number) =>
    Math.round(own.reduce((total, item) => total + of(item), 0));
  return { byRole, sumMb: sum(({ rssMb }) => rssMb), sharedOnceMb: sum(({ pssMb }) => pssMb ?? 0) };
}

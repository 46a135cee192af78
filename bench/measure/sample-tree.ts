import { listTree, readCpuMs, type TreeProcess } from "../../e2e/harness/process-tree.ts";

type Role = TreeProcess["role"];

/** What the processes of one role have used so far. */
export type RoleSample = { readonly cpuMs: number; readonly rssMb: number };
export type TreeSample = ReadonlyMap<Role, RoleSample>;

export async function sampleTree(rootPid: number): Promise<TreeSample> {
  const sample = new Map<Role, RoleSample>();
  for (const { pid, role, rssMb } of await listTree(rootPid)) {
    const before = sample.get(role) ?? { cpuMs: 0, rssMb: 0 };
    sample.set(role, { cpuMs: before.cpuMs + (readCpuMs(pid) ?? 0), rssMb: before.rssMb + rssMb });
  }
  return sample;
}

/** Microseconds of processor time for each of `count` requests, by role. */
export function cpuPerRequest(before: TreeSample, after: TreeSample, count: number): Record<string, number> {
  const used = [...after].map(([role, { cpuMs }]) => {
    const microseconds = (cpuMs - (before.get(role)?.cpuMs ?? 0)) * 1000;
    return [role, Math.round((microseconds / Math.max(1, count)) * 10) / 10] as const;
  });
  return Object.fromEntries(used);
}

/** Megabytes in memory by role. PostgreSQL's is left out: its processes count what they share many times over. */
export function memoryOf(sample: TreeSample): { readonly byRole: Record<string, number>; readonly sumMb: number } {
  const own = [...sample].filter(([role]) => role !== "postgres");
  const byRole = Object.fromEntries(own.map(([role, { rssMb }]) => [role, Math.round(rssMb)]));
  return { byRole, sumMb: Math.round(own.reduce((sum, [, { rssMb }]) => sum + rssMb, 0)) };
}

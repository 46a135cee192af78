import { existsSync, mkdtempSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type MemoryLimit = {
  /** Limits these processes and those that they start, together. */
  add(pids: readonly number[]): void;
  /** Once they have ended. */
  remove(): void;
};

const versions = [
  { root: "/sys/fs/cgroup", mark: "cgroup.subtree_control", file: "memory.max" },
  { root: "/sys/fs/cgroup/memory", mark: "memory.use_hierarchy", file: "memory.limit_in_bytes" },
];

/**
 * Makes a control group of Linux with this much memory. What its processes read from files counts
 * too, so a machine with more memory measures like one without.
 */
export function limitMemory(bytes: number): MemoryLimit {
  const group = makeGroup(bytes);
  return {
    add(pids) {
      for (const pid of pids) writeFileSync(join(group, "cgroup.procs"), String(pid));
      // A page counts for the group that read it first.
      writeFileSync("/proc/sys/vm/drop_caches", "1");
    },
    remove: () => rmdirSync(group),
  };
}

/** @returns its folder */
function makeGroup(bytes: number): string {
  try {
    const found = versions.find(({ root, mark }) => existsSync(join(root, mark)));
    if (found === undefined) throw new Error("there is none");
    const { root, mark, file } = found;
    if (file === "memory.max") writeFileSync(join(root, mark), "+memory");
    const group = mkdtempSync(join(root, "catchment-bench-"));
    writeFileSync(join(group, file), String(bytes));
    return group;
  } catch (error) {
    throw new Error("--memory needs a control group of Linux that root can make", { cause: error });
  }
}

import { readFileSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** The machine's own activity during a measurement. No code of ours can be faster than this. */
export type MachineNoise = {
  /** CPU time that the hypervisor gave to others, 0 to 1. Null if the system doesn't report it. */
  readonly stolen: number | null;
  /** The duration of flushing 8 KiB to the database's disk, in milliseconds. */
  readonly flush: { readonly p50: number; readonly p99: number; readonly max: number };
};

const probeEveryMs = 20;
const probeBytes = 8 * 1024;
/** The file is overwritten, so that it stays small. */
const probeBlocks = 256;

/** Runs `work` while flushing a little to `folder`, as PostgreSQL does at every commit. */
export async function watchMachine<Result>(
  folder: string,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly noise: MachineNoise }> {
  const before = readCpuTimes();
  const stopping = new AbortController();
  const probing = probeDisk(join(folder, "flush-probe"), stopping.signal);
  try {
    const result = await work();
    const after = readCpuTimes();
    stopping.abort();
    return { result, noise: { stolen: stolenBetween(before, after), flush: await probing } };
  } finally {
    stopping.abort();
    await probing;
  }
}

async function probeDisk(path: string, signal: AbortSignal): Promise<MachineNoise["flush"]> {
  const block = Buffer.alloc(probeBytes, 1);
  const took: number[] = [];
  const file = await open(path, "w");
  for (let n = 0; !signal.aborted; n += 1) {
    await file.write(block, 0, probeBytes, (n % probeBlocks) * probeBytes);
    const startedAt = performance.now();
    await file.datasync();
    took.push(performance.now() - startedAt);
    await delay(probeEveryMs, undefined, { signal }).catch(() => {});
  }
  await file.close();
  await rm(path);
  const sorted = took.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal. */
function readCpuTimes(): readonly number[] | null {
  try {
    const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
    return line.trim().split(/\s+/).slice(1, 9).map(Number);
  } catch {
    return null;
  }
}

function stolenBetween(
  before: readonly number[] | null,
  after: readonly number[] | null,
): number | null {
  if (before === null || after === null) return null;
  const spent = after.map((ticks, at) => ticks - (before[at] ?? 0));
  const sum = spent.reduce((total, ticks) => total + ticks, 0);
  return sum === 0 ? 0 : (spent[7] ?? 0) / sum;
}

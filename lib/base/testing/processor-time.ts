/** The processor time of this thread in milliseconds. Pauses of a busy machine don't count. */
export function startProcessorTime(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** The processor time of the fastest of five tries, in milliseconds. */
export function fastestMs(work: () => void): number {
  const tries = [1, 2, 3, 4, 5].map(() => {
    const elapsedMs = startProcessorTime();
    work();
    return elapsedMs();
  });
  return Math.min(...tries);
}

/** Work that grows faster than its input takes far longer, and the rest a tenth even on a busy machine. */
export const quicklyMs = 50;

import { killAtOnce, listTree } from "#e2e/harness/process-tree.ts";
import type { ServerUnderTest } from "#e2e/harness/server-under-test.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { isHit, type KillTarget } from "./kill-plan.ts";

/**
 * Kills all processes at once. The postmaster is stopped before the list is made. Otherwise a
 * session that it opens in between would live on, waiting forever for a lock in shared memory whose
 * holder is dead, and keep the next PostgreSQL from starting.
 */
export async function kill(
  server: ServerUnderTest,
  target: KillTarget,
): Promise<{ pids: Set<number>; atMs: number }> {
  const hits = async () => (await listTree(server.pid)).filter((process) => isHit(target, process));
  const postmaster = (await hits()).find(({ role }) => role === "postgres");
  if (postmaster !== undefined) process.kill(postmaster.pid, "SIGSTOP");
  const chosen = await hits();
  killAtOnce(chosen);
  const atMs = Date.now();
  if (chosen.length === 0) throw new Error(`There was no ${target} to kill`);
  return { pids: new Set(chosen.map(({ pid }) => pid)), atMs };
}

/** Waits until the supervisor has restarted the process. The next kill must not come before. */
export async function waitForRole(
  server: ServerUnderTest,
  target: KillTarget,
  killed: ReadonlySet<number>,
): Promise<void> {
  await waitUntil(`${target} to restart`, 300_000, async () => {
    const tree = await server.tree();
    return tree.some((process) => isHit(target, process) && !killed.has(process.pid))
      ? true
      : undefined;
  });
}

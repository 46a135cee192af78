import { availableParallelism } from "node:os";
import { StartError } from "#server/system/start-error.ts";

type Machine = { readonly cores: number; readonly platform: NodeJS.Platform };

/**
 * The number of processes that catch deliveries. PostgreSQL and the workers need the other half of
 * the cores: on two, a second process costs a sixth of the throughput (docs/decisions/catch/041).
 * Several processes share the port with SO_REUSEPORT, for which only Linux spreads connections.
 * macOS gives them all to one process.
 */
export function countCatchProcesses(
  wanted: number | undefined,
  { cores, platform }: Machine = {
    cores: availableParallelism(),
    platform: process.platform,
  },
): number {
  const canShare = platform === "linux";
  if (wanted === undefined)
    return canShare ? Math.max(1, Math.min(maxByDefault, Math.floor(cores / 2))) : 1;
  if (wanted > 1 && !canShare)
    throw new StartError(
      "Only Linux can share a port between processes: set CATCHMENT_CATCH_PROCESSES to 1.",
    );
  return wanted;
}

const maxByDefault = 8;

/** The names of the processes, for the log and for stopping them together. */
export function nameCatchProcesses(count: number): readonly string[] {
  return count === 1
    ? ["catch"]
    : Array.from({ length: count }, (_, index) => `catch-${index + 1}`);
}

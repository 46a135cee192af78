import { maxFailedRuns } from "#lib/schema/act/run-limits.ts";

/** A number of failed runs, the same on every page. */
export function describeFailed(count: number): string {
  return `${count.toLocaleString("en")}${count >= maxFailedRuns ? "+" : ""} failed`;
}

import { readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "#lib/env.ts";
import { errorCode } from "#lib/errors.ts";
import { type Finding, failure, formatBytes, ok, type Result, warning } from "./finding.ts";

/** Checks how much waits in the spool of this machine, and whether it could take more. Changes nothing. */
export function checkSpool({ spool, minFreeDiskBytes }: Env): Finding[] {
  const check = "Spool";
  if (spool === undefined)
    return [
      { check, ...ok("CATCHMENT_SPOOL_URL isn't set, so deliveries get 503 without PostgreSQL.") },
    ];
  try {
    return [
      { check, ...evaluateSpool(readFolder(spool.folder), spool.maxBytes, minFreeDiskBytes) },
    ];
  } catch (error) {
    const text = `The spool's folder ${spool.folder} can't be read (${errorCode(error)}).`;
    return [{ check, ...failure(text, "Start Catchment, which makes it, or change its owner.") }];
  }
}

export type SpoolFacts = {
  /** The size of what waits. */
  readonly waitingBytes: number;
  /** Deliveries that can't be stored. */
  readonly setAside: number;
  readonly freeBytes: number;
  readonly totalBytes: number;
};

export function evaluateSpool(
  { waitingBytes, setAside, freeBytes, totalBytes }: SpoolFacts,
  maxBytes: number,
  minFreeBytes: number,
): Result {
  if (setAside > 0)
    return failure(
      `${setAside === 1 ? "1 delivery" : `${setAside} deliveries`} of the spool can't be stored.`,
      "See the log lines spool.set_aside and spool.file_damaged, and docs/operations.md.",
    );
  if (freeBytes < Math.min(minFreeBytes, totalBytes * 0.05) || waitingBytes > 0.8 * maxBytes)
    return failure(
      `${formatBytes(waitingBytes)} of ${formatBytes(maxBytes)} are in use, and ${formatBytes(freeBytes)} are ` +
        "free on its disk, so the spool is full or nearly.",
      "Start PostgreSQL, free some space, or raise CATCHMENT_SPOOL_MAX_BYTES.",
    );
  if (waitingBytes > 0)
    return warning(
      `${formatBytes(waitingBytes)} of accepted deliveries wait in the spool.`,
      "They are stored once PostgreSQL is back and Catchment runs. Don't remove the folder.",
    );
  return ok("Nothing waits in the spool, and it has room.");
}

function readFolder(folder: string): SpoolFacts {
  const names = readdirSync(folder);
  const writers = names.filter((name) => name.startsWith("writer-"));
  const files = writers.flatMap((writer) =>
    readdirSync(join(folder, writer))
      .filter((name) => name.endsWith(".spool"))
      .map((name) => join(folder, writer, name)),
  );
  const { bavail, blocks, bsize } = statfsSync(folder);
  return {
    // A file may be drained and removed meanwhile.
    waitingBytes: files.reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    ),
    setAside: names.includes("set-aside") ? readdirSync(join(folder, "set-aside")).length : 0,
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
  };
}

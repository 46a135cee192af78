import { readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { diskReserve } from "#lib/core/disk-reserve.ts";
import { type BrokerUrl, nameBroker } from "#lib/core/env/broker-url.ts";
import type { Env } from "#lib/env.ts";
import { errorCode } from "#lib/errors.ts";
import type { BrokerCheck } from "#lib/spool/check-broker.ts";
import { type Finding, failure, formatBytes, ok, type Result, warning } from "./finding.ts";

/**
 * Checks how much waits in the spool, and whether it could take more. Makes a missing queue, and changes
 * nothing else.
 */
export async function checkSpool({ spool, minFreeDiskBytes }: Env): Promise<Finding[]> {
  const check = "Spool";
  if (spool === undefined)
    return [
      { check, ...ok("CATCHMENT_SPOOL_URL isn't set, so deliveries get 503 without PostgreSQL.") },
    ];
  const { broker, maxBytes } = spool;
  if (broker !== undefined) {
    const { checkBroker } = await import("#lib/spool/check-broker.ts");
    return [{ check, ...evaluateBroker(broker, await checkBroker(broker, maxBytes)) }];
  }
  try {
    return [
      { check, ...evaluateSpool(readFolder(spool.folder), spool.maxBytes, minFreeDiskBytes) },
    ];
  } catch (error) {
    const text = `The spool's folder ${spool.folder} can't be read (${errorCode(error)}).`;
    return [{ check, ...failure(text, "Start Catchment, which makes it, or change its owner.") }];
  }
}

type SpoolFacts = {
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
  if (setAside > 0) return evaluateSetAside(setAside);
  if (freeBytes < diskReserve(minFreeBytes, totalBytes) || waitingBytes > 0.8 * maxBytes)
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

export function evaluateBroker(broker: BrokerUrl, check: BrokerCheck): Result {
  const place = `The spool's broker at ${nameBroker(broker)}`;
  if (!check.ok)
    return failure(
      `${place} can't be used (${check.error.message}).`,
      "Start it, or correct CATCHMENT_SPOOL_URL.",
    );
  const { ready, setAside } = check.counts;
  if (setAside > 0) return evaluateSetAside(setAside);
  if (ready > 0)
    return warning(
      `${ready === 1 ? "1 batch" : `${ready} batches`} of accepted deliveries wait in ${broker.queue}.`,
      "They are stored once PostgreSQL is back and Catchment runs. Don't delete or purge the queue.",
    );
  return ok(`${place} answers, and nothing waits in ${broker.queue}.`);
}

function evaluateSetAside(count: number): Result {
  return failure(
    `${count === 1 ? "1 delivery" : `${count} deliveries`} of the spool can't be stored.`,
    "See npm run catchment -- spool list, and spool retry once the reason is gone.",
  );
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

import { readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Finding, failure, ok, type Result, warning } from "#lib/base/command-line/finding.ts";
import { describeSize } from "#lib/base/describe-size.ts";
import { errorCode } from "#lib/base/errors.ts";
import { type BrokerUrl, nameBroker } from "#lib/core/env/broker-url.ts";
import type { Env } from "#lib/core/env/parse-env.ts";
import { diskReserve } from "#lib/core/watch/disk-reserve.ts";
import type { BrokerCheck } from "#lib/spool/check-broker.ts";
import { frameAt, readRecord, SpoolVersionError } from "#lib/spool/records/record.ts";
import type { RecordKeys } from "#lib/spool/records/record-keys.ts";

/**
 * Checks how much waits in the spool, and whether it could take more. Makes a missing queue, and changes
 * nothing else.
 */
export async function checkSpool(
  { spool, minFreeDiskBytes }: Pick<Env, "spool" | "minFreeDiskBytes">,
  keys: RecordKeys | null,
): Promise<Finding[]> {
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
      { check, ...evaluateSpool(readFolder(spool.folder, keys), spool.maxBytes, minFreeDiskBytes) },
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
  /** This version can't read what waits longest. */
  readonly isOtherVersion: boolean;
  readonly freeBytes: number;
  readonly totalBytes: number;
};

export function evaluateSpool(
  { waitingBytes, setAside, isOtherVersion, freeBytes, totalBytes }: SpoolFacts,
  maxBytes: number,
  minFreeBytes: number,
): Result {
  if (isOtherVersion)
    return failure(
      `Another version of Catchment wrote what waits in the spool (${describeSize(waitingBytes)}), and this one ` +
        "can't read it.",
      "Start the version that wrote it, or a newer one, which stores everything. Don't remove the folder.",
    );
  if (setAside > 0) return evaluateSetAside(setAside);
  if (freeBytes < diskReserve(minFreeBytes, totalBytes) || waitingBytes > 0.8 * maxBytes)
    return failure(
      `${describeSize(waitingBytes)} of ${describeSize(maxBytes)} are in use, and ${describeSize(freeBytes)} are ` +
        "free on its disk, so the spool is full or nearly.",
      "Start PostgreSQL, free some space, or raise CATCHMENT_SPOOL_MAX_BYTES.",
    );
  if (waitingBytes > 0)
    return warning(
      `${describeSize(waitingBytes)} of accepted deliveries wait in the spool.`,
      `${whenStored} Don't remove the folder.`,
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
      `${whenStored} Don't delete or purge the queue.`,
    );
  return ok(`${place} responds, and nothing waits in ${broker.queue}.`);
}

const whenStored =
  "They are stored once PostgreSQL is back and Catchment runs. If both do, see spool.held_up and " +
  "spool.not_drained in the log.";

function evaluateSetAside(count: number): Result {
  return failure(
    `${count === 1 ? "1 delivery" : `${count} deliveries`} of the spool can't be stored.`,
    "See npm run server -- spool list, and spool retry once the reason is gone.",
  );
}

function readFolder(folder: string, keys: RecordKeys | null): SpoolFacts {
  const names = readdirSync(folder);
  const writers = names.filter((name) => name.startsWith("writer-"));
  const parts = writers.map((writer) =>
    readdirSync(join(folder, writer))
      .filter((name) => name.endsWith(".spool"))
      .sort()
      .map((name) => join(folder, writer, name)),
  );
  const { bavail, blocks, bsize } = statfsSync(folder);
  return {
    // A file may be drained and removed meanwhile.
    waitingBytes: parts
      .flat()
      .reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0),
    setAside: names.includes("set-aside") ? readdirSync(join(folder, "set-aside")).length : 0,
    isOtherVersion: parts.some(
      ([oldest]) => oldest !== undefined && keys !== null && isOtherVersion(oldest, keys),
    ),
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
  };
}

function isOtherVersion(path: string, keys: RecordKeys): boolean {
  try {
    const file = readFileSync(path);
    const frame = frameAt(file, 0, keys, false);
    if (frame.kind === "record") readRecord(file, frame);
    return false;
  } catch (error) {
    // Others mean that it has been removed since, or say so once its turn comes.
    return error instanceof SpoolVersionError;
  }
}

import { log } from "#lib/log.ts";
import { findRecord, readRecord } from "./record.ts";
import type { Segment } from "./segment.ts";
import type { SizedBatch } from "./spool.ts";

/** The records of a file, and what it turned out to be: unfinished, or changed by the disk since. */
export function readBatches(
  file: Buffer,
  segment: Segment,
): { readonly batches: readonly SizedBatch[]; readonly read: Segment } {
  const batches: SizedBatch[] = [];
  let bytes = 0;
  let deliveries = 0;
  while (bytes < segment.bytes) {
    const found = findRecord(file, bytes);
    if (typeof found === "string") {
      const isTorn = found === "torn" && segment.isLeft;
      if (isTorn) log.warn("spool.torn_record", { path: segment.path, bytes: file.length - bytes });
      return { batches, read: { ...segment, bytes, deliveries, isDamaged: !isTorn } };
    }
    batches.push({ batch: readRecord(file, bytes, found), bytes: found.end - bytes });
    bytes = found.end;
    deliveries += found.deliveries;
  }
  return { batches, read: { ...segment, bytes, deliveries } };
}

import { readFile } from "node:fs/promises";
import { errorCode } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { findRecord, readRecord } from "./record.ts";
import type { Segment } from "./segment.ts";
import type { SizedBatch } from "./spool.ts";

/** The records of a file, and what it turned out to be: unfinished, changed by the disk since, or lost. */
export async function readSegment(segment: Segment): Promise<ReadSegment> {
  try {
    return readBatches(await readFile(segment.path), segment);
  } catch (error) {
    if (!lostCodes.has(errorCode(error))) throw error;
    return { batches: [], read: { ...segment, bytes: 0, deliveries: 0, isDamaged: true } };
  }
}

type ReadSegment = { readonly batches: readonly SizedBatch[]; readonly read: Segment };

/** The disk can't read the file, or someone has deleted it. Others, such as EMFILE, may be over in a moment. */
const lostCodes: ReadonlySet<string | undefined> = new Set(["EIO", "ENOENT"]);

function readBatches(file: Buffer, segment: Segment): ReadSegment {
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

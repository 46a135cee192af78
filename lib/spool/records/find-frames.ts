import { crc32 } from "node:zlib";
import { type Frame, frameAt, headBytes, isSignedUpTo, toFound } from "./record.ts";
import type { RecordKeys } from "./record-keys.ts";

export type ReadRules = {
  readonly keys: RecordKeys;
  /**
   * Records without a signature. `in_place`: where the one before ends. `anywhere`: also behind what is
   * damaged. A body may contain what looks like one, so a person has to decide that.
   */
  readonly unsigned: "never" | "in_place" | "anywhere";
};

/**
 * Everything in a file of a spool, in order: its records, and in between what can't be read. Behind what is
 * damaged, the next record is found by its mark. No byte is left out.
 */
export function* findFrames(file: Buffer, rules: ReadRules): Generator<Frame> {
  const { keys } = rules;
  const budget = { bytes: maxCheckedBytes };
  for (let at = 0; at < file.length; ) {
    const frame = frameAt(file, at, keys, rules.unsigned !== "never");
    const isWhole = frame.kind === "record" || isIntact(frame.fault);
    const end = isWhole ? frame.end : findNext(file, frame, rules, budget);
    // Only its length was changed.
    if (!isWhole && isSignedUpTo(file, at, end, keys)) yield toFound(file, at, end, true);
    else if (isWhole) yield frame;
    else yield { ...frame, end, fault: end < file.length ? "damaged" : frame.fault };
    at = end;
  }
}

/** Marks are secret, so only copies of this server's own records cost a check. */
const maxCheckedBytes = 512 * 1024 * 1024;

type Budget = { bytes: number };

function isIntact(fault: string): boolean {
  return fault === "unsigned" || fault === "unknown_key";
}

/** The beginning of the next frame that is whole, or the end of the file. */
function findNext(file: Buffer, frame: Frame, rules: ReadRules, budget: Budget): number {
  const { at, end } = frame;
  const signed = findSigned(file, at + 1, rules.keys, budget);
  // Its length may be right, and what follows be whole, although nothing of this server is in between.
  if (end < file.length && end <= signed) {
    const next = frameAt(file, end, rules.keys, rules.unsigned !== "never");
    if (next.kind === "record" || isIntact(next.fault)) return end;
  }
  if (rules.unsigned !== "anywhere") return signed;
  return Math.min(signed, findUnsigned(file, at + 1, signed, budget));
}

function findSigned(file: Buffer, from: number, keys: RecordKeys, budget: Budget): number {
  const found = [keys.current, ...keys.previous].map(({ mark }) => {
    for (let at = from; ; at += 1) {
      const markAt = file.indexOf(mark, at + headBytes);
      if (markAt === -1) return file.length;
      at = markAt - headBytes;
      const end = markAt + file.readUInt32LE(at);
      if (end <= file.length) budget.bytes -= end - at;
      if (budget.bytes < 0) return file.length;
      if (isSignedUpTo(file, at, end, keys)) return at;
    }
  });
  return Math.min(...found);
}

/** V8 begins each payload with this byte. */
const payloadMark = 0xff;
/** More than a batch ever has. Nearly all of what looks like a record within a body has more. */
const maxDeliveries = 1_000_000;

function findUnsigned(file: Buffer, from: number, to: number, budget: Budget): number {
  for (let mark = from + headBytes; ; mark += 1) {
    mark = file.indexOf(payloadMark, mark);
    if (mark === -1 || mark - headBytes >= to) return to;
    const at = mark - headBytes;
    const end = mark + file.readUInt32LE(at);
    if (end > file.length || file.readUInt32LE(at + 8) > maxDeliveries) continue;
    budget.bytes -= end - at;
    if (budget.bytes < 0) return to;
    if (crc32(file.subarray(at + 8, end)) === file.readUInt32LE(at + 4)) return at;
  }
}

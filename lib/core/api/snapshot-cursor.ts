import { AppError } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";

/**
 * A place in what is stored over time: everything that a snapshot of PostgreSQL doesn't see comes after it. An id
 * is no such place, because rows become visible in another order than they got their ids.
 */
export type SnapshotCursor = {
  /** A `pg_snapshot`: `xmin:xmax:xip,xip`. */
  readonly snapshot: string;
  /** When it was taken, in Unix milliseconds. */
  readonly atMs: number;
  /** What lies between two snapshots is read in the order of ids. Null: nothing of it has been read. */
  readonly between: {
    readonly afterId: string;
    readonly upTo: string;
    readonly upToMs: number;
  } | null;
};

/** Written as opaque text. A snapshot names each transaction that is open, which are some dozens at most. */
export function writeSnapshotCursor({ snapshot, atMs, between }: SnapshotCursor): string {
  const rest = between === null ? [] : [between.afterId, between.upTo, between.upToMs];
  return Buffer.from([snapshot, atMs, ...rest].join("~")).toString("base64url");
}

const maxChars = 8_000;
const snapshotText = /^\d{1,20}:\d{1,20}:(\d{1,20}(,\d{1,20})*)?$/;

/** Throws `invalid_request` for anything that `writeSnapshotCursor` has not written. */
export function readSnapshotCursor(text: string): SnapshotCursor {
  const parts = text.length > maxChars ? [] : Buffer.from(text, "base64url").toString().split("~");
  const [snapshot = "", at = "", afterId = "", upTo = "", upToAt = ""] = parts;
  if (isPlace(snapshot, at) && parts.length === 2)
    return { snapshot, atMs: Number(at), between: null };
  if (parts.length === 5 && isPlace(snapshot, at) && isPlace(upTo, upToAt) && isId(afterId))
    return {
      ...{ snapshot, atMs: Number(at) },
      between: { afterId, upTo, upToMs: Number(upToAt) },
    };
  const message = "is not a cursor of this list. Leave it out to begin now";
  throw new AppError("invalid_request", `cursor: ${message}.`, {
    errors: [{ path: "cursor", code: "invalid_value", message }],
  });
}

function isPlace(snapshot: string, atMs: string): boolean {
  return snapshotText.test(snapshot) && /^\d{1,15}$/.test(atMs);
}
